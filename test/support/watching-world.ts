import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { type ClipExport, getPageExport } from '../../src/client/clip-export.ts';
import { waitSeconds } from '../../src/contract/host.ts';
import { FakeService } from 'clip-testkit/fake-service';
import { HostWorld } from 'clip-testkit/host-world';
import type { VirtualClock } from 'clip-testkit/virtual-clock';
import { VirtualPage } from './virtual-page.ts';

interface Asked {
  /** Milliseconds of the clock. */
  readonly at: number;
  readonly kind: 'start' | 'settle' | 'poll';
  readonly ids: readonly string[];
  /** The seconds for which it was asked to hold. */
  readonly wait: number;
}

/** Time of an answer, and of a request, on their way. */
const wayMs = 20;

/** The real host and its service, behind a network that a test can disturb. */
class WatchedHost {
  readonly asked: Asked[] = [];
  /** Maximum number of polls at the same time. */
  mostOpen = 0;
  /** `silent`: requests are accepted but never answered. `offline`: no connection. */
  condition: 'up' | 'down' | 'busy' | 'silent' | 'offline' = 'up';
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
  /** False: the service gives no estimate for any export. */
  estimates = true;
  readonly #clock: VirtualClock;
  readonly world: HostWorld;
  /** By clip. */
  readonly #ends = new Map<string, number>();
  readonly #guesses = new Map<string, number>();
  readonly #changes = new EventTarget();
  #open = 0;

  constructor(clock: VirtualClock) {
    this.#clock = clock;
    setMaxListeners(0, this.#changes);
    const now = () => clock.time;
    const service = new FakeService({ now });
    this.world = new HostWorld(service, { now });
    const { exports } = service.world;
    service.world.onExport = ({ id, project_id }) => {
      this.#ends.set(project_id, clock.time + this.renderTime);
      this.#progress(id);
    };
    service.onRequest = () => {
      for (const { id, status } of exports.values())
        if (status === 'processing') this.#progress(id);
    };
  }

  readyAt(project: string): number {
    return this.#ends.get(project)!;
  }

  count(kind: Asked['kind']): number {
    return this.asked.filter((one) => one.kind === kind).length;
  }

  /** Breaks every open connection, as when a computer goes to sleep. */
  breakConnections(): void {
    this.#changes.dispatchEvent(new Event('break'));
  }

  readonly fetch = async (input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(String(input));
    const isPoll = url.searchParams.has('id');
    if (isPoll) this.mostOpen = Math.max(this.mostOpen, ++this.#open);
    const broken = new AbortController();
    const end = () => broken.abort(new TypeError('connection lost'));
    this.#changes.addEventListener('break', end);
    const left = AbortSignal.any([broken.signal, ...(init.signal ? [init.signal] : [])]);
    const gone = Promise.withResolvers<never>();
    gone.promise.catch(() => {});
    if (left.aborted) gone.reject(left.reason as Error);
    left.addEventListener('abort', () => gone.reject(left.reason as Error), { once: true });
    try {
      return await Promise.race([this.#respond(url, init, left), gone.promise]);
    } finally {
      this.#changes.removeEventListener('break', end);
      if (isPoll) this.#open--;
    }
  };

  async #respond(url: URL, init: RequestInit, left: AbortSignal): Promise<Response> {
    const headers = new Headers(init.headers);
    const wait = waitSeconds(headers.get('Prefer'));
    const ids = url.searchParams.getAll('id');
    const kind =
      init.method === 'POST' ? 'start' : url.searchParams.has('attempt') ? 'settle' : 'poll';
    this.asked.push({ at: this.#clock.time, kind, ids, wait });
    if (this.condition === 'offline') throw new TypeError('no connection');
    await this.#pause();
    if (this.condition === 'silent') await new Promise(() => {});
    if (this.condition === 'down') return Response.json({}, { status: 503 });
    if (this.condition === 'busy') {
      const after = { 'Retry-After': String(this.retryAfter) };
      return Response.json({ code: 'rate-limited' }, { status: 429, headers: after });
    }
    if (this.holds === 'fails' && wait > 0) return Response.json({}, { status: 500 });
    if (!this.holds) headers.delete('Prefer');
    const path = `/clips/exports${url.search}`;
    if (kind === 'start') await this.#addClip(JSON.parse(init.body as string).project_id);
    const answer = await this.world.fetch(path, { ...init, headers, signal: left });
    await this.#pause();
    answer.headers.set('Date', new Date(this.#clock.time).toUTCString());
    return answer;
  }

  async #addClip(id: string): Promise<void> {
    if (!this.world.service.world.projects.has(id)) await this.world.clip('ann', null, { id });
  }

  /** What the service says of an export that renders. */
  #progress(exportId: string): void {
    const { exports } = this.world.service.world;
    const one = exports.get(exportId)!;
    if (this.#clock.time >= this.readyAt(one.project_id)) this.world.service.world.finish(exportId);
    else exports.set(exportId, { ...one, estimated_ready_at: this.#estimate(one.project_id) });
  }

  #estimate(project: string): string | null {
    if (!this.estimates) return null;
    const leftMs = this.readyAt(project) - this.#clock.time;
    const guess = this.#clock.time + leftMs * (1 + this.error * (2 * Math.random() - 1));
    const first = this.#guesses.get(project) ?? guess;
    this.#guesses.set(project, first);
    return new Date(this.stays ? first : guess).toISOString();
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, wayMs));
  }
}

/** An export button without its appearance. */
export interface Button {
  readonly clipExport: ClipExport;
  /** Milliseconds from ready at the host to ready here; null before that. */
  lag: number | null;
}

/** A page with export buttons, and its host, in virtual time. */
export class WatchingWorld {
  readonly page = new VirtualPage();
  readonly host = new WatchedHost(this.page.clock);
  readonly #endpoint = `https://${randomUUID()}.test/clips`;
  readonly #endings: (() => void)[] = [];

  get clock() {
    return this.page.clock;
  }

  button(project: string): Button {
    const clipExport = getPageExport(
      { endpoint: this.#endpoint, fetch: this.host.fetch },
      { project, folder: null, options: {}, exportId: null },
    );
    const one: Button = { clipExport, lag: null };
    this.#endings.push(
      clipExport.listen(() => {
        if (clipExport.state.status === 'ready') {
          one.lag ??= this.clock.time - this.host.readyAt(project);
        }
      }),
    );
    return one;
  }

  /** A button with an export that has just started to render. */
  async started(project = 'clip'): Promise<Button> {
    const one = this.button(project);
    void one.clipExport.start();
    await this.clock.passUntil(() => one.clipExport.state.status === 'processing', 1000);
    return one;
  }

  /** Removes every button from the page. */
  leave(): void {
    for (const end of this.#endings.splice(0)) end();
  }

  async close(): Promise<void> {
    this.leave();
    this.page.close();
    await this.host.world.close();
  }
}
