/**
 * Starts of tasks: tabs, reloads and lost answers, over the real host and a service that fails, in
 * virtual time. No task may be paid for twice unless a person has decided so after a loss.
 */
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { noteAccount } from '../../src/client/account.ts';
import { makeAccountTag } from '../../packages/host/src/users/account-tag.ts';
import { CreateQueue } from '../../src/client/create-queue.ts';
import type { VideoTask } from '../../src/client/video-task.ts';
import { readJob, writeJob } from '../../src/client/create-store.ts';
import type { Fault } from 'clip-testkit/fake-service-failures';
import { FakeService } from 'clip-testkit/fake-service';
import { HostWorld } from 'clip-testkit/host-world';
import { attempt } from 'clip-testkit/store-attempt';
import { VirtualPage } from '../support/virtual-page.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

const type = 'video-to-shorts';
const body = { name: 'Talk' };
const talk = 'https://videos.example/talk.mp4';
const otherVideo = 'https://videos.example/other.mp4';

/** Chooses the address of a video, and starts its task. */
const add = (queue: CreateQueue, url = talk): VideoTask =>
  queue.start(queue.choose({ url }), type, body);

let worlds = 0;

const refused: Fault = { how: { status: 402 } };
const failed: Fault = { how: { status: 500 } };
const lost: Fault = { how: 'drop' };
const answerLost: Fault = { how: 'drop', acts: true };

interface Given {
  /** Whether the service starts nothing twice for a key, and says so. */
  readonly keepsKeys?: boolean;
  /** Of the first starts at the service. */
  readonly faults?: readonly Fault[];
}

/** A user's pages over the real host. */
class World {
  readonly page = new VirtualPage();
  readonly service: FakeService;
  readonly host: HostWorld;
  readonly endpoint = `https://site.test/clips-${++worlds}`;
  /** What was sent: the method, the path, and the attempt key. */
  readonly sent: string[] = [];
  /** What the network does with the next starts: they are lost, or their answers. */
  readonly network: ('lost' | 'answer-lost')[] = [];
  /** A status with which a proxy answers the next starts, which never arrive. */
  readonly refused: number[] = [];
  readonly #tabs: AbortController[] = [];

  constructor({ keepsKeys = true, faults = [] }: Given) {
    this.service = new FakeService({ keepsKeys, extensions: false });
    this.service.order(
      ...faults.map((fault) => ({ ...fault, method: 'POST', path: /^\/tasks\// }) as const),
    );
    this.host = new HostWorld(this.service);
  }

  /** The tasks that were made, each of them paid for. */
  made = (): number => this.service.world.tasks.size;

  readonly #fetch = async (input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(String(input));
    const path = url.pathname.replace(/^\/clips-\d+/, '');
    const key = new Headers(init.headers).get('Idempotency-Key') ?? '';
    if (path !== '/account') this.sent.push(`${init.method} ${path} ${key}`.trim());
    const isStart = init.method === 'POST';
    const fault = isStart ? this.network.shift() : undefined;
    if (fault === 'lost') throw new TypeError('connection lost');
    const refused = isStart ? this.refused.shift() : undefined;
    if (refused) return Response.json({}, { status: refused });
    const { signal: _, ...sent } = init;
    const answer = await this.host.fetch(`/clips${path}${url.search}`, sent);
    if (fault) throw new TypeError('connection lost');
    init.signal?.throwIfAborted();
    return answer;
  };

  /** Opens a tab; `at()` is its first job, if it has one. */
  open = () => {
    const life = new AbortController();
    this.#tabs.push(life);
    const states: string[] = [];
    const queue = new CreateQueue(
      { endpoint: this.endpoint, fetch: this.#fetch },
      (task) => {
        const state = task && `${task.phase} ${task.error?.code ?? ''}`.trim();
        if (state && state !== states.at(-1)) states.push(state);
      },
      () => {},
      life.signal,
    );
    return {
      queue,
      /** The phases and errors of its tasks. */
      states,
      at: (): VideoTask => queue.tasks[0]!,
      close: () => life.abort(),
    };
  };

  starts = (): string[] => this.sent.filter((line) => line.startsWith('POST /tasks'));

  pass = (ms: number): Promise<void> => this.page.clock.pass(ms);

  async close(): Promise<void> {
    for (const life of this.#tabs) life.abort();
    this.page.close();
    await this.host.close();
  }
}

describe('the start of a task', () => {
  let world: World | undefined;
  const open = (given: Given = {}): World => (world = new World(given));
  afterEach(() => world?.close());

  describe('without an answer', () => {
    for (const [what, fault] of [
      ['a 500', failed],
      ['a 500 after the work', { ...failed, acts: true }],
      ['a broken connection', lost],
    ] as const) {
      it(`${what}: says at once that it is being checked, and starts it once`, async () => {
        const { made, open: tab, pass, starts } = open({ faults: [fault] });
        const { queue, states } = tab();
        add(queue);
        await pass(100);
        assert.deepEqual(states, ['waiting', 'starting', 'checking task-outcome-unknown']);
        await pass(20 * second);
        assert.equal(states.at(-1), 'started');
        assert.equal(made(), 1);
        assert.equal(new Set(starts()).size, 1);
      });
    }

    it('a 507: the state is that of a full service, and the next try finds the task', async () => {
      const {
        made,
        open: tab,
        pass,
        sent,
      } = open({ faults: [{ how: { status: 507 }, acts: true }] });
      const { queue, states, at } = tab();
      add(queue);
      await pass(20 * second);
      assert.deepEqual(states, ['waiting', 'starting', 'error storage-full']);
      at().retry();
      await pass(second);
      assert.equal(states.at(-1), 'started');
      assert.deepEqual(
        sent.map((line) => line.split(' ')[0]),
        ['POST', 'POST'],
      );
      assert.equal(made(), 1);
    });

    it('a service that fails for a while is sent the start until it answers', async () => {
      const faults = new Array<Fault>(7).fill(failed);
      const { open: tab, pass, starts, made } = open({ faults });
      const { queue, states } = tab();
      add(queue);
      await pass(5 * minute);
      assert.deepEqual(states.slice(-2), ['checking task-outcome-unknown', 'started']);
      assert.equal(new Set(starts()).size, 1);
      assert.equal(made(), 1);
    });

    it('others need not wait until the outcome is known', async () => {
      const { open: tab, pass } = open({ keepsKeys: false, faults: [lost] });
      const { queue, states } = tab();
      add(queue);
      add(queue, otherVideo);
      await pass(second);
      assert.ok(states.includes('started'));
    });
  });

  describe('that a service without keys may never have got', () => {
    /** A start whose outcome stayed unknown, and the question to the person. */
    async function unresolved(given: Given = { keepsKeys: false, faults: [lost] }) {
      const opened = open(given);
      const tab = opened.open();
      add(tab.queue);
      await opened.pass(119 * second);
      assert.equal(tab.states.at(-1), 'checking task-outcome-unknown');
      await opened.pass(20 * second);
      assert.equal(tab.states.at(-1), 'error task-outcome-unresolved');
      return { ...opened, tab };
    }

    it('is asked about, and started once more when the person says so', async () => {
      const { tab, pass, starts, made, service } = await unresolved();
      const atService = () => service.sent('POST', /^\/tasks\//).length;
      assert.equal(atService(), 1);
      tab.at().retry();
      await pass(second);
      assert.equal(tab.states.at(-1), 'started');
      assert.equal(new Set(starts()).size, 1);
      assert.deepEqual([atService(), made()], [2, 1]);
    });

    it('is not started again by a reload, nor by the same choice', async () => {
      const { tab, open: openTab, pass, service } = await unresolved();
      add(tab.queue);
      await pass(5 * minute);
      tab.close();
      const again = openTab();
      await pass(5 * minute);
      assert.equal(again.states.at(-1), 'error task-outcome-unresolved');
      assert.equal(service.sent('POST', /^\/tasks\//).length, 1);
    });

    it('and is lost once more: a click before that loss decides nothing after it', async () => {
      const {
        tab,
        open: openTab,
        pass,
        service,
        made,
      } = await unresolved({
        keepsKeys: false,
        faults: [lost, answerLost],
      });
      const atService = () => service.sent('POST', /^\/tasks\//).length;
      const other = openTab();
      await pass(minute);
      assert.equal(other.states.at(-1), 'error task-outcome-unresolved');
      tab.at().retry();
      await pass(second);
      assert.equal(atService(), 2);
      // It still shows the question about the first loss.
      other.at().retry();
      await pass(10 * minute);
      assert.equal(atService(), 2);
      assert.equal(made(), 1);
      assert.equal(tab.states.at(-1), 'error task-outcome-unresolved');
    });

    it('is asked about once more when the person decides: the service keeps keys by now', async () => {
      const { tab, pass, starts, made, service } = await unresolved({
        keepsKeys: false,
        faults: [answerLost],
      });
      Object.assign(service.variant, { keepsKeys: true });
      tab.at().retry();
      await pass(second);
      assert.equal(tab.states.at(-1), 'started');
      assert.equal(new Set(starts()).size, 1);
      assert.equal(made(), 1);
    });
  });

  describe('that is older than what hosts and services remember', () => {
    for (const [age, expected] of [
      [23 * hour, 'started'],
      [26 * hour, 'error task-outcome-unresolved'],
    ] as const) {
      it(`${age / hour} hours: ${expected}`, async () => {
        const { open: tab, pass, network, page, host, starts, made } = open();
        network.push('answer-lost');
        const first = tab();
        add(first.queue);
        await pass(100);
        first.close();
        page.clock.sleep(age);
        // As each store of the kit does when the next attempt comes.
        await host.records.claimPaidStart(attempt());
        const again = tab();
        await pass(5 * minute);
        assert.equal(again.states.at(-1), expected);
        assert.equal(made(), 1);
        assert.equal(starts().length, expected === 'started' ? 2 : 1);
      });
    }
  });

  describe('that another tab has given up', () => {
    it('is not sent', async () => {
      const { open: tab, pass, starts } = open();
      const one = tab();
      const task = add(one.queue);
      // Before it has its lock.
      localStorage.removeItem(`clip-kit:create:${task.id}`);
      await pass(minute);
      assert.deepEqual(starts(), []);
      assert.deepEqual(one.queue.tasks, []);
    });

    it('while it waits for its turn, also in the other tab', async () => {
      const world = open({ faults: [{ workMs: 5 * second }] });
      const { open: tab, pass, service } = world;
      // Both tabs have had an answer of the host.
      noteAccount(world.endpoint, makeAccountTag('ann'));
      const one = tab();
      add(one.queue);
      const waiting = add(one.queue, otherVideo);
      await pass(second);
      const other = tab();
      const same = other.queue.tasks.find(({ id }) => id === waiting.id)!;
      same.cancel();
      other.queue.remove(same);
      await pass(minute);
      const sent = service.sent('POST', /^\/tasks\//);
      assert.deepEqual(
        sent.map(({ body }) => (body as { source_video_url: string }).source_video_url),
        [talk],
      );
      assert.deepEqual(
        one.queue.tasks.map(({ phase }) => phase),
        ['started'],
      );
      assert.equal(readJob(waiting.id), null);
    });
  });

  describe('cancelled', () => {
    const id = 'a'.repeat(24);

    /** A tab that has stored a job whose file has arrived. */
    function openArrived(given: Given) {
      const opened = open(given);
      writeJob({
        ...{ id, endpoint: opened.endpoint, account: '', at: Date.now(), seconds: null },
        ...{ type, body, sourceUrl: talk },
        ...{ file: { name: 'talk.mp4', size: 1000, modified: 1 }, uploadId: 'upload-1' },
        ...{ startSentAt: null, isPaused: false },
      });
      const deletions = () => opened.sent.filter((line) => line.startsWith('DELETE'));
      return { ...opened, deletions, tab: opened.open() };
    }

    it('after its outcome was unknown, keeps the file', async () => {
      const { tab, pass, deletions, made } = openArrived({
        keepsKeys: false,
        faults: [answerLost],
      });
      await pass(second);
      assert.equal(tab.states.at(-1), 'checking task-outcome-unknown');
      tab.at().cancel();
      await pass(minute);
      assert.equal(made(), 1);
      assert.deepEqual(deletions(), []);
    });

    it('after a new try was refused, keeps the file of the first one', async () => {
      const { tab, pass, deletions } = openArrived({
        keepsKeys: false,
        faults: [answerLost, refused],
      });
      await pass(3 * minute);
      tab.at().retry();
      await pass(second);
      assert.equal(tab.states.at(-1), 'error task-limit');
      tab.at().cancel();
      await pass(minute);
      assert.deepEqual(deletions(), []);
    });

    it('after the plan refused it, is started by no reload, and by a click', async () => {
      const { tab, pass, starts, open: openTab } = openArrived({ faults: [refused] });
      await pass(second);
      assert.equal(tab.states.at(-1), 'error task-limit');
      tab.close();
      const again = openTab();
      await pass(minute);
      assert.equal(again.states.at(-1), 'paused');
      assert.equal(starts().length, 1);
      again.at().resume();
      await pass(second);
      assert.equal(again.states.at(-1), 'started');
      assert.equal(starts().length, 2);
    });

    it('after it was refused, removes the file', async () => {
      const { tab, pass, deletions } = openArrived({ faults: [refused] });
      await pass(second);
      tab.at().cancel();
      await pass(minute);
      assert.deepEqual(deletions(), ['DELETE /uploads/upload-1']);
    });

    it('in a tab that waits while another has sent the start, keeps the file', async () => {
      const {
        tab,
        pass,
        deletions,
        open: openTab,
      } = openArrived({ keepsKeys: false, faults: [answerLost] });
      const other = openTab();
      await pass(second);
      assert.equal(tab.states.at(-1), 'checking task-outcome-unknown');
      assert.deepEqual([other.at().phase, other.at().mayHaveStarted], ['waiting', true]);
      other.at().cancel();
      await pass(minute);
      assert.deepEqual([tab.queue.tasks, readJob(id)], [[], null]);
      assert.deepEqual(deletions(), []);
    });
  });
});
