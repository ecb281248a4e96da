import type { FieldError, Problem } from '../contract/problem.ts';
import { ClipError, type ClipErrorCode, isClipError, loadFailed } from './clip-error.ts';

/** A call in messages: the method and the path, never a header, a body or a query. */
export interface CallName {
  readonly method: string;
  readonly path: string;
}

const nameCall = (call: CallName): string => `${call.method} ${call.path}`;

/** Base class of the errors of a call. None of them holds a header, a key or a token. */
export abstract class CallError extends Error {
  readonly call: CallName;

  constructor(call: CallName, message: string, options?: ErrorOptions) {
    super(`${nameCall(call)}: ${message}`, options);
    this.call = call;
    this.name = new.target.name;
  }
}

/**
 * No answer came: no connection, a lost connection, or a timeout. Whether the call was carried out
 * is not known.
 */
export class TransportError extends CallError {
  /** True after a timeout. */
  readonly timedOut: boolean;

  constructor(call: CallName, timedOut: boolean, options?: ErrorOptions) {
    super(
      call,
      timedOut ? 'no answer in the time given' : 'no answer (connection failed)',
      options,
    );
    this.timedOut = timedOut;
  }
}

/** An answer with a status other than 2xx. */
export class HttpError extends CallError {
  readonly status: number;
  /** The problem body, or null if there was none. */
  readonly problem: Problem | null;
  /** Milliseconds of the `Retry-After` header, or null. */
  readonly retryAfter: number | null;

  constructor(
    call: CallName,
    status: number,
    problem: Problem | null,
    retryAfter: number | null,
    options?: ErrorOptions,
  ) {
    super(call, `answered ${status}${problem?.code ? ` (${problem.code})` : ''}`, options);
    this.status = status;
    this.problem = problem;
    this.retryAfter = retryAfter;
  }
}

/** A 2xx answer whose body does not have the specified shape. */
export class SchemaError extends CallError {
  readonly errors: readonly FieldError[];

  constructor(call: CallName, errors: readonly FieldError[], options?: ErrorOptions) {
    const [first] = errors;
    const where = first ? ` (${first.path || 'body'}: ${first.message})` : '';
    super(call, `answered with an unexpected body${where}`, options);
    this.errors = errors;
  }
}

/** The host has refused a call of this page's account, because another one is signed in. */
export const isOtherAccount = (cause: unknown): boolean =>
  cause instanceof HttpError && cause.problem?.code === 'account-changed';

const byStatus: Readonly<Record<number, readonly [ClipErrorCode, string]>> = {
  400: ['invalid-request', 'The request was not accepted by this site.'],
  401: ['unauthenticated', 'You are not signed in. Sign in and try again.'],
  402: ['export-limit', 'Your plan allows no more exports at the moment.'],
  403: ['forbidden', 'You are not allowed to do this.'],
  404: ['clip-not-found', 'This clip was not found in your account.'],
  409: ['attempt-mismatch', 'This export was already asked for with other options.'],
  422: ['invalid-request', 'The request was not accepted by this site.'],
  429: ['rate-limited', 'Too many requests. Wait a moment and try again.'],
};

/** Nothing was done, because the page shows another account than the one that is signed in. */
export const makeAccountChangedError = (cause?: unknown): ClipError =>
  new ClipError(
    'account-changed',
    'You are signed in with another account now. Try again to use it.',
    {
      status: 409,
      retryable: true,
      cause,
    },
  );

/**
 * The page has no session that its host takes. `why` is for the page's author, and goes to the
 * console and the cause; a visitor can only try again.
 */
export function makeSessionError(
  code: 'session-failed' | 'session-refused',
  why: string,
  { status = null, cause }: { status?: number | null; cause?: unknown } = {},
): ClipError {
  console.error(`clip-kit: ${code}: ${why}`);
  const text = 'Your sign-in could not be checked. Try again in a moment.';
  return new ClipError(code, text, { status, retryable: true, cause: new Error(why, { cause }) });
}

/** The error that a page sees for a failed call of the host client. */
export function toClipError(cause: unknown): ClipError {
  if (isClipError(cause)) return cause;
  if (isOtherAccount(cause)) return makeAccountChangedError(cause);
  if (cause instanceof HttpError) {
    const { status } = cause;
    // A host says what it did not find. Without a code the 404 is the web server's.
    const code = cause.problem?.code ?? 'endpoint-not-found';
    if (status === 404 && code === 'endpoint-not-found') {
      return new ClipError(
        'endpoint-not-found',
        'This page asks at the wrong address: nothing answers at its endpoint.',
        { status, cause },
      );
    }
    if (/^session-/.test(code)) {
      // The host's own words are for the page's author, and hold no secret.
      const why = cause.problem?.detail || code;
      const message = `The clip host does not take the session of this page: ${why}`;
      return makeSessionError('session-refused', message, { status, cause });
    }
    const known = byStatus[status];
    if (known && code === 'export-not-found') {
      return new ClipError('export-not-found', 'This export no longer exists.', { status, cause });
    }
    return known
      ? new ClipError(...known, { status, cause, retryable: status === 429 || status === 401 })
      : new ClipError('service-error', 'The service has a problem. Try again in a moment.', {
          status,
          cause,
          retryable: status >= 500,
        });
  }
  if (cause instanceof TransportError) {
    return cause.timedOut
      ? new ClipError('timeout', 'The request timed out.', { cause, retryable: true })
      : new ClipError('network', 'The connection failed.', { cause, retryable: true });
  }
  if (cause instanceof SchemaError) {
    return new ClipError('invalid-answer', 'This site gave an answer that could not be read.', {
      cause,
      retryable: true,
    });
  }
  return loadFailed(cause);
}
