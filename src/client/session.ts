import { ClipError, isClipError } from './clip-error.ts';
import type { GetSession } from './page-state.ts';
import { makeSessionError } from './errors.ts';
import { parseJson } from './host-answers.ts';
import { onFocus, onReturn, limitTime } from './pause.ts';
import {
  type ReceivedToken,
  computeRenewalDelay,
  computeTokenLife,
  type TokenLife,
} from '../flow/token-renewal.ts';

/** The timeout of the site's answer in milliseconds. */
const timeoutMs = 15_000;

/** Three parts in base64url: what a header can carry, and no page of HTML. */
const jwt = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** The session itself is in no error. */
const makeSessionFailedError = (what: string, cause?: unknown): ClipError =>
  makeSessionError(
    'session-failed',
    `${what}. It must answer {"session": "…"} as JSON, or 401 when no user is signed in.`,
    { cause },
  );

/** No user is signed in: a state of the elements, and no fault. */
const makeSignedOutError = (): ClipError =>
  new ClipError('signed-out', 'Sign in to continue.', { status: 401 });

/** The last session that was taken from the page, so that each is taken once. */
let taken: string | null = null;

/** The session in the page's `<script type="application/json" data-clip-session>`, if it is new. */
function readSessionInPage(): string | null {
  const text = document.querySelector('script[data-clip-session]')?.textContent;
  const { session } = Object(parseJson(text ?? '')) as { session?: unknown };
  if (typeof session !== 'string' || !jwt.test(session) || session === taken) return null;
  return (taken = session);
}

/** Gets sessions from the page, and then from an address of the site, with its cookies. */
export const fetchSessions =
  (url: string): GetSession =>
  async () => {
    const given = readSessionInPage();
    if (given) return given;
    // Without the query, which is the site's.
    const what = `The session address ${new URL(url).pathname}`;
    const timeout = AbortSignal.timeout(timeoutMs);
    let response: Response;
    let text: string;
    try {
      response = await fetch(url, {
        headers: { Accept: 'application/json' },
        credentials: 'same-origin',
        cache: 'no-store',
        signal: timeout,
      });
      text = await response.text();
    } catch (cause) {
      throw makeSessionFailedError(
        `${what} did not answer${timeout.aborted ? ' in time' : ''}`,
        cause,
      );
    }
    if (response.status === 401) return null;
    const { session } = Object(response.ok && parseJson(text)) as { session?: unknown };
    if (typeof session === 'string' && jwt.test(session)) return session;
    const answered = response.ok
      ? /^\s*</.test(text)
        ? 'a page of HTML'
        : 'no session'
      : response.status;
    throw makeSessionFailedError(
      response.redirected
        ? `${what} was redirected to ${new URL(response.url).pathname}`
        : `${what} answered ${answered}`,
    );
  };

const waitIn = (waits: Set<() => void>, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    waits.add(resolve);
    signal.addEventListener('abort', () => waits.delete(resolve), { once: true });
  });

function endWaits(waits: Set<() => void>): void {
  for (const resolve of waits) resolve();
  waits.clear();
}

/**
 * The session of a page: got when the first call needs it, shared by all, renewed before it ends.
 * It is only in memory and in the `Authorization` header of calls to the host.
 */
export class SessionSource {
  readonly #getSession: GetSession;
  #grant: TokenGrant | null = null;
  /** Another user may have signed in meanwhile. */
  #isDoubtful = false;
  /** The request for a session that all calls wait for; null if none is running. */
  #renewal: PromiseWithResolvers<string> | null = null;
  /** The number of requests for a session so far. */
  #asked = 0;
  /** Callers that wait until a user has signed in. */
  readonly #waiting = new Set<() => void>();
  /** Callers that wait until the user has signed out. */
  readonly #using = new Set<() => void>();

  constructor(getSession: GetSession) {
    this.#getSession = getSession;
    if (!globalThis.document) return;
    const { signal } = new AbortController();
    const doubt = (): void => {
      this.#isDoubtful = true;
      this.#check();
    };
    // People sign in and out in other tabs, or without leaving the page.
    onReturn(doubt, signal);
    addEventListener('clip-session-change', () => {
      // What is being got may be the session of the user before, or never come.
      if (this.#renewal) void this.#ask(this.#renewal);
      doubt();
    });
    onFocus(() => this.#check(), signal);
  }

  /**
   * Returns the session for a call. `refused`: the one that the host has just refused. Rejects with
   * a {@link ClipError}: `signed-out` if no user is signed in, otherwise `session-failed`.
   */
  async get(refused?: string): Promise<string> {
    const grant = this.#grant;
    const isRefused = grant?.token === refused;
    if (grant && !isRefused && !this.#isDoubtful && !isDue(grant)) return grant.token;
    try {
      if (!this.#renewal) void this.#ask((this.#renewal = Promise.withResolvers()));
      return await this.#renewal.promise;
    } catch (cause) {
      // A session is good until its end, even if it cannot be renewed now.
      const isGood = grant && !isRefused && (!grant.life || grant.age() < grant.life.ms);
      if (isGood && this.#grant === grant) return grant.token;
      throw cause;
    }
  }

  /** Resolves once a user is signed in; never if the signal aborts before. */
  signedIn(signal: AbortSignal): Promise<void> {
    return this.#grant ? Promise.resolve() : waitIn(this.#waiting, signal);
  }

  /** Resolves the next time that the site says that no user is signed in, as {@link signedIn}. */
  signedOut(signal: AbortSignal): Promise<void> {
    return waitIn(this.#using, signal);
  }

  #check(): void {
    if (this.#waiting.size) this.get().catch(() => {});
  }

  /** Settles the renewal, unless another session is requested in the meantime. */
  async #ask(renewal: PromiseWithResolvers<string>): Promise<void> {
    const number = ++this.#asked;
    const isNewest = (): boolean => number === this.#asked;
    try {
      const token = await this.#renew(isNewest);
      if (isNewest()) renewal.resolve(token);
    } catch (cause) {
      if (isNewest()) renewal.reject(cause);
    }
    if (isNewest()) this.#renewal = null;
  }

  async #renew(isNewest: () => boolean): Promise<string> {
    let token: string | null;
    try {
      token = await limitTime(this.#getSession(), timeoutMs);
    } catch (cause) {
      throw isClipError(cause) ? cause : makeSessionFailedError('getSession has failed', cause);
    }
    if (!isNewest()) return '';
    if (token === null) {
      this.#grant = null;
      endWaits(this.#using);
      throw makeSignedOutError();
    }
    if (typeof token !== 'string' || !jwt.test(token)) {
      throw makeSessionFailedError('getSession returned no session');
    }
    // `exp - iat`, from now on: a wrong clock of this computer does not matter.
    this.#grant = makeGrant({ token, expiresAt: null, skew: null, fresh: true });
    this.#isDoubtful = false;
    endWaits(this.#waiting);
    return token;
  }
}

/** A token, and how long it lives. */
export interface TokenGrant {
  readonly token: string;
  /** From its receipt on; null if it is not known. */
  readonly life: TokenLife | null;
  /** Milliseconds since its receipt. */
  readonly age: () => number;
}

/** A grant for a token received now. */
export const makeGrant = (received: Omit<ReceivedToken, 'now'>): TokenGrant => ({
  token: received.token,
  life: computeTokenLife({ ...received, now: Date.now() }),
  age: startStopwatch(),
});

/** Whether it is time to replace it. */
export function isDue({ life, age }: TokenGrant): boolean {
  const delay = computeRenewalDelay(life);
  return delay !== null && age() >= delay;
}

/**
 * Returns a function that returns the milliseconds since this call. `performance.now()` ignores
 * changes of the clock, but stops in some browsers while the computer sleeps; the date does not.
 * So a clock that is set back changes nothing, and one that is set forward looks like sleep.
 */
export function startStopwatch(): () => number {
  const ticks = performance.now();
  const date = Date.now();
  return () => Math.max(performance.now() - ticks, Date.now() - date);
}
