import { ClipError, isClipError, loadFailed, type ClipErrorCode } from './clip-error.ts';
import { HttpError, SchemaError, TransportError } from './errors.ts';
import { isOtherAccount } from './other-account.ts';

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
export const accountChanged = (cause?: unknown): ClipError =>
  new ClipError(
    'account-changed',
    'You are signed in with another account now. Try again to use it.',
    {
      status: 409,
      retryable: true,
      cause,
    },
  );

/** The error that a page sees for a failed call of the host client. */
export function toClipError(cause: unknown): ClipError {
  if (isClipError(cause)) return cause;
  if (isOtherAccount(cause)) return accountChanged(cause);
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
      return new ClipError('session-refused', message, { status, cause, retryable: true });
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
      ? new ClipError('timeout', 'No answer came in time.', { cause, retryable: true })
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
