import { backoff } from '../flow/backoff.ts';
import { ClipError } from './clip-error.ts';
import { toClipError } from './host-errors.ts';
import { onReturn, Pause } from './pause.ts';
import { grantOf, type TokenGrant, type TokenStore } from './token-store.ts';

export type GetToken = (context: {
  project: string;
  signal: AbortSignal;
}) => Promise<string | { token: string; expiresAt?: Date | string | number | null }>;

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
    const { token, expiresAt = null } = typeof answer === 'string' ? { token: answer } : answer;
    if (typeof token !== 'string' || !token) throw new TypeError('getToken gave no token');
    const end = expiresAt === null ? null : new Date(expiresAt).getTime();
    return grantOf(token, Number.isNaN(end) ? null : end, 0);
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
    let due = this.#grant.renewAt;
    while (!this.#signal.aborted) {
      await this.#pause.for(due === null ? null : Math.max(0, due - Date.now()), this.#signal);
      if (!this.#wanted && (due === null || Date.now() < due)) continue;
      this.#wanted = false;
      try {
        this.#grant = await obtainToken(this.#source, this.#signal, this.#grant.token);
        failures = 0;
        due = this.#grant.renewAt;
        this.#listener.renewed(this.#grant);
      } catch (cause) {
        this.#signal.throwIfAborted();
        failures++;
        due = Date.now() + backoff(failures, Math.random());
        const { end } = this.#grant;
        if (failures >= lasting && (end === null || end <= Date.now())) {
          this.#listener.failing(cause as ClipError);
        }
      }
    }
  }
}
