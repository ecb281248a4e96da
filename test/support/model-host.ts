import type { Export } from '../../src/contract/export.ts';
import type { VirtualClock } from './virtual-clock.ts';

/** How a host of the model behaves. */
export interface HostBehaviour {
  /**
   * `kept`: stores attempt keys, as the contract says. `silent`: a key is carried out once, but
   * empty answers say nothing more. `none`: every start is carried out, and every question about
   * one is answered `[]`. `ignored`: `?attempt=` is read as a question about all of the user's
   * exports.
   */
  readonly keys: 'kept' | 'silent' | 'none' | 'ignored';
  /** Whether the exports of a clip can be listed. */
  readonly lists: boolean;
  /**
   * Probability of each, 0 to 1: a start that never arrives, a start with a lost answer, any other
   * call that fails.
   */
  readonly lost: number;
  readonly answerLost: number;
  readonly fails: number;
  /** Maximum time on the way to the host, and of work there, in milliseconds. */
  readonly wayMs: number;
  readonly workMs: number;
}

interface Start {
  readonly key: string;
  id: string | null;
}

/** How long an export of an edited clip takes. */
const renderMs = 20_000;

const lostConnection = () => new TypeError('connection lost');

/**
 * A host that carries out starts even if nobody listens, and counts what is paid for. It runs in
 * the test's virtual time.
 */
export class ModelHost {
  /** Exports of the clip that were paid for. */
  readonly paid: Export[] = [];
  /** When the starts that caused them were sent. */
  readonly paidFor: number[] = [];
  /** When starts were sent, by key. */
  readonly sent: { readonly key: string; readonly at: number }[] = [];
  readonly #clock: VirtualClock;
  readonly #behaviour: HostBehaviour;
  readonly #starts = new Map<string, Start>();
  readonly #projects: readonly string[];
  healthy = false;
  /** Of the clip's edit; null: exports have none, and never end. */
  revision: number | null = null;

  constructor(clock: VirtualClock, behaviour: HostBehaviour, otherProject: string) {
    this.#clock = clock;
    this.#behaviour = behaviour;
    this.#projects = [otherProject];
  }

  readonly fetch = async (input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(String(input));
    const answer =
      init.method === 'POST'
        ? this.#start(new Headers(init.headers).get('Idempotency-Key')!, String(init.body))
        : this.#look(url);
    const { signal } = init;
    // A page that has disconnected gets no answer, but its request continues.
    const left = new Promise<never>((_, reject) => {
      if (signal?.aborted) reject(signal.reason as Error);
      signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    });
    answer.catch(() => {});
    left.catch(() => {});
    return Promise.race([answer, left]);
  };

  #chance(share: number): boolean {
    return !this.healthy && this.#clock.random() < share;
  }

  #pause(maxMs: number): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, this.#clock.random() * maxMs));
  }

  async #start(key: string, body: string): Promise<Response> {
    const { keys, wayMs, workMs, lost, answerLost } = this.#behaviour;
    const sentAt = this.#clock.time;
    this.sent.push({ key, at: sentAt });
    const vanishes = this.#chance(lost);
    const mute = this.#chance(answerLost);
    // The connection may break before the host starts to work, or at any time after.
    const breaks = mute ? this.#pause(wayMs + workMs) : null;
    const done = (async () => {
      await this.#pause(wayMs);
      if (vanishes) throw lostConnection();
      const known = keys === 'kept' || keys === 'silent' ? this.#starts.get(key) : undefined;
      const start = known ?? { key, id: null };
      this.#starts.set(key, start);
      if (!known) {
        await this.#pause(workMs);
        start.id = this.#pay(body);
        this.paidFor.push(sentAt);
      }
      while (start.id === null) await this.#pause(1000);
      return this.#json(known ? 200 : 201, this.#export(start.id));
    })();
    if (!breaks) return done;
    done.catch(() => {});
    await breaks;
    if (this.#clock.random() < 0.5) throw lostConnection();
    return this.#json(504, { code: 'service-timeout', unknown_outcome: true });
  }

  #pay(body: string): string {
    const { project_id } = JSON.parse(body) as { project_id: string };
    const id = `export-${this.paid.length + 1}`;
    this.paid.push(this.#object(id, project_id, this.#clock.time));
    return id;
  }

  async #look({ searchParams }: URL): Promise<Response> {
    const { keys, lists, fails } = this.#behaviour;
    await this.#pause(200);
    if (this.#chance(fails)) {
      if (this.#clock.random() < 0.5) throw lostConnection();
      return this.#json(503, { code: 'service-unavailable' });
    }
    const attempt = searchParams.get('attempt');
    if (attempt !== null) {
      const start = this.#starts.get(attempt);
      const others = this.#projects.map((project) => this.#object('other', project, 0));
      if (keys === 'ignored') return this.#json(200, [...others, ...this.#seen]);
      if (keys === 'none') return this.#json(200, []);
      const found = start?.id ? [this.#export(start.id)] : [];
      const headers = keys === 'kept' ? { 'Idempotency-Key': attempt } : {};
      return this.#json(keys === 'kept' && start && !start.id ? 202 : 200, found, headers);
    }
    const project = searchParams.get('project_id');
    if (project !== null) {
      if (!lists) return this.#json(404, { code: 'not-found' });
      return this.#json(
        200,
        this.#seen.filter((one) => one.project_id === project),
      );
    }
    const ids = searchParams.getAll('id');
    return this.#json(
      200,
      this.#seen.filter(({ id }) => ids.includes(id)),
    );
  }

  /** What was paid for, as it is now. */
  get #seen(): Export[] {
    return this.paid.map((one) =>
      one.revision !== undefined && this.#clock.time - Date.parse(one.created_at) >= renderMs
        ? { ...one, status: 'ready' }
        : one,
    );
  }

  #export(id: string): Export {
    return this.#seen.find((one) => one.id === id)!;
  }

  #object(id: string, project_id: string, at: number): Export {
    return {
      id,
      project_id,
      status: 'processing',
      src_url: null,
      // Long after the end of the test: it is about the start alone.
      estimated_ready_at: new Date(at + 86_400_000).toISOString(),
      created_at: new Date(at).toISOString(),
      finished_at: null,
      name: 'Clip',
      author_id: 'user-1',
      folder_id: null,
      descriptions: null,
      watermarked: false,
      ...(this.revision !== null && { revision: this.revision }),
    } as Export;
  }

  #json(status: number, body: object, headers: Record<string, string> = {}): Response {
    return Response.json(body, {
      status,
      headers: { Date: new Date(this.#clock.time).toUTCString(), ...headers },
    });
  }
}
