/**
 * The host with a service that fails, in virtual time. docs/decisions/0020 says what it must do:
 * whatever fails, one export is paid for.
 */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { LateHost } from '../../../test/support/late-host.ts';
import { type Clip, LateService, type ServiceFaults } from '../../../test/support/late-service.ts';
import { VirtualClock } from '../../../test/support/virtual-clock.ts';
import { memoryStore } from '../src/index.ts';

const apiKey = 'key-of-the-late-service';
const project_id = 'clip';
const watermark = { src_url: 'https://example.com/watermark.png' };

/** What a page learns from an answer. */
type Outcome = 'export' | 'unknown' | 'in-flight' | 'nothing' | 'no-promise' | 'refused' | 'failed';

class Page {
  readonly clip: Clip;
  readonly host: LateHost;
  readonly #clock: VirtualClock;
  /** The export of each key. */
  readonly #exports: Record<string, string> = {};

  constructor(clock: VirtualClock, faults: ServiceFaults) {
    const service = new LateService({
      apiKey,
      startOf: (_, number) => faults.starts[number] ?? {},
      listOf: () => faults,
    });
    this.#clock = clock;
    this.host = new LateHost(service, apiKey, memoryStore());
    this.clip = service.clipOf(project_id);
  }

  start(key: string, ...wanted: Outcome[]): Promise<void> {
    return this.#send(key, wanted, 'POST', { project_id, ...(key === 'b' && { watermark }) });
  }

  ask(key: string, ...wanted: Outcome[]): Promise<void> {
    return this.#send(key, wanted, 'GET');
  }

  /** Waits until so many seconds after the last start has reached the service. */
  waitUntil(seconds: number): Promise<void> {
    return this.#clock.pass(this.clip.lastStartAt + seconds * 1000 - Date.now());
  }

  /** Kills the host when its start is at the service. */
  async startAndKill(): Promise<void> {
    void this.start('a');
    await this.#clock.passUntil(() => this.clip.starts > 0, 1000);
    this.host.restart();
  }

  async #send(key: string, wanted: Outcome[], method: string, body?: object): Promise<void> {
    const attempt = `attempt-${key}`;
    const path = method === 'GET' ? `/clips/exports?attempt=${attempt}` : '/clips/exports';
    let found: Outcome | null = null;
    const headers: HeadersInit = body ? { 'Idempotency-Key': attempt } : {};
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    void this.host.answer('ann', path, init).then(async (response) => {
      found = this.#read(key, attempt, response, await response.json());
    });
    if (!wanted.length) return;
    await this.#clock.passUntil(() => found !== null, 600_000);
    assert.ok(wanted.includes(found!), `${method} ${key}: ${found}, not ${wanted.join(' or ')}`);
  }

  #read(
    key: string,
    attempt: string,
    { status, headers }: Response,
    json: ReturnType<typeof JSON.parse>,
  ): Outcome {
    if (status >= 500) return json.unknown_outcome ? 'unknown' : 'failed';
    if (status >= 400) return 'refused';
    const [one] = [json].flat() as { id: string }[];
    if (one) {
      assert.equal(one.id, (this.#exports[key] ??= one.id), 'another export than before');
      return 'export';
    }
    if (status === 202) return 'in-flight';
    return headers.get('Idempotency-Key') === attempt ? 'nothing' : 'no-promise';
  }
}

const drop = { answer: 'drop' } as const;
const lost = { work: false, answer: 'drop' } as const;

/**
 * Steps, and what a page may learn of each: `start`, `start twice` or `ask` with a key, `N s later`
 * than the last start that has arrived, `kill during start`.
 */
const cases: readonly [title: string, faults: ServiceFaults, steps: string][] = [
  ['an answered start', { starts: [{}] }, 'start a: export, start a: export, ask a: export'],
  [
    'the connection breaks after the work',
    { starts: [drop] },
    'start a: unknown, ask a: export, start a: export',
  ],
  [
    'a 504 comes while the service goes on working',
    { starts: [{ workMs: 10_000, answer: 504 }] },
    'start a: unknown, ask a: in-flight, start a: unknown, 12 s later, ask a: export, start a: export',
  ],
  [
    'the host’s own time-out comes while the service goes on working',
    { starts: [{ workMs: 35_000, answerMs: 90_000 }] },
    'start a: unknown or export, 95 s later, ask a: export, start a: export',
  ],
  [
    'a 503 comes before the work, and nothing is done',
    { starts: [{ work: false, answer: 503 }] },
    'start a: unknown, ask a: in-flight, 100 s later, ask a: in-flight, 125 s later, ask a: no-promise, start a: export',
  ],
  [
    'the connection breaks before the work, and nothing is done',
    { starts: [lost] },
    'start a: unknown, start a: unknown, 125 s later, ask a: no-promise, start a: export',
  ],
  [
    'the service refuses',
    { starts: [{ work: false, answer: 402 }] },
    'start a: refused, ask a: nothing, start a: export',
  ],
  [
    'the service keeps keys, and the connection breaks after the work',
    { keepsKeys: true, starts: [drop] },
    'start a: unknown, ask a: export, start a: export',
  ],
  [
    'the service keeps keys, and a 503 comes before the work',
    { keepsKeys: true, starts: [{ work: false, answer: 503 }] },
    'start a: unknown, ask a: nothing or in-flight, 125 s later, ask a: nothing or no-promise, start a: export',
  ],
  [
    'the service keeps keys, and a 504 comes while it goes on working',
    { keepsKeys: true, starts: [{ workMs: 8000, answer: 504 }] },
    'start a: unknown, start a: export or unknown, 12 s later, ask a: export',
  ],
  [
    'the list shows a new export late',
    { listLateMs: 10_000, starts: [drop] },
    'start a: unknown, ask a: in-flight, start a: unknown, 12 s later, ask a: export',
  ],
  [
    'the list is cut, and what is missing is on the next page',
    { listCut: true, starts: [drop] },
    'start a: unknown, ask a: in-flight or export, 125 s later, ask a: no-promise or export, start a: unknown or export',
  ],
  [
    'the list fails while the outcome is open',
    { listFails: 2, starts: [drop] },
    'start a: unknown, start a: unknown or failed, ask a: in-flight or failed, ask a: export',
  ],
  [
    'one request arrives twice at once',
    { starts: [{ workMs: 500, answerMs: 500 }] },
    'start twice a: export or unknown, ask a: export',
  ],
  [
    'a plain start never arrives, and one with a watermark is lost',
    { starts: [lost, drop] },
    'start a: unknown, start b: unknown, ask a: in-flight, ask b: export, start b: export',
  ],
  [
    'two lost starts, and one export that either may have started',
    { hidesWatermark: true, starts: [lost, drop] },
    'start a: unknown, start b: unknown, ask a: in-flight, ask b: in-flight, 125 s later, ask a: no-promise, start a: unknown, start b: unknown',
  ],
  [
    'a late refusal of one key after another start',
    { starts: [{}, { work: false, answer: 402 }] },
    'start a: export, start b: refused, start a: export, ask b: nothing',
  ],
  [
    'the host is killed during a start, and the service goes on working',
    { starts: [{ workMs: 3000, answerMs: 60_000 }] },
    'kill during start, ask a: in-flight or export, 8 s later, start a: export, ask a: export',
  ],
  [
    'the host is killed during a start that never arrives',
    { starts: [{ work: false, answerMs: 60_000 }] },
    'kill during start, ask a: in-flight, start a: unknown, 130 s later, ask a: no-promise, start a: export',
  ],
];

async function take(page: Page, step: string): Promise<void> {
  if (step === 'kill during start') return page.startAndKill();
  const [what = '', outcomes = ''] = step.split(': ');
  const [seconds] = what.split(' s later');
  if (!outcomes) return page.waitUntil(Number(seconds));
  const key = what.at(-1)!;
  const wanted = outcomes.split(' or ') as Outcome[];
  if (what.startsWith('ask')) return page.ask(key, ...wanted);
  await Promise.all(
    Array.from({ length: what.includes('twice') ? 2 : 1 }, () => page.start(key, ...wanted)),
  );
}

describe('the host, with a service that fails', () => {
  const clock = new VirtualClock();
  beforeEach(() => clock.install());
  afterEach(() => clock.uninstall());

  for (const [title, faults, steps] of cases) {
    it(title, async () => {
      const page = new Page(clock, faults);
      for (const step of steps.split(', ')) await take(page, step);
      assert.equal(page.clip.exports.length, 1, 'exports that were paid for');
    });
  }
});
