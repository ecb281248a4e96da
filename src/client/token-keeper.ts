import { backoff } from '../flow/backoff.ts';
import { isHurried, renewalDelay } from '../flow/token-renewal.ts';
import { ClipError } from './clip-error.ts';
import { toClipError } from './host-errors.ts';
import { onReturn, Pause } from './pause.ts';
import { stopwatch } from './stopwatch.ts';
import { grantOf, type TokenGrant, type TokenStore } from './token-store.ts';

export type GetToken = (context: { project: string; signal: AbortSignal }) => Promise<
  | string
  | {
      token: string;
      /** When the token ends. */
      expiresAt?: Date | string | number | null;
      /** Seconds until the token ends; no clock is needed to read it, so it wins over `expiresAt`. */
      expiresIn?: number | null;
    }
>;

export interface TokenSource {
  readonly project: string;
  /** The page's own function; wins over the store. */
  readonly getToken: GetToken | null;
  readonly store: TokenStore | null;
}

/** A grant of the source. `stale`: the token that it is to replace. Rejects with a {@link ClipError}, or the signal's reason. */
export const obtainToken = async (
  { project, getToken, store }: TokenSource,
  signal: AbortSignal,
  stale?: string,
): Promise<TokenGrant> => {
  try {
    if (!getToken) return await store!.get(project, signal, stale);
    const answer = await getToken({ project, signal });
    signal.throwIfAborted();
    const given = typeof answer === 'string' ? { token: answer } : answer;
    const { token, expiresAt = null, expiresIn } = given;
    if (typeof token !== 'string' || !token) throw new TypeError('getToken gave no token');
    if (expiresIn! > 0)
      return { token, life: { ms: expiresIn! * 1000, sure: true }, age: stopwatch() };
    const end = expiresAt === null ? NaN : new Date(expiresAt).getTime();
    return grantOf({
      token,
      expiresAt: Number.isNaN(end) ? null : end,
      skew: null,
      fresh: stale !== undefined && token !== stale,
    });
  } catch (cause) {
    signal.throwIfAborted();
    const error = toClipError(cause);
    throw getToken && error.code === 'load-failed'
      ? new ClipError('token-failed', 'Access to this clip could not be obtained.', {
          cause,
          retryable: true,
        })
      : error;
  }
};

/** Failures in a row after which a person is told, if the token has ended by then. */
const lasting = 3;

export interface Renewal {
  renewed(grant: TokenGrant): void;
  /** Renewing has failed for a while and the token has ended. It is tried further. */
  failing(error: ClipError): void;
}

/** Renews a token for as long as the signal lives: before its end, when the page returns, and on {@link now}. */
export class TokenKeeper {
  readonly #source: TokenSource;
  readonly #signal: AbortSignal;
  readonly #listener: Renewal;
  readonly #pause = new Pause();
  #grant: TokenGrant;
  #wanted = false;

  constructor(source: TokenSource, grant: TokenGrant, signal: AbortSignal, listener: Renewal) {
    this.#source = source;
    this.#grant = grant;
    this.#signal = signal;
    this.#listener = listener;
    onReturn(() => this.#pause.wake(), signal);
    this.#run().catch(() => {});
  }

  /** Renews at once. */
  now(): void {
    this.#wanted = true;
    this.#pause.wake();
  }

  async #run(): Promise<void> {
    let failures = 0;
    let hurries = 0;
    let wait = renewalDelay(this.#grant.life);
    let waited = this.#grant.age;
    while (!this.#signal.aborted) {
      await this.#pause.for(
        wait === null ? null : Math.max(0, Math.ceil(wait - waited())),
        this.#signal,
      );
      if (!this.#wanted && (wait === null || waited() < wait)) continue;
      this.#wanted = false;
      try {
        hurries = isHurried(this.#grant.life) ? hurries + 1 : 0;
        this.#grant = await obtainToken(this.#source, this.#signal, this.#grant.token);
        failures = 0;
        wait = renewalDelay(this.#grant.life, hurries);
        waited = this.#grant.age;
        this.#listener.renewed(this.#grant);
      } catch (cause) {
        this.#signal.throwIfAborted();
        failures++;
        wait = backoff(failures, Math.random());
        waited = stopwatch();
        const { life, age } = this.#grant;
        if (failures >= lasting && (!life || age() >= life.ms)) {
          this.#listener.failing(cause as ClipError);
        }
      }
    }
  }
}
