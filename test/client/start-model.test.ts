/**
 * A model of the start: tabs, clicks, reloads, lost answers, pages with and without memory, in
 * hundreds of orders (`npm run test:long`: thousands). The real `clip-host` runs over services
 * that are late and keep no keys, and without its keys as hosts that others write by hand. In each
 * order, one intent must be paid for only once, and every message to a person must be true.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ExportIntent } from '../../src/client/export-start.ts';
import { ExportSession } from '../../src/client/export-session.ts';
import { ExportWatcher } from '../../src/client/export-watcher.ts';
import { HostClient } from '../../src/client/host-client.ts';
import { noteRevision, getRevision } from '../../src/client/revisions.ts';
import { startWindowMs } from '../../src/contract/for-pages.ts';
import { LateService, type ListFault, type StartFault } from '../support/late-service.ts';
import { memoryStore } from '../../packages/host/src/index.ts';
import { LateHost } from '../support/late-host.ts';
import { longRun } from '../support/long-run.ts';
import type { VirtualClock } from '../support/virtual-clock.ts';
import { VirtualPage } from '../support/virtual-page.ts';

const second = 1000;
const minute = 60 * second;

/** One tab with one button. */
interface Tab {
  readonly session: ExportSession;
  readonly leave: () => void;
}

/** What happened in a run. */
interface Story {
  readonly paid: number;
  readonly steps: readonly string[];
}

/** How the service fails, and what lies between it and the page. */
interface World {
  /** Whether the service keeps keys. */
  readonly keepsKeys: boolean;
  /**
   * What becomes of keys at the host. `kept`: the real one. `silent`: it says nothing of them.
   * `none`: every start is a new one, and every question about one is answered `[]`. `ignored`: the
   * same, but `?attempt=` is read as a question about all of the user's exports.
   */
  readonly keys?: 'kept' | 'silent' | 'none' | 'ignored';
  /** Maximum time in which the service carries out a start. */
  readonly workMs?: number;
  /** Probability, 0 to 1, that a request of the page or its answer is lost. */
  readonly lost?: number;
  /** Whether pages can store attempts. Without, each reload and each tab knows nothing. */
  readonly remembers?: boolean;
  /** Whether people change the clip in the meantime. */
  readonly edits?: boolean;
  /** Whether the clock of the page's computer is set an hour forward or back. */
  readonly jumps?: boolean;
}

const apiKey = 'key-of-the-model';
/** Maximum time on the way to the host. */
const wayMs = 2 * second;
const lostConnection = () => new TypeError('connection lost');

/** Whether the host carries out each key once. */
const keepsKeys = ({ keys = 'kept' }: World) => keys === 'kept' || keys === 'silent';

/** The real host over a service that is late, fails after the work, or without it. */
class ModelHost {
  healthy = false;
  /** Of the clip's edit; null: exports have none, and never end. */
  revision: number | null = null;
  readonly #project: string;
  readonly #clock: VirtualClock;
  readonly #world: World;
  readonly #service: LateService;
  readonly #host: LateHost;

  constructor(clock: VirtualClock, world: World, project: string) {
    this.#clock = clock;
    this.#project = project;
    this.#world = world;
    const list: ListFault = {
      keepsKeys: world.keepsKeys,
      listLateMs: clock.random() < 0.5 ? 0 : clock.random() * 15_000,
      listCut: clock.random() < 0.1,
      listFails: clock.random() < 0.5 ? 0 : Math.floor(clock.random() * 4),
      hidesWatermark: clock.random() < 0.3,
    };
    this.#service = new LateService({
      apiKey,
      startOf: () => this.#fault(),
      listOf: () => list,
      editOf: () => (this.revision === null ? {} : { revision: this.revision, renderMs: 20_000 }),
    });
    this.#host = new LateHost(this.#service, apiKey, memoryStore());
  }

  /** The exports that were paid for. */
  get paid(): readonly { readonly revision?: number | undefined }[] {
    return this.#service.clipOf(this.#project).exports;
  }

  readonly fetch = async (input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> => {
    const { signal } = init;
    const answer = this.#answer(new URL(String(input)), init);
    answer.catch(() => {});
    const left = Promise.withResolvers<never>();
    left.promise.catch(() => {});
    if (signal?.aborted) left.reject(signal.reason as Error);
    signal?.addEventListener('abort', () => left.reject(signal.reason as Error), { once: true });
    return Promise.race([answer, left.promise]);
  };

  async #answer(url: URL, init: RequestInit): Promise<Response> {
    const { lost = 0.1 } = this.#world;
    const isStart = init.method === 'POST';
    await this.#pause(wayMs);
    if (this.#chance(lost)) throw lostConnection();
    const answer = this.#handle(url, init);
    if (isStart && this.#chance(0.1)) {
      answer.catch(() => {});
      await this.#pause(10_000);
      this.#host.restart();
      throw lostConnection();
    }
    // The browser itself sends a cut request again, which a host without keys cannot tell.
    if (isStart && keepsKeys(this.#world) && this.#chance(0.1))
      void this.#handle(url, init).catch(() => {});
    const response = await answer;
    await this.#pause(wayMs);
    if (this.#chance(lost)) throw lostConnection();
    return response;
  }

  /** What the host makes of the request: the real one, without the keys that the world's lacks. */
  async #handle({ pathname, searchParams }: URL, init: RequestInit): Promise<Response> {
    const { keys = 'kept' } = this.#world;
    const query = new URLSearchParams(searchParams);
    const headers = new Headers(init.headers);
    const isQuestion = query.has('attempt');
    if (keys === 'ignored' && isQuestion) {
      query.delete('attempt');
      query.set('project_id', this.#project);
    }
    if (!keepsKeys(this.#world) && init.method === 'POST') {
      headers.set('Idempotency-Key', `${this.#clock.random()}`.replace('.', '-').padEnd(24, '0'));
    }
    const response = await this.#host.answer('ann', `${pathname}?${query}`, { ...init, headers });
    const account = response.headers.get('Clip-Account');
    const answer = (body: unknown, status = 200) =>
      Response.json(body, { status, headers: account === null ? {} : { 'Clip-Account': account } });
    if (!isQuestion || !response.ok) return response;
    if (keys === 'none') return answer([]);
    return keys === 'silent' ? answer(await response.json()) : response;
  }

  #fault(): StartFault {
    const { workMs = 50 * second } = this.#world;
    const chance = this.healthy ? 0 : this.#clock.random();
    const work = this.#clock.random() * workMs;
    if (chance < 0.35) return { workMs: work / 10 };
    if (chance < 0.55) return { workMs: work / 10, answer: 'drop' };
    if (chance < 0.7) return { workMs: work, answer: chance < 0.62 ? 504 : 503 };
    if (chance < 0.8) return { workMs: work, answerMs: 90_000 };
    if (chance < 0.9) return { work: false, answer: 'drop' };
    return { work: false, answer: chance < 0.95 ? 503 : 402 };
  }

  #chance(share: number): boolean {
    return !this.healthy && this.#clock.random() < share;
  }

  #pause(maxMs: number): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, this.#clock.random() * maxMs));
  }
}

class Model {
  readonly page = new VirtualPage();
  readonly host: ModelHost;
  readonly #world: World;
  readonly #name: string;
  readonly #intent: ExportIntent;
  #opened = 0;
  readonly #tabs: Tab[] = [];
  readonly #steps: string[] = [];
  /** How often a person has decided, after a loss, that another try may cost another export. */
  #decisions = 0;

  constructor(seed: number, world: World) {
    this.#world = world;
    this.#name = `intent-${seed}-${JSON.stringify(world)}`;
    const { clock } = this.page;
    // Each seed is another order, because it starts at another position of the random numbers.
    for (let at = 0; at < seed * 31; at++) clock.random();
    // A clip of its own, because a page keeps the revisions that it knows.
    const project = `clip ${this.#name}`;
    this.#intent = { project, folder: null, options: {}, exportId: null };
    this.host = new ModelHost(clock, world, project);
    if (world.edits) this.host.revision = 1;
  }

  #open(): void {
    const client = new HostClient({ endpoint: 'https://h.test/clips', fetch: this.host.fetch });
    const session = new ExportSession(
      client,
      new ExportWatcher(client),
      this.#intent,
      (this.#world.remembers ?? true) ? this.#name : `${this.#name}-${this.#opened++}`,
      () => {},
    );
    const leave = session.listen(() => this.#update(session));
    this.#tabs.push({ session, leave });
  }

  #update({ state: { status, error } }: ExportSession): void {
    this.#steps.push(
      `${Math.round(this.page.clock.time / second) % 100_000}: ${status} ${error?.code ?? ''}`,
    );
    // With a host that stores keys, a late start is still found and does not count as a second one.
    if (error?.code === 'export-not-started') {
      assert.equal(this.#world.keys ?? 'kept', 'kept', 'only a promise can say so');
    }
  }

  /** The clip is edited, perhaps elsewhere; or this page reads its revision. */
  #edit(): void {
    const { clock } = this.page;
    const { project } = this.#intent;
    const isElsewhere = clock.random() < 0.5;
    if (clock.random() < 0.7) this.host.revision!++;
    if (!isElsewhere) noteRevision(project, this.host.revision);
    this.#steps.push(`edit: ${this.host.revision}, known: ${getRevision(project)}`);
  }

  #act(): void {
    const { clock } = this.page;
    if (this.#world.edits && clock.random() < 0.25) return this.#edit();
    if (this.#world.jumps && clock.random() < 0.2) {
      const hours = Math.floor(clock.random() * 3) - 1;
      this.#steps.push(`the clock is ${hours} h wrong`);
      return clock.setWrong(hours * 60 * minute);
    }
    const at = Math.floor(clock.random() * this.#tabs.length);
    const tab = this.#tabs[at];
    const chance = clock.random();
    if (!tab || (chance < 0.1 && this.#tabs.length < 3)) return this.#open();
    const { status } = tab.session.state;
    if (chance < 0.55) {
      this.#steps.push(`tab ${at}: click in ${status}`);
      // As the button does it: start if a start may be sent, otherwise use the retry button.
      const mayStart = status === 'idle' || status === 'limit' || tab.session.isOutdated;
      if (tab.session.state.error?.code === 'export-outcome-unresolved') this.#decisions++;
      if (mayStart) void tab.session.start();
      else if (status === 'error' || status === 'unknown') void tab.session.retry();
    } else if (chance < 0.85) {
      this.#steps.push(`tab ${at}: reload in ${status}`);
      tab.leave();
      this.#tabs.splice(at, 1);
      this.#open();
    } else if (chance < 0.92 && this.#tabs.length > 1) {
      tab.leave();
      this.#tabs.splice(at, 1);
    } else this.page.focus();
  }

  async run(): Promise<Story> {
    const { clock } = this.page;
    try {
      for (let at = 0; at < 1 + clock.random() * 3; at++) this.#open();
      const steps = 6 + clock.random() * 14;
      for (let at = 0; at < steps; at++) {
        this.#act();
        // Often at the same time, before any tab hears of another; sometimes after a while.
        if (clock.random() < 0.3) continue;
        await clock.pass(clock.random() ** 5 * 40 * second);
        this.#judge();
      }
      // At the end the network works, and every tab settles.
      this.host.healthy = true;
      const rests = () =>
        this.#tabs.every(
          ({ session: { state } }) => state.status !== 'starting' && state.status !== 'unknown',
        );
      // Tabs that clicked at the same time take turns, and each may have to wait for the window.
      await clock.passUntil(rests, 5 * startWindowMs + 2 * minute);
      // Everything that still runs anywhere comes to its end.
      await clock.pass(startWindowMs);
      this.#judge();
      this.#judgeFiles();
      return { paid: this.host.paid.length, steps: this.#steps };
    } catch (cause) {
      throw new Error(`${(cause as Error).message}\n${this.#steps.join('\n')}`, { cause });
    } finally {
      for (const { leave } of this.#tabs) leave();
      await clock.pass(0);
      this.page.close();
    }
  }

  /** No second start of a revision unless the contract allows one. */
  #judge(): void {
    const revisions = this.host.paid.map(({ revision }) => revision);
    const again = revisions.length - new Set(revisions).size;
    // A host without keys pays for what a person has decided, and for nothing else.
    const decided = keepsKeys(this.#world) ? 0 : this.#decisions;
    assert.ok(again <= decided, `paid for: ${revisions.join(', ')}; decisions: ${decided}`);
  }

  /** A tab that has nothing more to offer shows the newest revision that the page knows of. */
  #judgeFiles(): void {
    for (const { session } of this.#tabs) {
      const { status, export: one } = session.state;
      if (status !== 'ready' || session.isOutdated) continue;
      assert.ok(
        one!.revision! >= getRevision(this.#intent.project),
        'an older file is shown as new',
      );
    }
  }
}

const services: readonly World[] = [{ keepsKeys: false }, { keepsKeys: true }];
const byHand: Readonly<Record<string, World>> = {
  'that keeps keys without a word': { keepsKeys: true, keys: 'silent' },
  'that keeps no keys': { keepsKeys: false, keys: 'none' },
  'that keeps no keys, and is slow': { keepsKeys: false, keys: 'none', workMs: 90 * second },
  'that keeps no keys, and loses most answers': { keepsKeys: false, keys: 'none', lost: 0.6 },
  'that keeps no keys, under clocks that jump': { keepsKeys: false, keys: 'none', jumps: true },
  'that ignores ?attempt=': { keepsKeys: false, keys: 'ignored' },
};

const worlds: readonly (readonly [name: string, world: World])[] = [
  ...services.flatMap((one) =>
    [true, false].flatMap((remembers) =>
      [false, true].map((edits) => {
        const name = [
          `clip-host over a service ${one.keepsKeys ? 'that keeps keys' : 'without keys'}`,
          ...(remembers ? [] : ['pages that remember nothing']),
          ...(edits ? ['while people edit'] : []),
        ].join(', ');
        return [name, { ...one, remembers, edits }] as const;
      }),
    ),
  ),
  ...Object.entries(byHand).map(([name, world]) => [`a host ${name}`, world] as const),
  ...['that keeps keys without a word', 'that keeps no keys'].map(
    (name) => [`a host ${name}, while people edit`, { ...byHand[name]!, edits: true }] as const,
  ),
];

const runs = Number(process.env['MODEL_RUNS'] ?? (longRun ? 400 : 16));

async function paidIn(world: World): Promise<number> {
  let paid = 0;
  for (let seed = 1; seed <= runs; seed++) paid += (await new Model(seed, world).run()).paid;
  return paid;
}

// Before the first test is declared: from then on the test runner follows every promise, which
// takes more time than the model itself.
const ended: { name: string; outcome: PromiseSettledResult<number> }[] = [];
for (const [name, world] of worlds) {
  const [outcome] = await Promise.allSettled([paidIn(world)]);
  ended.push({ name, outcome });
}

describe(`the start, in ${runs} orders a host`, () => {
  for (const { name, outcome } of ended) {
    it(`${name}: one intent is paid for once`, () => {
      if (outcome.status === 'rejected') throw outcome.reason;
      // The model is useless if nothing happens in it.
      assert.ok(outcome.value > runs / 4, `${outcome.value} exports in ${runs} orders`);
    });
  }
});
