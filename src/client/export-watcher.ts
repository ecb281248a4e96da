import type { Export } from '../contract/export.ts';
import { longestRetryAfterMs } from '../flow/backoff.ts';
import { nextPoll, type Waiting } from '../flow/poll-schedule.ts';
import type { ClipError } from './clip-error.ts';
import { HttpError } from './errors.ts';
import type { HostAnswer, HostClient } from './host-client.ts';
import { toClipError } from './host-errors.ts';
import { onFocus, onReturn, Pause } from './pause.ts';

export interface WatchListener {
  /** An answer about the export has come. `skew`: the host's clock minus this one, in milliseconds. */
  heard(answer: Export, skew: number): void;
  /** The host does not know the export (any more). */
  gone(): void;
  /** Nothing has been heard for several tries (an error), or it is heard from again (null). Watching goes on. */
  stalled(error: ClipError | null): void;
  /** The host refuses to tell: nobody is signed in, or not allowed. Watching has ended. */
  refused(error: ClipError): void;
}

interface Watched extends Waiting {
  /** Several buttons may stand for one export by different ways: by their intent, and by its id. */
  readonly listeners: Set<WatchListener>;
  /** Answers in a row in which it was missing. */
  missing: number;
  /** False until the first answer about it. */
  known: boolean;
  /** The estimate as the host said it last. */
  readonly said: string | null;
}

const holdSeconds = 25;
/** Failures in a row after which a person is told. */
const lasting = 3;
/** A longer wait for a host is shown at once, in milliseconds. */
const shownWaitMs = 15_000;
/** A host is asked for a longer wait to be over when somebody comes back to the page, in milliseconds. */
const heldWaitMs = 60_000;
/** A "held" answer that came sooner than this without news was not held. */
const leastHold = 1000;
/** Ids in one request, for the sake of the address's length. */
const mostIds = 150;

/** `saidBefore`: the estimate of the answer before. Where it stays, what is said of the progress is newer. */
const timesOf = (
  one: Export,
  skew: number,
  saidBefore: string | null,
): Waiting & Pick<Watched, 'said'> => {
  const since = Date.parse(one.created_at) - skew;
  const said = one.estimated_ready_at;
  const stays = said !== null && said === saidBefore;
  const secondsLeft = one.progress?.seconds_left ?? null;
  return stays && secondsLeft !== null
    ? { since, said, estimate: Date.now() + secondsLeft * 1000 }
    : { since, said, estimate: said === null ? null : Date.parse(said) - skew, stays };
};

/** Watches every export of a page and endpoint with one request at a time for all of them. */
export class ExportWatcher {
  readonly #client: HostClient;
  readonly #watched = new Map<string, Watched>();
  readonly #pause = new Pause();
  #running: AbortController | null = null;
  /** The request in flight, where it may be given up for one that carries more ids. */
  #request: AbortController | null = null;
  #failures = 0;
  /** No request before this moment: a host has said so. */
  #notBefore = 0;
  #held: boolean | null = null;
  #ask = false;
  /** When the last request was sent. */
  #asked: number | null = null;

  constructor(client: HostClient) {
    this.#client = client;
  }

  /** Watches until the export is settled or the signal is aborted. `first`: what is known of it already. */
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
        : (old ?? { since: Date.now(), estimate: null, said: null })),
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
      // A held request that does not carry this export gives way to one that does, once it is time to ask.
      const held = this.#request;
      new Pause().for(this.#delay([watched]), held.signal).then(
        () => held.abort(),
        () => {},
      );
    }
    if (this.#running) this.#pause.wake();
    else void this.#run((this.#running = new AbortController()));
  }

  /** Milliseconds until the next request where the host has asked for a long wait; else null. */
  get waitLeft(): number | null {
    const left = this.#notBefore - Date.now();
    return left > shownWaitMs ? left : null;
  }

  /** Asks at once, whatever the schedule or the host says: a person wants it. */
  refresh(): void {
    this.#notBefore = 0;
    this.#askNow();
  }

  /** Asks as soon as the host allows. A request under way is given up: its connection may be long dead. */
  #askNow(): void {
    this.#ask = true;
    this.#request?.abort();
    this.#pause.wake();
  }

  /** Somebody has come back: short waits are kept to, long ones have been long enough. */
  #returned(): void {
    if (this.#notBefore - Date.now() > heldWaitMs) this.#notBefore = 0;
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
    this.#notBefore = 0;
    this.#failures = 0;
    this.#ask = false;
  }

  async #run({ signal }: AbortController): Promise<void> {
    onReturn(() => this.#returned(), signal);
    // Focus comes and goes within a page: only a host that has failed is asked again for it.
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
          // Woken early by a change of what is watched: plan again. (By the clock it could not be told: timers may be early.)
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
    const wait = this.#ask ? 0 : holdSeconds;
    this.#ask = false;
    const ids = [...this.#watched.keys()].slice(0, mostIds);
    const request = (this.#request = new AbortController());
    const began = (this.#asked = Date.now());
    try {
      const answer = await this.#client.exportsById(ids, {
        wait,
        signal: AbortSignal.any([signal, request.signal]),
      });
      this.#failures = 0;
      const news = this.#tell(ids, answer);
      if (wait) this.#held = answer.held && (news || Date.now() - began >= leastHold);
    } catch (cause) {
      if (signal.aborted || request.signal.aborted) return;
      this.#fail(cause);
    } finally {
      this.#request = null;
      request.abort();
    }
  }

  /** Hands the answer on; true where it brought news. */
  #tell(ids: readonly string[], { value, skew }: HostAnswer<Export[]>): boolean {
    const byId = new Map(value.map((one) => [one.id, one]));
    let news = false;
    for (const id of ids) {
      const watched = this.#watched.get(id);
      if (!watched) continue;
      // Turns: with more ids than one request carries, those asked about go to the end.
      this.#watched.delete(id);
      const one = byId.get(id);
      if (one?.status === 'processing') {
        const times = timesOf(one, skew, watched.said);
        this.#watched.set(id, { ...watched, ...times, missing: 0, known: true });
      } else if (!one && ++watched.missing < 2) {
        // A list may lag behind a start: one miss proves nothing.
        this.#watched.set(id, watched);
        if (!watched.known) this.#ask = true;
        continue;
      } else {
        news = true;
      }
      for (const listener of [...watched.listeners]) {
        listener.stalled(null);
        if (one) listener.heard(one, skew);
        else listener.gone();
      }
    }
    if (!this.#watched.size) this.#stop();
    return news;
  }

  #fail(cause: unknown): void {
    const error = toClipError(cause);
    const listeners = [...this.#watched.values()].flatMap(({ listeners }) => [...listeners]);
    if (error.status === 401 || error.status === 403 || error.status === 400) {
      this.#watched.clear();
      this.#stop();
      for (const listener of listeners) listener.refused(error);
      return;
    }
    this.#failures++;
    const retryAfter = cause instanceof HttpError ? cause.retryAfter : null;
    if (retryAfter !== null) {
      this.#notBefore = Date.now() + Math.min(retryAfter, longestRetryAfterMs);
    }
    if (this.#failures < lasting && this.waitLeft === null) return;
    for (const listener of listeners) listener.stalled(error);
  }
}
