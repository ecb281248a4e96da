/**
 * A model of the start: tabs, clicks, reloads, lost answers, pages with and without memory, in
 * hundreds of orders (`npm run test:long`: thousands). The real `clip-host` runs over services
 * that are late, with and without attempt keys. In each order, one intent must be paid for only
 * once, unless a person has decided that another try may cost another export.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Export } from '../../src/contract/export.ts';
import { ClipExport, type ExportIntent } from '../../src/client/clip-export.ts';
import { ExportWatcher } from '../../src/client/export-watcher.ts';
import { HostClient } from '../../src/client/host-client.ts';
import { noteRevision, getRevision } from '../../src/client/revisions.ts';
import { startWindowMs } from '../../packages/host/src/paid-starts/paid-starts.ts';
import type { Project } from '../../src/contract/project.ts';
import type { Fault } from 'clip-testkit/fake-service-failures';
import { FakeService } from 'clip-testkit/fake-service';
import { HostWorld } from 'clip-testkit/host-world';
import { longRun } from 'clip-testkit/long-run';
import type { VirtualClock } from 'clip-testkit/virtual-clock';
import { VirtualPage } from '../support/virtual-page.ts';

const second = 1000;
const minute = 60 * second;

/** One tab with one button. */
interface Tab {
  readonly clipExport: ClipExport;
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
  /** Maximum time in which the service carries out a start. */
  readonly workMs?: number;
  /** Probability, 0 to 1, that a request of the page or its answer is lost. */
  readonly lost?: number;
  /** Whether pages can store starts. Without, each reload and each tab knows nothing. */
  readonly remembers?: boolean;
  /** Whether people change the clip in the meantime. */
  readonly edits?: boolean;
  /** Whether the clock of the page's computer is set an hour forward or back. */
  readonly jumps?: boolean;
}

/** Maximum time on the way to the host. */
const wayMs = 2 * second;
const busy = { status: 503 };
const timeout = { status: 504 };
const refusal = { status: 402 };
const lostConnection = () => new TypeError('connection lost');

/** The real host over a service that is late, fails after the work, or without it. */
class ModelHost {
  healthy = false;
  /** If it has a revision, its exports become ready. */
  readonly project: Project;
  readonly #clock: VirtualClock;
  readonly #world: World;
  readonly #host: HostWorld;
  #listFails = 0;

  private constructor(clock: VirtualClock, world: World, host: HostWorld, project: Project) {
    this.#clock = clock;
    this.#world = world;
    this.#host = host;
    this.project = project;
  }

  static async open(clock: VirtualClock, world: World): Promise<ModelHost> {
    const now = () => clock.time;
    const service = new FakeService({
      now,
      keepsKeys: world.keepsKeys,
      listLateMs: clock.random() < 0.5 ? 0 : clock.random() * 15_000,
      pages: clock.random() < 0.1 ? 'empty-first' : 'yes',
      hidesWatermark: clock.random() < 0.3,
    });
    const host = new HostWorld(service, { now });
    const project = service.world.projects.get(await host.clip())!;
    if (world.edits) project.revision = 1;
    const model = new ModelHost(clock, world, host, project);
    model.#listFails = clock.random() < 0.5 ? 0 : Math.floor(clock.random() * 4);
    service.onRequest = ({ method, query }) => {
      model.#render();
      if (method === 'POST') return model.#fault();
      if (query.includes('project_id') && model.#listFails-- > 0) return { how: busy };
    };
    return model;
  }

  /** The exports that were paid for. */
  get paid(): readonly Export[] {
    return [...this.#host.service.world.exports.values()];
  }

  /** Exports of a revision take 20 s. */
  #render(): void {
    for (const { id, status, created_at, revision } of this.paid) {
      const isDue = this.#clock.time >= Date.parse(created_at) + 20 * second;
      if (revision !== undefined && isDue && status === 'processing')
        this.#host.service.world.finish(id);
    }
  }

  close(): Promise<void> {
    return this.#host.close();
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
    const { pathname, search } = url;
    const handle = () => this.#host.fetch(pathname + search, init);
    const answer = handle();
    if (isStart && this.#chance(0.1)) {
      answer.catch(() => {});
      await this.#pause(10_000);
      this.#host.restart();
      throw lostConnection();
    }
    // The browser itself sends a cut request again.
    if (isStart && this.#chance(0.1)) void handle().catch(() => {});
    const response = await answer;
    await this.#pause(wayMs);
    if (this.#chance(lost)) throw lostConnection();
    return response;
  }

  #fault(): Fault {
    const { workMs = 50 * second } = this.#world;
    const chance = this.healthy ? 0 : this.#clock.random();
    const work = this.#clock.random() * workMs;
    if (chance < 0.35) return { workMs: work / 10 };
    if (chance < 0.55) return { acts: true, workMs: work / 10, how: 'drop' };
    if (chance < 0.7) return { acts: true, workMs: work, how: chance < 0.62 ? timeout : busy };
    if (chance < 0.8) return { workMs: work, answerMs: 90_000 };
    if (chance < 0.9) return { how: 'drop' };
    return { how: chance < 0.95 ? busy : refusal };
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
  host!: ModelHost;
  readonly #world: World;
  readonly #name: string;
  #intent!: ExportIntent;
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
  }

  #open(): void {
    const client = new HostClient({ endpoint: 'https://h.test/clips', fetch: this.host.fetch });
    const clipExport = new ClipExport(
      client,
      new ExportWatcher(client),
      this.#intent,
      (this.#world.remembers ?? true) ? this.#name : `${this.#name}-${this.#opened++}`,
      () => {},
    );
    const leave = clipExport.listen(() => this.#update(clipExport));
    this.#tabs.push({ clipExport, leave });
  }

  #update({ state: { status, error } }: ClipExport): void {
    this.#steps.push(
      `${Math.round(this.page.clock.time / second) % 100_000}: ${status} ${error?.code ?? ''}`,
    );
  }

  /** The clip is edited, perhaps elsewhere; or this page reads its revision. */
  #edit(): void {
    const { clock } = this.page;
    const { project } = this.host;
    const isElsewhere = clock.random() < 0.5;
    if (clock.random() < 0.7) project.revision!++;
    if (!isElsewhere) noteRevision(project.id, project.revision);
    this.#steps.push(`edit: ${project.revision}, known: ${getRevision(project.id)}`);
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
    const { status } = tab.clipExport.state;
    if (chance < 0.55) {
      this.#steps.push(`tab ${at}: click in ${status}`);
      // As the button does it: start if a start may be sent, otherwise use the retry button.
      const mayStart = status === 'idle' || status === 'limit' || tab.clipExport.isOutdated;
      if (tab.clipExport.state.error?.code === 'export-outcome-unresolved') this.#decisions++;
      if (mayStart) void tab.clipExport.start();
      else if (status === 'error' || status === 'unknown') void tab.clipExport.retry();
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
      this.host = await ModelHost.open(clock, this.#world);
      const project = this.host.project.id;
      this.#intent = { project, folder: null, options: {}, exportId: null };
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
          ({ clipExport: { state } }) => state.status !== 'starting' && state.status !== 'unknown',
        );
      // Tabs that clicked at the same time take turns, and each may have to wait for the window.
      await clock.passUntil(rests, 5 * startWindowMs + 2 * minute);
      // Everything that still runs anywhere comes to its end.
      await clock.pass(startWindowMs);
      this.#judge();
      this.#judgeFiles();
      await this.host.close();
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
    // A service without keys is paid for what a person has decided, and for nothing else.
    const decided = this.#world.keepsKeys ? 0 : this.#decisions;
    assert.ok(again <= decided, `paid for: ${revisions.join(', ')}; decisions: ${decided}`);
  }

  /** A tab that has nothing more to offer shows the newest revision that the page knows of. */
  #judgeFiles(): void {
    for (const { clipExport } of this.#tabs) {
      const { status, export: one } = clipExport.state;
      if (status !== 'ready' || clipExport.isOutdated) continue;
      assert.ok(
        one!.revision! >= getRevision(this.#intent.project),
        'an older file is shown as new',
      );
    }
  }
}

const services: readonly World[] = [{ keepsKeys: false }, { keepsKeys: true }];
const keyless: Readonly<Record<string, World>> = {
  'is slow': { keepsKeys: false, workMs: 90 * second },
  'loses most answers': { keepsKeys: false, lost: 0.6 },
  'is asked under clocks that jump': { keepsKeys: false, jumps: true },
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
  ...Object.entries(keyless).map(([name, world]) => {
    return [`clip-host over a service without keys that ${name}`, world] as const;
  }),
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
