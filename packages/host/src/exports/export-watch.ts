import type { Export } from 'clip-kit/contract';
import { nextPoll } from 'clip-kit/client';
import { LongPoll, type Holds } from '../holds.ts';

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

/**
 * Holds requests until an export changes. All requests for one managed user share one poll of the
 * service, paced by the estimates.
 */
export class ExportWatch extends LongPoll<readonly string[], Export[]> {
  readonly #list: ListExports;
  readonly #now: () => number;
  /** The last request to the service that is in progress, by managed user. */
  readonly #looking = new Map<string, Looking>();

  constructor(list: ListExports, now: () => number, holds: Holds, closing: AbortSignal) {
    super(holds, closing);
    this.#list = list;
    this.#now = now;
  }

  /**
   * The user's exports among the given ids: at once if one of them is settled or none is found. See
   * {@link LongPoll.hold}.
   */
  async watch(
    managedUser: string,
    ids: readonly string[],
    waitMs: number,
    request: Pick<Request, 'signal'>,
  ): Promise<{ exports: Export[]; held: boolean }> {
    const { value, mayHold } = await this.hold(managedUser, ids, waitMs, null, request);
    return { exports: value, held: mayHold };
  }

  /** Ends the holds that wait for this export: the service has reported a change. */
  notify(changed: Export): void {
    const updated = (exports: Export[]): Export[] | null =>
      exports.some(({ id }) => id === changed.id)
        ? exports.map((item) => (item.id === changed.id ? changed : item))
        : null;
    this.change(updated, changed.author_id);
  }

  protected groupOf = (managedUser: string) => managedUser;

  /** The fields that a watcher shows. */
  protected stateOf = (exports: readonly Export[]) =>
    JSON.stringify(
      exports
        .map((item) => [item.id, item.status, item.src_url, item.estimated_ready_at])
        .toSorted(),
    );

  protected isMoving = (exports: readonly Export[]) =>
    exports.length > 0 && exports.every(({ status }) => status === 'processing');

  protected delayOf(values: readonly Export[][], failures: number): number {
    const waiting = values.flat().map(({ created_at, estimated_ready_at }) => ({
      since: Date.parse(created_at),
      estimate: estimated_ready_at === null ? null : Date.parse(estimated_ready_at),
    }));
    const page = { held: false, retryAfter: null, hidden: false, jitter: Math.random() };
    return nextPoll({ now: this.#now(), waiting, failures, ...page }) ?? 1000;
  }

  protected async poll(managedUser: string, asks: readonly (readonly string[])[]) {
    const exports = await this.#ask(managedUser, asks.flat());
    return (ids: readonly string[]) => withIds(ids, exports);
  }

  /**
   * The current exports. Concurrent requests share one call; but an export that it does not contain
   * may have been started since, so the service is called again. A held request shares the next
   * poll of the waiting ones.
   */
  protected async read(
    managedUser: string,
    ids: readonly string[],
    isHeld: boolean,
  ): Promise<Export[]> {
    const waited = isHeld ? this.waitedFor(managedUser).flat() : [];
    const known = new Map(withIds(ids, waited).map((item) => [item.id, item]));
    if (known.size === ids.length) return [...known.values()];
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
    const exports = this.#list(managedUser, ids).finally(() => {
      if (this.#looking.get(managedUser) === looking) this.#looking.delete(managedUser);
    });
    const looking = { ids: new Set(ids), exports };
    this.#looking.set(managedUser, looking);
    return exports;
  }
}
