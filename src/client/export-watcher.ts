import type { Export } from '../contract/export.ts';
import type { Waiting } from '../flow/poll-schedule.ts';
import type { ClipError } from './clip-error.ts';
import { LongPoll, type Polled, type Question } from './long-poll.ts';
import type { HostAnswer, HostClient } from './host-client.ts';

export interface WatchListener {
  /** Receives an answer about the export. `skew`: milliseconds, the host's clock minus this one. */
  onUpdate(answer: Export, skew: number): void;
  /** The host does not know the export, or no longer knows it. */
  onMissing(): void;
  /**
   * Reports that several tries have failed (an error), or one works again (null). Watching
   * continues.
   */
  onStalled(error: ClipError | null): void;
  /** The host refuses to answer: not signed in, or not allowed. Watching has ended. */
  onRefused(error: ClipError): void;
}

interface Watched extends Waiting {
  /** Listeners. One button may show the export by its intent, another by its id. */
  readonly listeners: Set<WatchListener>;
  /** Number of answers in a row without it. */
  missing: number;
  /** False until the first answer about it. */
  known: boolean;
  /** The estimate in the last answer. */
  readonly lastEstimate: string | null;
}

/** The minimum of a held request: a sooner answer without news was not held. */
const minHoldMs = 1000;
/** Ids in one request, to limit the length of the address. */
const maxIds = 150;

/** Returns the times of a running export. If its estimate is old, the progress is newer. */
function readTimes(
  item: Export,
  skew: number,
  estimateBefore: string | null,
): Waiting & Pick<Watched, 'lastEstimate'> {
  const since = Date.parse(item.created_at) - skew;
  const lastEstimate = item.estimated_ready_at;
  const isFixed = lastEstimate !== null && lastEstimate === estimateBefore;
  const secondsLeft = item.progress?.seconds_left ?? null;
  if (isFixed && secondsLeft !== null) {
    return { since, lastEstimate, estimate: Date.now() + secondsLeft * 1000 };
  }
  const estimate = lastEstimate === null ? null : Date.parse(lastEstimate) - skew;
  return { since, lastEstimate, estimate, isFixed };
}

/** Watches all exports of a page at one endpoint, with one request at a time for all of them. */
export class ExportWatcher implements Polled {
  readonly #client: HostClient;
  readonly waitSeconds = 25;
  readonly #watched = new Map<string, Watched>();
  /** While something is watched. */
  #poll: LongPoll | null = null;

  constructor(client: HostClient) {
    this.#client = client;
  }

  /** Watches until the export is settled or the signal is aborted. `first`: an answer about it. */
  watch(
    id: string,
    first: HostAnswer<Export> | null,
    listener: WatchListener,
    signal: AbortSignal,
  ): void {
    const old = this.#watched.get(id);
    const watched = {
      ...(first
        ? readTimes(first.value, first.skew, null)
        : (old ?? { since: Date.now(), estimate: null, lastEstimate: null })),
      listeners: old?.listeners ?? new Set(),
      missing: 0,
      known: !!first || !!old?.known,
    };
    watched.listeners.add(listener);
    this.#watched.set(id, watched);
    signal.addEventListener('abort', () => this.#drop(id, listener), { once: true });
    const running = this.#poll;
    const poll = (this.#poll ??= new LongPoll(this));
    if (first) poll.add(watched);
    else poll.askNow();
    if (!running) void poll.run();
  }

  /** Milliseconds until the next request if the host asked for a long wait; otherwise null. */
  get waitLeft(): number | null {
    return this.#poll?.waitLeft() ?? null;
  }

  /** Polls at once, for a user's click. */
  refresh(): void {
    this.#poll?.refresh();
  }

  waiting(): readonly Waiting[] {
    return [...this.#watched.values()];
  }

  #drop(id: string, listener: WatchListener): void {
    const listeners = this.#watched.get(id)?.listeners;
    if (!listeners?.delete(listener) || listeners.size) return;
    this.#watched.delete(id);
    if (!this.#watched.size) this.#stop();
  }

  #stop(): void {
    this.#poll?.end();
    this.#poll = null;
  }

  async ask({ wait, signal }: Question): Promise<boolean | null> {
    const ids = [...this.#watched.keys()].slice(0, maxIds);
    const began = Date.now();
    const answer = await this.#client.exportsById(ids, { wait, signal });
    const news = this.#notify(ids, answer);
    return wait ? answer.held && (news || Date.now() - began >= minHoldMs) : null;
  }

  /** Passes the answer on. Returns true for news. */
  #notify(ids: readonly string[], { value, skew }: HostAnswer<Export[]>): boolean {
    const byId = new Map(value.map((item) => [item.id, item]));
    let news = false;
    for (const id of ids) {
      const watched = this.#watched.get(id);
      if (!watched) continue;
      // Ids may be more than one request takes: those of this request go to the end of the line.
      this.#watched.delete(id);
      const item = byId.get(id);
      if (item?.status === 'processing') {
        const times = readTimes(item, skew, watched.lastEstimate);
        this.#watched.set(id, { ...watched, ...times, missing: 0, known: true });
      } else if (!item && ++watched.missing < 2) {
        // A list may lag behind a start: one answer without it proves nothing.
        this.#watched.set(id, watched);
        if (!watched.known) this.#poll!.askNow();
        continue;
      } else {
        news = true;
      }
      for (const listener of [...watched.listeners]) {
        if (item) listener.onUpdate(item, skew);
        else listener.onMissing();
      }
    }
    if (!this.#watched.size) this.#stop();
    return news;
  }

  onStalled(error: ClipError | null): void {
    for (const listener of this.#all()) listener.onStalled(error);
  }

  onFailed(error: ClipError): boolean {
    if (![400, 401, 403].includes(error.status!)) return false;
    const listeners = this.#all();
    this.#watched.clear();
    this.#stop();
    for (const listener of listeners) listener.onRefused(error);
    return true;
  }

  #all(): WatchListener[] {
    return [...this.#watched.values()].flatMap(({ listeners }) => [...listeners]);
  }
}
