import type { Export } from '../contract/export.ts';
import { maxRetryAfterMs } from '../flow/backoff.ts';
import { nextPoll, type Waiting } from '../flow/poll-schedule.ts';
import type { ClipError } from './clip-error.ts';
import { HttpError } from './errors.ts';
import type { HostAnswer, HostClient } from './host-client.ts';
import { toClipError } from './host-errors.ts';
import { onFocus, onReturn, Pause } from './pause.ts';

export interface WatchListener {
  /** An answer about the export. `skew`: the host's clock minus this one, in milliseconds. */
  onUpdate(answer: Export, skew: number): void;
  /** The host does not know the export, or no longer knows it. */
  onMissing(): void;
  /** Several tries have failed (an error), or one works again (null). Watching goes on. */
  onStalled(error: ClipError | null): void;
  /** The host refuses to answer: not signed in, or not allowed. Watching has ended. */
  onRefused(error: ClipError): void;
}

interface Watched extends Waiting {
  /** More than one: a button may stand for the export by its intent, another by its id. */
  readonly listeners: Set<WatchListener>;
  /** Number of answers in a row without it. */
  missing: number;
  /** False until the first answer about it. */
  known: boolean;
  /** The estimate in the last answer. */
  readonly lastEstimate: string | null;
}

const holdSeconds = 25;
/** So many failures in a row are shown. */
const failuresToShow = 3;
/** A longer wait for a host is shown at once. */
const shownWaitMs = 15_000;
/** A longer wait ends when somebody comes back to the page. */
const keptWaitMs = 60_000;
/** A "held" answer without news that comes sooner was not held. */
const minHoldMs = 1000;
/** Ids in one request, to limit the length of the address. */
const maxIds = 150;

/** If the estimate is the same as in the answer before, the host's progress is newer than it. */
function timesOf(
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
export class ExportWatcher {
  readonly #client: HostClient;
  readonly #watched = new Map<string, Watched>();
  readonly #pause = new Pause();
  #running: AbortController | null = null;
  /** The request in flight; it may be aborted for one with more ids. */
  #request: AbortController | null = null;
  #failures = 0;
  /** The host asked for no request before this moment. */
  #notBefore = 0;
  #held: boolean | null = null;
  /** False if only the requests fail that are to be held. */
  #mayHold = true;
  #ask = false;
  /** When the last request was sent. */
  #asked: number | null = null;

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
        ? timesOf(first.value, first.skew, null)
        : (old ?? { since: Date.now(), estimate: null, lastEstimate: null })),
      listeners: old?.listeners ?? new Set(),
      missing: 0,
      known: !!first || !!old?.known,
    };
    watched.listeners.add(listener);
    this.#watched.set(id, watched);
    signal.addEventListener('abort', () => this.#drop(id, listener), { once: true });
    if (!first) {
      this.#ask = true;
      this.#request?.abort();
    } else if (this.#request) {
      // Once it is time to ask for this export, aborts a held request that does not ask for it.
      const held = this.#request;
      new Pause().for(this.#delay([watched]), held.signal).then(
        () => held.abort(),
        () => {},
      );
    }
    if (this.#running) this.#pause.wake();
    else void this.#run((this.#running = new AbortController()));
  }

  /** Milliseconds until the next request if the host asked for a long wait; otherwise null. */
  get waitLeft(): number | null {
    const left = this.#notBefore - Date.now();
    return left > shownWaitMs ? left : null;
  }

  /** Asks at once, whatever the schedule or the host says, because a person wants it. */
  refresh(): void {
    this.#notBefore = 0;
    this.#askNow();
  }

  /** Asks as soon as the host allows. Aborts the request in flight: its connection may be dead. */
  #askNow(): void {
    this.#ask = true;
    this.#request?.abort();
    this.#pause.wake();
  }

  /** Somebody has come back to the page: ends a long wait, but not a short one. */
  #returned(): void {
    if (this.#notBefore - Date.now() > keptWaitMs) this.#notBefore = 0;
    this.#askNow();
  }

  #drop(id: string, listener: WatchListener): void {
    const listeners = this.#watched.get(id)?.listeners;
    if (!listeners?.delete(listener) || listeners.size) return;
    this.#watched.delete(id);
    if (!this.#watched.size) this.#stop();
  }

  #stop(): void {
    this.#running?.abort();
    this.#running = this.#held = null;
    this.#mayHold = true;
    this.#notBefore = 0;
    this.#failures = 0;
    this.#ask = false;
  }

  async #run({ signal }: AbortController): Promise<void> {
    onReturn(() => this.#returned(), signal);
    // Focus also moves within the page, so it matters only after a failure.
    onFocus(() => {
      if (this.#failures) this.#returned();
    }, signal);
    // Buttons that connect in the same task share the first request.
    await null;
    while (!signal.aborted) {
      const delay = this.#delay([...this.#watched.values()]);
      if (delay === null) break;
      if (this.#ask ? this.#notBefore > Date.now() : delay > 0) {
        try {
          // Woken because the watched exports have changed: plan again. The clock cannot tell,
          // because timers may be early.
          if (await this.#pause.for(delay, signal)) continue;
        } catch {
          break;
        }
      }
      await this.#poll(signal);
    }
  }

  #delay(waiting: readonly Waiting[]): number | null {
    return nextPoll({
      now: Date.now(),
      waiting,
      held: this.#held,
      asked: this.#asked,
      failures: this.#failures,
      retryAfter: Math.max(0, this.#notBefore - Date.now()),
      hidden: document.hidden,
      jitter: Math.random(),
    });
  }

  async #poll(signal: AbortSignal): Promise<void> {
    const wait = this.#ask || !this.#mayHold ? 0 : holdSeconds;
    this.#ask = false;
    const ids = [...this.#watched.keys()].slice(0, maxIds);
    const request = (this.#request = new AbortController());
    const began = (this.#asked = Date.now());
    try {
      const answer = await this.#client.exportsById(ids, {
        wait,
        signal: AbortSignal.any([signal, request.signal]),
      });
      // After several failures the host itself was away.
      if (this.#failures > 1) this.#mayHold = true;
      this.#failures = 0;
      const news = this.#notify(ids, answer);
      if (wait) this.#held = answer.held && (news || Date.now() - began >= minHoldMs);
    } catch (cause) {
      if (signal.aborted || request.signal.aborted) return;
      this.#fail(cause, wait > 0);
    } finally {
      this.#request = null;
      request.abort();
    }
  }

  /** Passes the answer on; true if it has news. */
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
        const times = timesOf(item, skew, watched.lastEstimate);
        this.#watched.set(id, { ...watched, ...times, missing: 0, known: true });
      } else if (!item && ++watched.missing < 2) {
        // A list may lag behind a start: one answer without it proves nothing.
        this.#watched.set(id, watched);
        if (!watched.known) this.#ask = true;
        continue;
      } else {
        news = true;
      }
      for (const listener of [...watched.listeners]) {
        listener.onStalled(null);
        if (item) listener.onUpdate(item, skew);
        else listener.onMissing();
      }
    }
    if (!this.#watched.size) this.#stop();
    return news;
  }

  #fail(cause: unknown, held: boolean): void {
    const error = toClipError(cause);
    const listeners = [...this.#watched.values()].flatMap(({ listeners }) => [...listeners]);
    if (error.status === 401 || error.status === 403 || error.status === 400) {
      this.#watched.clear();
      this.#stop();
      for (const listener of listeners) listener.onRefused(error);
      return;
    }
    this.#failures++;
    if (error.status! >= 500) this.#mayHold = !held;
    if (!this.#mayHold) this.#held = false;
    const retryAfter = cause instanceof HttpError ? cause.retryAfter : null;
    if (retryAfter !== null) {
      this.#notBefore = Date.now() + Math.min(retryAfter, maxRetryAfterMs);
    }
    if (this.#failures < failuresToShow && this.waitLeft === null) return;
    for (const listener of listeners) listener.onStalled(error);
  }
}
