/**
 * Starts of tasks: tabs, reloads and lost answers, over the real host and a service that fails, in
 * virtual time. No task may be paid for twice unless a person has decided so after a loss.
 */
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { noteAccount } from '../../src/client/account.ts';
import { makeAccountTag } from '../../packages/host/src/users/account-tag.ts';
import { CreateQueue, type NewJob } from '../../src/client/create-queue.ts';
import type { CreateSession } from '../../src/client/create-session.ts';
import { readJob, writeJob } from '../../src/client/create-store.ts';
import { memoryStore } from '../../packages/host/src/index.ts';
import { BrokenConnection, type StartFault } from '../support/late-service.ts';
import { LateHost } from '../support/late-host.ts';
import { VirtualPage } from '../support/virtual-page.ts';
import { type Task, taskSchema } from '../../src/contract/task.ts';

/** How long this project's service remembers a key. */
const keyLifeMs = 24 * 60 * 60 * 1000;

interface MadeTask {
  readonly task: Task;
  readonly key: string | null;
  readonly source: string;
  readonly madeAt: number;
}

const json = (status: number, body: unknown, headers: Record<string, string> = {}): Response =>
  Response.json(body, { status, headers });

/** A service whose starts of tasks fail in certain ways. As in the specification, it lists none. */
class LateTasks {
  readonly apiKey = 'key-of-the-late-tasks';
  /** The tasks that were made, each of them paid for. */
  readonly made: MadeTask[] = [];
  /** What becomes of the next starts; later ones work. */
  readonly faults: StartFault[] = [];
  /** Whether it starts nothing twice for a key, and says so. */
  keepsKeys: boolean;
  #users = 0;

  constructor(keepsKeys: boolean) {
    this.keepsKeys = keepsKeys;
  }

  async answer(request: Request): Promise<Response> {
    const path = new URL(request.url).pathname.replace(/^\/v2\//, '');
    const key = request.headers.get('Idempotency-Key');
    if (path === 'users') {
      const id = `user-${++this.#users}`;
      return json(201, { id, email: `${id}@guests.example`, organizationId: 'o', isGuest: true });
    }
    if (path === 'exports')
      return json(200, [], this.keepsKeys && key ? { 'Idempotency-Key': key } : {});
    if (request.method === 'POST') return this.#start(request, path, key);
    const found = this.made.find(({ task }) => path === `tasks/${task.id}`);
    return found ? json(200, found.task) : json(404, { error: 'status 404' });
  }

  async #start(request: Request, path: string, key: string | null): Promise<Response> {
    const { work = true, workMs = 0, answer } = this.faults.shift() ?? {};
    await new Promise((resolve) => setTimeout(resolve, workMs));
    const { source_video_url: source } = (await request.json()) as { source_video_url: string };
    let made = this.made.find(
      (one) => this.keepsKeys && one.key === key && Date.now() - one.madeAt < keyLifeMs,
    );
    if (work && !made) {
      const task = taskSchema.parse({
        id: `task-${this.made.length + 1}`,
        type: path.replace('tasks/', ''),
        status: 'processing',
        created_at: new Date().toISOString(),
        output_type: 'folder',
        output_id: `folder-${this.made.length + 1}`,
      });
      made = { task, key, source, madeAt: Date.now() };
      this.made.push(made);
    }
    if (answer === 'drop') throw new BrokenConnection();
    return made && answer === undefined ? json(201, made.task) : json(answer ?? 503, {});
  }
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

const job: NewJob = {
  type: 'video-to-shorts',
  body: { name: 'Talk' },
  source: 'https://videos.example/talk.mp4',
  seconds: null,
};

let worlds = 0;

/** A user's pages over the real host. */
class World {
  readonly page = new VirtualPage();
  readonly service: LateTasks;
  #host!: LateHost;
  readonly endpoint = `https://site.test/clips-${++worlds}`;
  /** What was sent: the method, the path, and the attempt key. */
  readonly sent: string[] = [];
  /** What the network does with the next starts: they are lost, or their answers. */
  readonly network: ('lost' | 'answer-lost')[] = [];
  /** A status with which a proxy answers the next starts, which never arrive. */
  readonly refused: number[] = [];
  readonly #tabs: AbortController[] = [];

  constructor({ keepsKeys = true, faults = [] }: { keepsKeys?: boolean; faults?: StartFault[] }) {
    this.service = new LateTasks(keepsKeys);
    this.service.faults.push(...faults);
    this.forget();
  }

  /** The host's store loses its attempts. */
  forget(): void {
    this.#host = new LateHost(this.service, this.service.apiKey, memoryStore());
  }

  readonly #fetch = async (input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(String(input));
    const path = url.pathname.replace(/^\/clips-\d+/, '');
    const key = new Headers(init.headers).get('Idempotency-Key') ?? url.searchParams.get('attempt');
    // Another question asks only whose page this is.
    if (key !== 'clip-account') this.sent.push(`${init.method} ${path} ${key ?? ''}`.trim());
    const isStart = init.method === 'POST';
    const fault = isStart ? this.network.shift() : undefined;
    if (fault === 'lost') throw new TypeError('connection lost');
    const refused = isStart ? this.refused.shift() : undefined;
    if (refused) return Response.json({}, { status: refused });
    const { signal: _, ...sent } = init;
    const answer = await this.#host.answer('ann', `/clips${path}${url.search}`, sent);
    if (fault) throw new TypeError('connection lost');
    init.signal?.throwIfAborted();
    return answer;
  };

  /** Opens a tab; `at()` is its first job, if it has one. */
  open() {
    const life = new AbortController();
    this.#tabs.push(life);
    const states: string[] = [];
    const queue = new CreateQueue(
      { endpoint: this.endpoint, fetch: this.#fetch },
      (session) => {
        const state = session && `${session.phase} ${session.error?.code ?? ''}`.trim();
        if (state && state !== states.at(-1)) states.push(state);
      },
      () => {},
      life.signal,
    );
    return {
      queue,
      /** The phases and errors of its sessions. */
      states,
      at: (): CreateSession => queue.sessions[0]!,
      close: () => life.abort(),
    };
  }

  starts(): string[] {
    return this.sent.filter((line) => line.startsWith('POST /tasks'));
  }

  pass(ms: number): Promise<void> {
    return this.page.clock.pass(ms);
  }

  close(): void {
    for (const life of this.#tabs) life.abort();
    this.page.close();
  }
}

describe('the start of a task', () => {
  let world: World | undefined;
  const open = (given: ConstructorParameters<typeof World>[0] = {}): World =>
    (world = new World(given));
  afterEach(() => world?.close());

  describe('without an answer', () => {
    for (const [what, fault] of [
      ['a 500', { work: false, answer: 500 }],
      ['a 500 after the work', { answer: 500 }],
      ['a broken connection', { work: false, answer: 'drop' }],
    ] as const) {
      it(`${what}: says at once that it is being checked, and starts it once`, async () => {
        const { service, open: tab, pass, starts } = bound(open({ faults: [fault] }));
        const { queue, states } = tab();
        queue.add(job);
        await pass(100);
        assert.deepEqual(states, ['waiting', 'starting', 'checking task-outcome-unknown']);
        await pass(20 * second);
        assert.equal(states.at(-1), 'started');
        assert.equal(service.made.length, 1);
        assert.equal(new Set(starts()).size, 1);
      });
    }

    it('a 507: the state is that of a full service, and the next try asks first', async () => {
      const { service, open: tab, pass, sent } = bound(open({ faults: [{ answer: 507 }] }));
      const { queue, states, at } = tab();
      queue.add(job);
      await pass(20 * second);
      assert.deepEqual(states, ['waiting', 'starting', 'error storage-full']);
      at().retry();
      await pass(second);
      assert.equal(states.at(-1), 'started');
      assert.deepEqual(
        sent.map((line) => line.split(' ')[0]),
        ['POST', 'GET', 'POST'],
      );
      assert.equal(service.made.length, 1);
    });

    it('a service that always fails: the person tries again after a while', async () => {
      const faults = new Array<StartFault>(7).fill({ work: false, answer: 500 });
      const { open: tab, pass, starts } = bound(open({ faults }));
      const { queue, states, at } = tab();
      queue.add(job);
      await pass(2 * minute);
      assert.deepEqual(states.slice(-2), ['checking task-outcome-unknown', 'error service-error']);
      at().retry();
      await pass(minute);
      assert.equal(states.at(-1), 'started');
      assert.equal(new Set(starts()).size, 1);
    });

    it('others need not wait until the outcome is known', async () => {
      const { open: tab, pass } = bound(
        open({ keepsKeys: false, faults: [{ work: false, answer: 'drop' }] }),
      );
      const { queue, states } = tab();
      queue.add(job);
      queue.add({ ...job, source: 'https://videos.example/other.mp4' });
      await pass(second);
      assert.ok(states.includes('started'));
    });
  });

  describe('that a service without keys may never have got', () => {
    const lost = { keepsKeys: false, faults: [{ work: false, answer: 'drop' }] } as const;

    /** A start whose outcome stayed unknown, and the question to the person. */
    async function unresolved(
      given: ConstructorParameters<typeof World>[0] = { ...lost, faults: [...lost.faults] },
    ) {
      const opened = bound(open(given));
      const tab = opened.open();
      tab.queue.add(job);
      await opened.pass(119 * second);
      assert.equal(tab.states.at(-1), 'checking task-outcome-unknown');
      assert.equal(Math.round(tab.at().msUntilChoice!), second);
      await opened.pass(20 * second);
      assert.equal(tab.states.at(-1), 'error task-outcome-unresolved');
      assert.equal(tab.at().msUntilChoice, null);
      return { ...opened, tab };
    }

    it('is asked about, and started once more when the person says so', async () => {
      const { tab, pass, starts, service } = await unresolved();
      assert.equal(starts().length, 1);
      tab.at().retry();
      await pass(second);
      assert.equal(tab.states.at(-1), 'started');
      const [first, next, ...others] = starts();
      assert.equal(next, `${first}-1`);
      assert.deepEqual(others, []);
      assert.equal(service.made.length, 1);
    });

    it('is not started again by a reload, nor by the same choice', async () => {
      const { tab, open: openTab, pass, starts } = await unresolved();
      tab.queue.add(job);
      await pass(5 * minute);
      tab.close();
      const again = openTab();
      await pass(5 * minute);
      assert.equal(again.states.at(-1), 'error task-outcome-unresolved');
      assert.equal(starts().length, 1);
    });

    it('and is lost once more: a click before that loss decides nothing after it', async () => {
      const {
        tab,
        open: openTab,
        pass,
        starts,
        service,
      } = await unresolved({
        keepsKeys: false,
        faults: [{ work: false, answer: 'drop' }, { answer: 'drop' }],
      });
      const other = openTab();
      await pass(minute);
      assert.equal(other.states.at(-1), 'error task-outcome-unresolved');
      tab.at().retry();
      await pass(second);
      assert.equal(starts().length, 2);
      // It still shows the question about the first loss.
      other.at().retry();
      await pass(10 * minute);
      assert.equal(starts().length, 2);
      assert.equal(service.made.length, 1);
      assert.equal(tab.states.at(-1), 'error task-outcome-unresolved');
    });

    it('is asked about once more when the person decides: the service keeps keys by now', async () => {
      const { tab, pass, starts, service } = await unresolved({
        keepsKeys: false,
        faults: [{ answer: 'drop' }],
      });
      service.keepsKeys = true;
      tab.at().retry();
      await pass(second);
      assert.equal(tab.states.at(-1), 'started');
      assert.equal(new Set(starts()).size, 1);
      assert.equal(service.made.length, 1);
    });
  });

  describe('that is older than what hosts and services remember', () => {
    for (const [age, expected] of [
      [22 * hour, 'started'],
      [26 * hour, 'error task-outcome-unresolved'],
    ] as const) {
      it(`${age / hour} hours: ${expected}`, async () => {
        const opened = open();
        const { open: tab, pass, network, page, starts, service } = bound(opened);
        network.push('answer-lost');
        const first = tab();
        first.queue.add(job);
        await pass(100);
        first.close();
        page.clock.sleep(age);
        // As each store of the kit does when the next attempt comes.
        if (age > 25 * hour) opened.forget();
        const again = tab();
        await pass(5 * minute);
        assert.equal(again.states.at(-1), expected);
        assert.equal(service.made.length, 1);
        assert.equal(starts().length, 1);
      });
    }
  });

  describe('that another tab has given up', () => {
    it('is not sent', async () => {
      const { open: tab, pass, starts } = bound(open());
      const one = tab();
      const session = one.queue.add(job);
      // Before it has its lock.
      localStorage.removeItem(`clip-kit:create:${session.id}`);
      await pass(minute);
      assert.deepEqual(starts(), []);
      assert.deepEqual(one.queue.sessions, []);
    });

    it('while it waits for its turn, also in the other tab', async () => {
      const world = open({ faults: [{ workMs: 5 * second }] });
      const { open: tab, pass, service } = bound(world);
      // Both tabs have had an answer of the host.
      noteAccount(world.endpoint, makeAccountTag('ann'));
      const one = tab();
      one.queue.add(job);
      const waiting = one.queue.add({ ...job, source: 'https://videos.example/other.mp4' });
      await pass(second);
      const other = tab();
      const same = other.queue.sessions.find(({ id }) => id === waiting.id)!;
      same.cancel();
      other.queue.remove(same);
      await pass(minute);
      assert.deepEqual(
        service.made.map(({ source }) => source),
        [job.source],
      );
      assert.deepEqual(
        one.queue.sessions.map(({ phase }) => phase),
        ['started'],
      );
      assert.equal(readJob(waiting.id), null);
    });
  });

  describe('cancelled', () => {
    /** A job whose file has arrived, as a tab has stored it. */
    const arrived = (endpoint: string) => ({
      id: 'a'.repeat(24),
      endpoint,
      account: '',
      at: Date.now(),
      type: job.type,
      body: job.body,
      file: { name: 'talk.mp4', size: 1000, modified: 1 },
      seconds: null,
      uploadId: 'upload-1',
      sourceUrl: job.source as string,
      startSentAt: null,
      isPaused: false,
    });

    it('after its outcome was unknown, keeps the file', async () => {
      const opened = open({ keepsKeys: false, faults: [{ answer: 'drop' }] });
      const { pass, sent, service } = bound(opened);
      writeJob(arrived(opened.endpoint));
      const tab = opened.open();
      await pass(second);
      assert.equal(tab.states.at(-1), 'checking task-outcome-unknown');
      tab.at().cancel();
      await pass(minute);
      assert.equal(service.made.length, 1);
      assert.deepEqual(
        sent.filter((line) => line.startsWith('DELETE')),
        [],
      );
    });

    it('after a new try was refused, keeps the file of the first one', async () => {
      const opened = open({
        keepsKeys: false,
        faults: [{ answer: 'drop' }, { work: false, answer: 402 }],
      });
      const { pass, sent } = bound(opened);
      writeJob(arrived(opened.endpoint));
      const tab = opened.open();
      await pass(3 * minute);
      tab.at().retry();
      await pass(second);
      assert.equal(tab.states.at(-1), 'error task-limit');
      tab.at().cancel();
      await pass(minute);
      assert.deepEqual(
        sent.filter((line) => line.startsWith('DELETE')),
        [],
      );
    });

    it('after the plan refused it, is started by no reload, and by a click', async () => {
      const opened = open({ faults: [{ work: false, answer: 402 }] });
      const { pass, starts } = bound(opened);
      writeJob(arrived(opened.endpoint));
      const tab = opened.open();
      await pass(second);
      assert.equal(tab.states.at(-1), 'error task-limit');
      tab.close();
      const again = opened.open();
      await pass(minute);
      assert.equal(again.states.at(-1), 'paused');
      assert.equal(starts().length, 1);
      again.at().resume();
      await pass(second);
      assert.equal(again.states.at(-1), 'started');
      assert.equal(starts().length, 2);
    });

    it('after it was refused, removes the file', async () => {
      const opened = open({ faults: [{ work: false, answer: 402 }] });
      const { pass, sent } = bound(opened);
      writeJob(arrived(opened.endpoint));
      const tab = opened.open();
      await pass(second);
      tab.at().cancel();
      await pass(minute);
      assert.equal(sent.at(-1), 'DELETE /uploads/upload-1');
    });

    it('in a tab that waits while another has sent the start, keeps the file', async () => {
      const opened = open({ keepsKeys: false, faults: [{ answer: 'drop' }] });
      const { pass, sent } = bound(opened);
      writeJob(arrived(opened.endpoint));
      const tab = opened.open();
      const other = opened.open();
      await pass(second);
      assert.equal(tab.states.at(-1), 'checking task-outcome-unknown');
      assert.deepEqual([other.at().phase, other.at().mayHaveStarted], ['waiting', true]);
      other.at().cancel();
      await pass(minute);
      assert.deepEqual([tab.queue.sessions, readJob('a'.repeat(24))], [[], null]);
      assert.deepEqual(
        sent.filter((line) => line.startsWith('DELETE')),
        [],
      );
    });
  });
});

/** A world whose methods can be taken out of it. */
function bound(world: World) {
  return {
    ...world,
    service: world.service,
    open: () => world.open(),
    pass: (ms: number) => world.pass(ms),
    starts: () => world.starts(),
  };
}
