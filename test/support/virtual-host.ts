import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { Export } from '../../src/contract/export.ts';
import { hostStartExportSchema } from '../../src/contract/host.ts';
import { waitSeconds } from '../../src/contract/wait.ts';
import type { VirtualClock } from './virtual-clock.ts';

/** `silent`: requests are accepted but never answered. `offline`: no connection. */
type Condition = 'up' | 'down' | 'busy' | 'silent' | 'offline';

interface Render {
  readonly object: Export;
  readonly end: number;
}

export interface Asked {
  /** Milliseconds of the clock. */
  readonly at: number;
  readonly kind: 'start' | 'settle' | 'poll';
  readonly ids: readonly string[];
  /** The seconds for which it was asked to hold. */
  readonly wait: number;
}

/** Time of an answer, and of a request, on their way. */
const wayMs = 20;

/** A backend by the host contract, in virtual time: `fetch` is the whole network. */
export class VirtualHost {
  readonly asked: Asked[] = [];
  readonly #clock: VirtualClock;
  readonly #renders = new Map<string, Render>();
  readonly #attempts = new Map<string, string>();
  readonly #guesses = new Map<string, number>();
  readonly #changes = new EventTarget();
  /** Maximum number of polls at the same time. */
  mostOpen = 0;
  #open = 0;
  condition: Condition = 'up';
  /** `fails`: a request that is to be held gets 500. */
  holds: boolean | 'fails' = true;
  /** Seconds in the `Retry-After` of a host that is `busy`. */
  retryAfter = 0;
  /** Duration in milliseconds of a render that starts now. */
  renderTime = 60_000;
  /** Estimates are wrong by up to this share of the remaining time. */
  error = 0;
  /** Whether an estimate is made only once. */
  stays = false;
  /** False: the host gives no estimate for any export. */
  estimates = true;

  readyAt(id: string): number {
    return this.#renders.get(id)!.end;
  }

  count(kind: Asked['kind']): number {
    return this.asked.filter((one) => one.kind === kind).length;
  }

  /** Breaks every open connection, as when a computer goes to sleep. */
  breakConnections(): void {
    this.#changes.dispatchEvent(new Event('break'));
  }

  constructor(clock: VirtualClock) {
    this.#clock = clock;
    setMaxListeners(0, this.#changes);
  }

  readonly fetch = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const isPoll = new URL(String(input)).searchParams.has('id');
    if (isPoll) this.mostOpen = Math.max(this.mostOpen, ++this.#open);
    try {
      return await this.#respond(input, init);
    } finally {
      if (isPoll) this.#open--;
    }
  };

  async #respond(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
    const url = new URL(String(input));
    const signal = init.signal ?? new AbortController().signal;
    const wait = waitSeconds(new Headers(init.headers).get('Prefer'));
    const ids = url.searchParams.getAll('id');
    const attempt = url.searchParams.get('attempt');
    const kind = init.method === 'POST' ? 'start' : attempt === null ? 'poll' : 'settle';
    this.asked.push({ at: this.#clock.time, kind, ids, wait });
    if (this.condition === 'offline') throw new TypeError('no connection');
    await this.#until(wayMs, signal);
    if (this.condition === 'silent') await this.#until(Infinity, signal);
    if (this.condition === 'down') return this.#answer(503, { code: 'service-unavailable' });
    if (this.condition === 'busy') {
      const headers = { 'Retry-After': String(this.retryAfter) };
      return this.#answer(429, { code: 'rate-limited' }, headers);
    }
    if (kind === 'start') {
      const key = new Headers(init.headers).get('Idempotency-Key')!;
      const id = this.#attempts.get(key) ?? this.#start(String(init.body));
      this.#attempts.set(key, id);
      await this.#until(wayMs, signal);
      return this.#answer(201, this.#object(id));
    }
    const found = (kind === 'settle' ? [this.#attempts.get(attempt!)] : ids).filter(
      (id) => id !== undefined && this.#renders.has(id),
    ) as string[];
    const ends = found.map((id) => this.readyAt(id)).filter((end) => end > this.#clock.time);
    if (this.holds === 'fails' && wait > 0) return this.#answer(500, { code: 'internal-error' });
    const held = this.holds && wait > 0;
    if (held && ends.length === found.length) {
      await this.#until(Math.min(wait * 1000, Math.min(...ends) - this.#clock.time), signal);
    }
    await this.#until(wayMs, signal);
    return this.#answer(
      200,
      found.map((id) => this.#object(id)),
      held ? { 'Preference-Applied': `wait=${wait}` } : {},
    );
  }

  #start(body: string): string {
    const { project_id, folder_id = null } = hostStartExportSchema.parse(JSON.parse(body));
    const id = randomUUID();
    const object: Export = {
      id,
      status: 'processing',
      src_url: null,
      estimated_ready_at: null,
      project_id,
      created_at: new Date(this.#clock.time).toISOString(),
      finished_at: null,
      name: 'Clip',
      author_id: 'user-1',
      folder_id,
      descriptions: null,
      watermarked: false,
    };
    this.#renders.set(id, { object, end: this.#clock.time + this.renderTime });
    return id;
  }

  #object(id: string): Export {
    const { object, end } = this.#renders.get(id)!;
    const left = end - this.#clock.time;
    const finished_at = new Date(end).toISOString();
    if (left <= 0) {
      return { ...object, status: 'ready', src_url: `https://h.test/${id}.mp4`, finished_at };
    }
    if (!this.estimates) return object;
    const guess = () => this.#clock.time + left * (1 + this.error * (2 * Math.random() - 1));
    const first = this.#guesses.get(id) ?? guess();
    this.#guesses.set(id, first);
    const estimate = this.stays ? first : guess();
    return { ...object, estimated_ready_at: new Date(estimate).toISOString() };
  }

  #answer(status: number, body: object, headers: Record<string, string> = {}): Response {
    return Response.json(body, {
      status,
      headers: { Date: new Date(this.#clock.time).toUTCString(), ...headers },
    });
  }

  #until(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const timer = ms < Infinity ? setTimeout(resolve, ms) : undefined;
      const end = (reason: unknown) => {
        clearTimeout(timer);
        reject(reason);
      };
      signal.addEventListener('abort', () => end(signal.reason), { once: true });
      this.#changes.addEventListener('break', () => end(new TypeError('connection lost')), {
        once: true,
      });
    });
  }
}
