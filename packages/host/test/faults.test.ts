/**
 * The host with a service that fails, in virtual time. docs/decisions/0020 says what it must do:
 * whatever fails, one export is paid for.
 */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { Export, Problem } from 'clip-kit/contract';
import type { Fault, Order } from 'clip-testkit/fake-service-failures';
import { FakeService, type FakeServiceOptions } from 'clip-testkit/fake-service';
import { HostWorld } from 'clip-testkit/host-world';
import { VirtualClock } from 'clip-testkit/virtual-clock';

const busy = { status: 503 };
const timeout = { status: 504 };
const refusal = { status: 402 };
const lost = { how: 'drop' } as const;
const drop = { ...lost, acts: true } as const;
const watermark = { src_url: 'https://example.com/watermark.png' };

type StartAnswer = Partial<Omit<Problem, 'status'> & Pick<Export, 'id'>>;

/** What a page learns from an answer. `question`: a person must decide. */
type Outcome = 'export' | 'unknown' | 'in-progress' | 'question' | 'refused' | 'failed';

/** What becomes of the starts, in their order (later ones work), and how the service lists. */
interface Faults extends FakeServiceOptions {
  readonly starts: readonly Fault[];
  /** How many requests for the list fail first. */
  readonly listFails?: number;
}

class Page {
  readonly host: HostWorld;
  readonly #clock: VirtualClock;
  readonly #project_id: string;
  #lastStartAt = 0;
  /** The export of each key. */
  readonly #exports: Record<string, string> = {};
  /** The start of which a person was last asked. */
  #startedAt: string | undefined;

  private constructor(clock: VirtualClock, host: HostWorld, project_id: string) {
    this.#clock = clock;
    this.host = host;
    this.#project_id = project_id;
  }

  static async open(clock: VirtualClock, { starts, listFails = 0, ...variant }: Faults) {
    const service = new FakeService(variant);
    const host = new HostWorld(service);
    const page = new Page(clock, host, await host.clip());
    service.order(
      ...starts.map((fault) => ({ ...fault, method: 'POST', path: /exports$/ }) as const),
      ...new Array<Order>(listFails).fill({ method: 'GET', path: /^\/exports$/, how: busy }),
    );
    service.onRequest = ({ method }) => {
      if (method === 'POST') page.#lastStartAt = Date.now();
    };
    return page;
  }

  async start(key: string, wanted: readonly Outcome[], isConfirmed = false): Promise<void> {
    const body = {
      project_id: this.#project_id,
      ...(key === 'b' && { watermark }),
      ...(isConfirmed && { confirmed_start: this.#startedAt }),
    };
    let found: Outcome | null = null;
    const sent = { body, key: `attempt-${key}` };
    void this.host.call('POST', '/clips/exports', sent).then(async (response) => {
      const json = (await response.json()) as StartAnswer;
      found = this.#read(key, response.status, json);
    });
    if (!wanted.length) return;
    await this.#clock.passUntil(() => found !== null, 600_000);
    assert.ok(wanted.includes(found!), `start ${key}: ${found}, not ${wanted.join(' or ')}`);
  }

  /** Waits until so many seconds after the last start has reached the service. */
  waitUntil(seconds: number): Promise<void> {
    return this.#clock.pass(this.#lastStartAt + seconds * 1000 - Date.now());
  }

  /** Kills the host when its start is at the service. */
  async startAndKill(): Promise<void> {
    void this.start('a', []);
    await this.#clock.passUntil(() => this.#lastStartAt > 0, 1000);
    this.host.restart();
  }

  #read(key: string, status: number, json: StartAnswer): Outcome {
    if (status >= 500) return json.unknown_outcome ? 'unknown' : 'failed';
    if (json.code === 'in-progress') return 'in-progress';
    if (json.code === 'outcome-unknown') {
      this.#startedAt = json.started_at;
      return 'question';
    }
    if (status >= 400) return 'refused';
    assert.equal(json.id, (this.#exports[key] ??= json.id!), 'another export than before');
    return 'export';
  }
}

/**
 * Steps, and what a page may learn of each: `start`, `start twice` or `confirm` (a start that a
 * person wants after a question) with a key, `N s later` than the last start that has arrived,
 * `kill during start`.
 */
const cases: readonly [title: string, faults: Faults, steps: string][] = [
  ['an answered start', { starts: [{}] }, 'start a: export, start a: export'],
  [
    'the connection breaks after the work',
    { starts: [drop] },
    'start a: unknown, start a: export, start a: export',
  ],
  [
    'a 504 comes while the service goes on working',
    { starts: [{ acts: true, workMs: 10_000, how: timeout }] },
    'start a: unknown, start a: in-progress, 12 s later, start a: export',
  ],
  [
    'the host’s own time-out comes while the service goes on working',
    { starts: [{ workMs: 35_000, answerMs: 90_000 }] },
    'start a: unknown or export, 95 s later, start a: export',
  ],
  [
    'a 503 comes before the work, and nothing is done',
    { starts: [{ how: busy }] },
    'start a: unknown, 100 s later, start a: in-progress, 125 s later, start a: question, confirm a: export, start a: export',
  ],
  [
    'the connection breaks before the work, and so it does after the person’s decision',
    { starts: [lost, lost] },
    'start a: unknown, 125 s later, start a: question, confirm a: unknown, confirm a: in-progress, 125 s later, confirm a: question, confirm a: export',
  ],
  ['the service refuses', { starts: [{ how: refusal }] }, 'start a: refused, start a: export'],
  [
    'the service keeps keys, and the connection breaks after the work',
    { keepsKeys: true, starts: [drop] },
    'start a: unknown, start a: export',
  ],
  [
    'the service keeps keys, and a 503 comes before the work',
    { keepsKeys: true, starts: [{ how: busy }] },
    'start a: unknown, start a: export',
  ],
  [
    'the service keeps keys, and a 504 comes while it goes on working',
    { keepsKeys: true, starts: [{ acts: true, workMs: 8000, how: timeout }] },
    'start a: unknown, start a: export or unknown, 12 s later, start a: export',
  ],
  [
    'the list shows a new export late',
    { listLateMs: 10_000, starts: [drop] },
    'start a: unknown, start a: in-progress, 12 s later, start a: export',
  ],
  [
    'the list is cut, and what is missing is on the next page',
    { pages: 'empty-first', starts: [drop] },
    'start a: unknown, start a: in-progress or export, 125 s later, start a: question or export',
  ],
  [
    'the list fails while the outcome is open',
    { listFails: 2, starts: [drop] },
    'start a: unknown, start a: failed, start a: failed, start a: export',
  ],
  [
    'one request arrives twice at once',
    { starts: [{ workMs: 500, answerMs: 500 }] },
    'start twice a: export, start a: export',
  ],
  [
    'a plain start never arrives, and one with a watermark is lost',
    { starts: [lost, drop] },
    'start a: unknown, start b: unknown, start a: in-progress, start b: export',
  ],
  [
    'two lost starts, and one export that either may have started',
    { hidesWatermark: true, starts: [lost, drop] },
    'start a: unknown, start b: unknown, start a: in-progress, 125 s later, start a: question, start b: question',
  ],
  [
    'a late refusal of one key after another start',
    { starts: [{}, { how: refusal }] },
    'start a: export, start b: refused, start a: export',
  ],
  [
    'the host is killed during a start, and the service goes on working',
    { starts: [{ workMs: 3000, answerMs: 60_000 }] },
    'kill during start, start a: in-progress or export, 8 s later, start a: export',
  ],
  [
    'the host is killed during a start that never arrives',
    { starts: [{ how: busy, answerMs: 60_000 }] },
    'kill during start, start a: in-progress, 130 s later, start a: question, confirm a: export',
  ],
];

async function take(page: Page, step: string): Promise<void> {
  if (step === 'kill during start') return page.startAndKill();
  const [what = '', outcomes = ''] = step.split(': ');
  const [seconds] = what.split(' s later');
  if (!outcomes) return page.waitUntil(Number(seconds));
  const key = what.at(-1)!;
  const wanted = outcomes.split(' or ') as Outcome[];
  await Promise.all(
    Array.from({ length: what.includes('twice') ? 2 : 1 }, () =>
      page.start(key, wanted, what.startsWith('confirm')),
    ),
  );
}

describe('the host, with a service that fails', () => {
  const clock = new VirtualClock();
  beforeEach(() => clock.install());
  afterEach(() => clock.uninstall());

  for (const [title, faults, steps] of cases) {
    it(title, async () => {
      const page = await Page.open(clock, faults);
      for (const step of steps.split(', ')) await take(page, step);
      assert.equal(page.host.service.world.exports.size, 1, 'exports that were paid for');
      await page.host.close();
    });
  }
});
