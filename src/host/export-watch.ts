import type { Export } from '../contract/export.ts';
import { nextPoll } from '../flow/poll-schedule.ts';

interface Watched {
  /** Those who wait for the next look at this user's exports. */
  readonly waiting: Set<(exports: Export[] | null) => void>;
  /** The next look, and when it is due. */
  timer: ReturnType<typeof setTimeout> | null;
  due: number;
  failures: number;
  /** What the last look found. */
  last: readonly Export[] | null;
}

/** How many requests may be held at a time; one over it is answered at once. */
export interface HoldLimits {
  /** Of one user: about as many as there are open tabs. Default 10. */
  readonly perUser?: number;
  /** Of all users of this process. Default 20,000. */
  readonly total?: number;
}

const those = (ids: readonly string[], exports: readonly Export[]): Export[] => {
  const wanted = new Set(ids);
  return exports.filter(({ id }) => wanted.has(id));
};

/** What a watcher shows of an export: a change in any of these ends a hold. */
const fingerprint = (exports: readonly Export[]): string =>
  JSON.stringify(
    exports.map((one) => [one.id, one.status, one.src_url, one.estimated_ready_at]).toSorted(),
  );

/**
 * Holds requests until an export changes. All who watch one managed user's exports share one poll of the service, at
 * the pace of the estimates; it stops with the last of them.
 */
export class ExportWatch {
  readonly #list: (managedUser: string) => Promise<Export[]>;
  readonly #now: () => number;
  readonly #perUser: number;
  readonly #total: number;
  readonly #watched = new Map<string, Watched>();
  /** Looks that are on their way, by managed user. */
  readonly #looking = new Map<string, Promise<Export[]>>();
  readonly #held = new Map<string, number>();
  #heldInAll = 0;
  readonly #closing = new AbortController();

  constructor(
    list: (managedUser: string) => Promise<Export[]>,
    now: () => number,
    { perUser = 10, total = 20_000 }: HoldLimits = {},
  ) {
    this.#list = list;
    this.#now = now;
    this.#perUser = perUser;
    this.#total = total;
  }

  /**
   * Those of the ids that are the user's exports: at once when one of them is settled, when none is there, or when
   * `wait` (milliseconds) is 0; else when one changes or the time is over. A failed poll during the hold is tried again.
   * `held`: whether this host holds; no for one request too many, and while it closes.
   */
  async watch(
    managedUser: string,
    ids: readonly string[],
    wait: number,
    request: Pick<Request, 'signal'>,
  ): Promise<{ exports: Export[]; held: boolean }> {
    const hold =
      wait > 0 &&
      !this.#closing.signal.aborted &&
      this.#heldInAll < this.#total &&
      (this.#held.get(managedUser) ?? 0) < this.#perUser;
    if (!hold) return { exports: await this.#pick(managedUser, ids), held: false };
    this.#count(managedUser, 1);
    try {
      const exports = await this.#hold(managedUser, ids, wait, request);
      return { exports, held: !this.#closing.signal.aborted };
    } finally {
      this.#count(managedUser, -1);
    }
  }

  /** Ends every hold with what is known. */
  close(): void {
    this.#closing.abort();
    for (const { timer } of this.#watched.values()) clearTimeout(timer ?? undefined);
    this.#watched.clear();
  }

  /** As they were at the last look for others who wait: with them, this one is told of the next change. */
  #known(managedUser: string, ids: readonly string[]): Export[] | null {
    const watched = this.#watched.get(managedUser);
    if (!watched?.last || !watched.waiting.size) return null;
    const found = those(ids, watched.last);
    return found.length === ids.length ? found : null;
  }

  /**
   * What is to be said of the exports now. Those who ask together share a look; but an export that it does not have may
   * have been started since, and is looked for anew.
   */
  async #pick(managedUser: string, ids: readonly string[]): Promise<Export[]> {
    const shared = this.#looking.get(managedUser);
    if (shared) {
      const found = those(ids, await shared);
      if (found.length === ids.length) return found;
    }
    // One that began in the meantime began after this request.
    return those(ids, await (this.#looking.get(managedUser) ?? this.#ask(managedUser)));
  }

  #ask(managedUser: string): Promise<Export[]> {
    const looking = this.#list(managedUser)
      .then((exports) => {
        const watched = this.#watched.get(managedUser);
        if (watched) watched.last = exports;
        return exports;
      })
      .finally(() => this.#looking.delete(managedUser));
    this.#looking.set(managedUser, looking);
    return looking;
  }

  async #hold(
    managedUser: string,
    ids: readonly string[],
    wait: number,
    request: Pick<Request, 'signal'>,
  ): Promise<Export[]> {
    let mine = this.#known(managedUser, ids) ?? (await this.#pick(managedUser, ids));
    if (!mine.length || mine.some(({ status }) => status !== 'processing')) return mine;
    const before = fingerprint(mine);
    const deadline = this.#now() + wait;
    while (fingerprint(mine) === before) {
      const left = deadline - this.#now();
      if (left <= 0) break;
      // Only now: where a server makes the signal when it is asked for, it costs more than the rest of the answer.
      const next = await this.#nextLook(managedUser, mine, left, request.signal);
      if (!next) break;
      mine = those(ids, next);
    }
    return mine;
  }

  #count(managedUser: string, change: 1 | -1): void {
    this.#heldInAll += change;
    const held = (this.#held.get(managedUser) ?? 0) + change;
    if (held) this.#held.set(managedUser, held);
    else this.#held.delete(managedUser);
  }

  /** Resolves with the exports of the next poll, or with null when the time is over, the caller left or the host closes. */
  #nextLook(
    managedUser: string,
    mine: readonly Export[],
    left: number,
    signal: AbortSignal,
  ): Promise<Export[] | null> {
    const watched = this.#watched.get(managedUser) ?? {
      waiting: new Set(),
      timer: null,
      due: 0,
      failures: 0,
      last: null,
    };
    this.#watched.set(managedUser, watched);
    return new Promise((resolve) => {
      const end = (exports: Export[] | null) => {
        clearTimeout(over);
        signal.removeEventListener('abort', leave);
        this.#closing.signal.removeEventListener('abort', leave);
        watched.waiting.delete(end);
        if (!watched.waiting.size && exports === null) this.#stop(managedUser, watched);
        resolve(exports);
      };
      const leave = () => end(null);
      const over = setTimeout(leave, left);
      signal.addEventListener('abort', leave);
      this.#closing.signal.addEventListener('abort', leave);
      watched.waiting.add(end);
      if (signal.aborted || this.#closing.signal.aborted) leave();
      else this.#schedule(managedUser, watched, mine);
    });
  }

  /** Plans the next look for one who waits for these exports; the look of another that comes sooner serves as well. */
  #schedule(managedUser: string, watched: Watched, exports: readonly Export[]): void {
    const now = this.#now();
    const delay = nextPoll({
      now,
      waiting: exports.map((one) => ({
        since: Date.parse(one.created_at),
        estimate: one.estimated_ready_at === null ? null : Date.parse(one.estimated_ready_at),
      })),
      held: false,
      failures: watched.failures,
      retryAfter: null,
      hidden: false,
      jitter: Math.random(),
    });
    const due = now + (delay ?? 1000);
    if (watched.timer !== null && watched.due <= due) return;
    clearTimeout(watched.timer ?? undefined);
    watched.due = due;
    watched.timer = setTimeout(() => void this.#look(managedUser, watched, exports), due - now);
  }

  async #look(
    managedUser: string,
    watched: Watched,
    scheduledFor: readonly Export[],
  ): Promise<void> {
    watched.timer = null;
    try {
      const exports = await this.#ask(managedUser);
      watched.failures = 0;
      for (const resolve of [...watched.waiting]) resolve(exports);
      // Those whose exports did not change ask for the next look in this very turn; when nobody does, it is over.
      setTimeout(() => {
        if (!watched.waiting.size) this.#stop(managedUser, watched);
      });
    } catch {
      watched.failures += 1;
      if (watched.waiting.size) this.#schedule(managedUser, watched, scheduledFor);
    }
  }

  #stop(managedUser: string, watched: Watched): void {
    clearTimeout(watched.timer ?? undefined);
    watched.timer = null;
    if (this.#watched.get(managedUser) === watched) this.#watched.delete(managedUser);
  }
}
