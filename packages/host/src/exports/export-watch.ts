import type { Export } from 'clip-kit/contract';
import { nextPoll } from 'clip-kit/client';
import type { Holds } from '../holds.ts';

interface Watched {
  /** The callers that wait for the next poll of this user's exports, and what they know. */
  readonly waiting: Map<(exports: Export[] | null) => void, readonly Export[]>;
  /** The next poll, and when it is due. */
  timer: ReturnType<typeof setTimeout> | null;
  due: number;
  failures: number;
  /** The result of the last poll. */
  last: Export[] | null;
}

/** The user's exports: all, or fewer that contain these. */
type ListExports = (managedUser: string, ids: readonly string[]) => Promise<Export[]>;

interface Looking {
  readonly ids: ReadonlySet<string>;
  readonly exports: Promise<Export[]>;
}

function withIds(ids: readonly string[], exports: readonly Export[]): Export[] {
  const wanted = new Set(ids);
  return exports.filter(({ id }) => wanted.has(id));
}

/** The fields that a watcher shows. A change in any of them ends a hold. */
const fingerprint = (exports: readonly Export[]): string =>
  JSON.stringify(
    exports.map((item) => [item.id, item.status, item.src_url, item.estimated_ready_at]).toSorted(),
  );

/**
 * Holds requests until an export changes. All requests for one managed user share one poll of the
 * service, paced by the estimates. Polling stops when the last of them ends.
 */
export class ExportWatch {
  readonly #list: ListExports;
  readonly #now: () => number;
  readonly #holds: Holds;
  /** Aborted when the host closes. */
  readonly #closing: AbortSignal;
  readonly #watched = new Map<string, Watched>();
  /** The last request to the service that is in progress, by managed user. */
  readonly #looking = new Map<string, Looking>();

  constructor(list: ListExports, now: () => number, holds: Holds, closing: AbortSignal) {
    this.#list = list;
    this.#now = now;
    this.#holds = holds;
    this.#closing = closing;
  }

  /**
   * The user's exports among the given ids. Answers at once if one of them is settled, if none is
   * found, or if `waitMs` is 0; otherwise when one changes or the time is over. A failed poll
   * during the hold is tried again. `held` is false if there are too many requests or the host is
   * closing.
   */
  async watch(
    managedUser: string,
    ids: readonly string[],
    waitMs: number,
    request: Pick<Request, 'signal'>,
  ): Promise<{ exports: Export[]; held: boolean }> {
    const release = waitMs > 0 && !this.#closing.aborted ? this.#holds.take(managedUser) : null;
    if (!release) return { exports: await this.#pick(managedUser, ids), held: false };
    try {
      const exports = await this.#hold(managedUser, ids, waitMs, request);
      return { exports, held: !this.#closing.aborted };
    } finally {
      release();
    }
  }

  /** Ends the holds that wait for this export: the service has reported a change. */
  notify(changed: Export): void {
    const watched = this.#watched.get(changed.author_id);
    if (!watched) return;
    const updated = (exports: readonly Export[]) =>
      exports.map((item) => (item.id === changed.id ? changed : item));
    watched.last &&= updated(watched.last);
    for (const [resolve, mine] of [...watched.waiting]) {
      if (mine.some(({ id }) => id === changed.id)) resolve(updated(mine));
    }
    this.#stopIfUnwatched(changed.author_id, watched);
  }

  /**
   * The exports from the last poll for other waiting requests. This request then shares their next
   * poll.
   */
  #known(managedUser: string, ids: readonly string[]): Export[] | null {
    const watched = this.#watched.get(managedUser);
    if (!watched?.last || !watched.waiting.size) return null;
    const found = withIds(ids, watched.last);
    return found.length === ids.length ? found : null;
  }

  /**
   * The current exports. Concurrent requests share one call; but an export that it does not contain
   * may have been started since, so the service is asked again.
   */
  async #pick(managedUser: string, ids: readonly string[]): Promise<Export[]> {
    const shared = this.#looking.get(managedUser);
    if (shared) {
      const found = withIds(ids, await shared.exports);
      if (found.length === ids.length) return found;
    }
    // A call for these exports that started while we waited is new enough.
    const next = this.#looking.get(managedUser);
    const covered = next && ids.every((id) => next.ids.has(id));
    return withIds(ids, await (covered ? next.exports : this.#ask(managedUser, ids)));
  }

  #ask(managedUser: string, ids: readonly string[]): Promise<Export[]> {
    const exports = this.#list(managedUser, ids)
      .then((found) => {
        const watched = this.#watched.get(managedUser);
        if (watched) watched.last = found;
        return found;
      })
      .finally(() => {
        if (this.#looking.get(managedUser) === looking) this.#looking.delete(managedUser);
      });
    const looking = { ids: new Set(ids), exports };
    this.#looking.set(managedUser, looking);
    return exports;
  }

  async #hold(
    managedUser: string,
    ids: readonly string[],
    waitMs: number,
    request: Pick<Request, 'signal'>,
  ): Promise<Export[]> {
    let mine = this.#known(managedUser, ids) ?? (await this.#pick(managedUser, ids));
    if (!mine.length || mine.some(({ status }) => status !== 'processing')) return mine;
    const before = fingerprint(mine);
    const deadline = this.#now() + waitMs;
    while (fingerprint(mine) === before) {
      const leftMs = deadline - this.#now();
      if (leftMs <= 0) break;
      // Read the signal as late as possible: on servers that create it on first access, that costs
      // more than the rest of the answer.
      const next = await this.#nextLook(managedUser, mine, leftMs, request.signal);
      if (!next) break;
      mine = withIds(ids, next);
    }
    return mine;
  }

  /**
   * Resolves with the exports of the next poll, or with null when the time is over, the client
   * disconnects or the host closes.
   */
  #nextLook(
    managedUser: string,
    mine: readonly Export[],
    leftMs: number,
    signal: AbortSignal,
  ): Promise<Export[] | null> {
    const watched = this.#watched.get(managedUser) ?? {
      waiting: new Map(),
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
        this.#closing.removeEventListener('abort', leave);
        watched.waiting.delete(end);
        if (!watched.waiting.size && exports === null) this.#stop(managedUser, watched);
        resolve(exports);
      };
      const leave = () => end(null);
      const over = setTimeout(leave, leftMs);
      signal.addEventListener('abort', leave);
      this.#closing.addEventListener('abort', leave);
      watched.waiting.set(end, mine);
      if (signal.aborted || this.#closing.aborted) leave();
      else this.#schedule(managedUser, watched, mine);
    });
  }

  /** Schedules the next poll for these exports, unless an earlier one is already scheduled. */
  #schedule(managedUser: string, watched: Watched, exports: readonly Export[]): void {
    const now = this.#now();
    const delay = nextPoll({
      now,
      waiting: exports.map((item) => ({
        since: Date.parse(item.created_at),
        estimate: item.estimated_ready_at === null ? null : Date.parse(item.estimated_ready_at),
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
      const ids = [...watched.waiting.values()].flat().map(({ id }) => id);
      const exports = await this.#ask(managedUser, ids);
      watched.failures = 0;
      for (const resolve of [...watched.waiting.keys()]) resolve(exports);
      this.#stopIfUnwatched(managedUser, watched);
    } catch {
      watched.failures += 1;
      if (watched.waiting.size) this.#schedule(managedUser, watched, scheduledFor);
    }
  }

  /** Requests whose exports did not change wait again within this task; otherwise polling ends. */
  #stopIfUnwatched(managedUser: string, watched: Watched): void {
    setTimeout(() => {
      if (!watched.waiting.size) this.#stop(managedUser, watched);
    });
  }

  #stop(managedUser: string, watched: Watched): void {
    clearTimeout(watched.timer ?? undefined);
    watched.timer = null;
    if (this.#watched.get(managedUser) === watched) this.#watched.delete(managedUser);
  }
}
