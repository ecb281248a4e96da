/**
 * A model of the start: tabs, clicks, reloads, lost answers, pages with and without memory, in
 * hundreds of orders (`npm run test:long`: thousands). The real `clip-kit/host` runs over services
 * that are late and keep no keys; hosts that others write by hand are models. In each order, one
 * intent must be paid for only once, and every message to a person must be true.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ExportIntent } from '../../src/client/export-intent.ts';
import { ExportSession } from '../../src/client/export-session.ts';
import { ExportWatcher } from '../../src/client/export-watcher.ts';
import { HostClient } from '../../src/client/host-client.ts';
import { noteRevision, revisionOf } from '../../src/client/revisions.ts';
import { startWindowMs } from '../../src/contract/attempt-lifetime.ts';
import { longRun } from '../support/long-run.ts';
import { ModelHost, type HostBehaviour } from '../support/model-host.ts';
import { ModelRealHost, type ServiceBehaviour } from '../support/model-real-host.ts';
import { VirtualPage } from '../support/virtual-page.ts';

const second = 1000;
const minute = 60 * second;

/** One tab with one button. */
interface Tab {
  readonly session: ExportSession;
  readonly life: AbortController;
}

/** What happened in a run. */
interface Story {
  readonly paid: number;
  readonly steps: readonly string[];
}

/** A host of the model. */
interface World {
  /** A host by hand, or the service behind the real host. */
  readonly host: HostBehaviour | ServiceBehaviour;
  /** Whether pages can store attempts. Without, each reload and each tab knows nothing. */
  readonly remembers: boolean;
  /** Whether people change the clip in the meantime. */
  readonly edits?: boolean;
}

class Model {
  readonly page = new VirtualPage();
  readonly host: ModelHost | ModelRealHost;
  readonly #world: World;
  readonly #name: string;
  readonly #intent: ExportIntent;
  #opened = 0;
  readonly #tabs: Tab[] = [];
  readonly #steps: string[] = [];
  /** When a person was told that another try may cost another export. */
  #warnedAt: number | null = null;

  constructor(seed: number, world: World) {
    this.#world = world;
    this.#name = `intent-${seed}-${JSON.stringify(world)}`;
    const { clock } = this.page;
    // Each seed is another order, because it starts at another position of the random numbers.
    for (let at = 0; at < seed * 31; at++) clock.random();
    const { host } = world;
    // A clip of its own, because a page keeps the revisions that it knows.
    const project = `clip ${this.#name}`;
    this.#intent = { project, folder: null, options: {}, exportId: null };
    this.host =
      'lists' in host
        ? new ModelHost(clock, host, 'other-clip')
        : new ModelRealHost(clock, host, project);
    if (world.edits) this.host.revision = 1;
  }

  /** The host carries out each key once. */
  get #keeps(): boolean {
    const { host } = this.#world;
    return !('lists' in host) || host.keys === 'kept' || host.keys === 'silent';
  }

  #open(): void {
    const client = new HostClient({ endpoint: 'https://h.test/clips', fetch: this.host.fetch });
    const life = new AbortController();
    const session = new ExportSession(
      client,
      new ExportWatcher(client),
      this.#intent,
      this.#world.remembers ? this.#name : `${this.#name}-${this.#opened++}`,
      () => {},
    );
    session.listen(() => this.#update(session), life.signal);
    this.#tabs.push({ session, life });
  }

  #update({ state: { status, error } }: ExportSession): void {
    const { host } = this.#world;
    this.#steps.push(
      `${Math.round(this.page.clock.time / second) % 100_000}: ${status} ${error?.code ?? ''}`,
    );
    if (error?.code === 'export-outcome-unresolved') {
      this.#warnedAt = this.page.clock.time;
    }
    // With a host that stores keys, a late start is still found and does not count as a second one.
    if (error?.code === 'export-not-started') {
      assert.ok(!('lists' in host) || host.keys === 'kept', 'only a promise can say so');
    }
  }

  /** Somebody changes the clip, perhaps elsewhere; or this page reads or hears of it. */
  #edit(): void {
    const { clock } = this.page;
    const { project } = this.#intent;
    const isElsewhere = clock.random() < 0.5;
    if (clock.random() < 0.7) this.host.revision!++;
    if (!isElsewhere) noteRevision(project, this.host.revision);
    this.#steps.push(`edit: ${this.host.revision}, known: ${revisionOf(project)}`);
  }

  #act(): void {
    const { clock } = this.page;
    if (this.#world.edits && clock.random() < 0.25) return this.#edit();
    const at = Math.floor(clock.random() * this.#tabs.length);
    const tab = this.#tabs[at];
    const chance = clock.random();
    if (!tab || (chance < 0.1 && this.#tabs.length < 3)) return this.#open();
    const { status } = tab.session.state;
    if (chance < 0.55) {
      this.#steps.push(`tab ${at}: click in ${status}`);
      // As the button does it: start if a start may be sent, otherwise use the retry button.
      const mayStart = status === 'idle' || status === 'limit' || tab.session.isOutdated;
      if (mayStart) void tab.session.start();
      else if (status === 'error' || status === 'unknown') void tab.session.retry();
    } else if (chance < 0.85) {
      this.#steps.push(`tab ${at}: reload in ${status}`);
      tab.life.abort();
      this.#tabs.splice(at, 1);
      this.#open();
    } else if (chance < 0.92 && this.#tabs.length > 1) {
      tab.life.abort();
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
      for (const { life } of this.#tabs) life.abort();
      await clock.pass(0);
      this.page.close();
    }
  }

  /** No second start of a revision unless the contract allows one. */
  #judge(): void {
    const revisions = this.host.paid.map(({ revision }) => revision);
    const isTwice = new Set(revisions).size < revisions.length;
    if (this.#keeps) assert.ok(!isTwice, `paid for: ${revisions.join(', ')}`);
    else if (isTwice) {
      assert.ok(this.#warnedAt !== null, 'paid again without a word of what it may cost');
    }
  }

  /** A tab that has nothing more to offer shows the newest revision that the page knows of. */
  #judgeFiles(): void {
    for (const { session } of this.#tabs) {
      const { status, export: one } = session.state;
      if (status !== 'ready' || session.isOutdated) continue;
      assert.ok(
        one!.revision! >= revisionOf(this.#intent.project),
        'an older file is shown as new',
      );
    }
  }
}

const usual = { lists: true, lost: 0.15, answerLost: 0.4, fails: 0.1, wayMs: 2 * second };
const hosts: Readonly<Record<string, HostBehaviour>> = {
  'that keeps keys': { ...usual, keys: 'kept', workMs: 20 * second },
  'that keeps keys, and is slow': { ...usual, keys: 'kept', workMs: 90 * second },
  'that keeps keys and lists nothing': {
    ...usual,
    keys: 'kept',
    lists: false,
    workMs: 20 * second,
  },
  'that keeps keys without a word': { ...usual, keys: 'silent', workMs: 20 * second },
  'that keeps keys without a word and lists nothing': {
    ...usual,
    keys: 'silent',
    lists: false,
    workMs: 20 * second,
  },
  'that keeps no keys': { ...usual, keys: 'none', workMs: 20 * second },
  'that keeps no keys, and is slow': { ...usual, keys: 'none', workMs: 90 * second },
  'that keeps no keys, and loses most answers': {
    ...usual,
    keys: 'none',
    workMs: 5 * second,
    answerLost: 0.9,
  },
  'that keeps no keys and lists nothing': {
    ...usual,
    keys: 'none',
    lists: false,
    workMs: 20 * second,
  },
  'that ignores ?attempt=': { ...usual, keys: 'ignored', workMs: 20 * second },
};

const service = { lost: 0.1, wayMs: 2 * second, workMs: 50 * second, killed: 0.1 };
const real: Readonly<Record<string, ServiceBehaviour>> = {
  'over a service without keys': { ...service, keepsKeys: false },
  'over a service that keeps keys': { ...service, keepsKeys: true },
};

const worlds: readonly (readonly [name: string, world: World])[] = [
  ...Object.entries(real).flatMap(([name, host]) => [
    [`clip-kit/host ${name}`, { host, remembers: true }] as const,
    [`clip-kit/host ${name}, pages that remember nothing`, { host, remembers: false }] as const,
  ]),
  ...Object.entries(hosts).map(
    ([name, host]) => [`a host ${name}`, { host, remembers: true }] as const,
  ),
  ...Object.entries(real).flatMap(([name, host]) =>
    [true, false].map((remembers) => {
      const pages = remembers ? '' : ', pages that remember nothing';
      const world = { host, remembers, edits: true };
      return [`clip-kit/host ${name}${pages}, while people edit`, world] as const;
    }),
  ),
  ...['that keeps keys', 'that keeps keys without a word', 'that keeps no keys'].map(
    (name) =>
      [
        `a host ${name}, while people edit`,
        { host: hosts[name]!, remembers: true, edits: true },
      ] as const,
  ),
];

const runs = Number(process.env['MODEL_RUNS'] ?? (longRun ? 400 : 40));

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
      assert.ok(outcome.value > runs / 3, `${outcome.value} exports in ${runs} orders`);
    });
  }
});
