import type { FieldError } from 'clip-kit/contract';

/** The codes of the service, each with its meaning. `npm run docs` writes them into the docs. */
export const meanings = {
  'invalid-request':
    'the body or query is invalid: fields or query parameters that the call does not have, values out of range, a minimum over its maximum, or more than 64 levels of nesting',
  unauthenticated: 'the key is missing or unknown. With `WWW-Authenticate`',
  'export-limit': 'the plan allows no more exports, or is paused or past due',
  forbidden:
    '`X-On-Behalf-Of` does not name a managed user of this organization, or the call cannot be made on behalf of a user',
  'not-found': 'it does not exist, or belongs to another user',
  'clip-not-found': 'the clip does not exist, or belongs to another user',
  'export-not-found': 'the export does not exist, or belongs to another user',
  'method-not-allowed': 'the address does not support the method. With `Allow`',
  'attempt-mismatch':
    'the `Idempotency-Key` was used for another request, or what it created was deleted',
  'offset-mismatch': 'the upload is at another offset: `HEAD` returns it',
  'revision-changed': 'the clip is at another revision, which `ETag` names',
  'tus-required': 'the address of an upload accepts only tus 1.0',
  'body-too-large': 'the body is over 64 kB, or the file over the limit for uploads',
  'unsupported-media-type': 'the body is not JSON. An absent body counts as `{}`',
  unprocessable: 'the request is valid, but cannot be carried out: `reason` says why',
  'upload-busy': 'another connection is still sending to the upload',
  'revision-missing': '`If-Match` is missing',
  'rate-limited': 'a limit is reached: `reason` says which. With `Retry-After` in seconds',
  'internal-error':
    'a bug or an unknown fault: look in the log for the `X-Request-Id` of the answer',
  'service-unavailable': 'the service is stopping, or cannot work: `reason` says why',
  'service-timeout':
    'the export of a download failed or took over 10 minutes. `error` is `Export timed out or failed.`',
  'no-room': 'the disk has no room for an upload',
} as const;

export type Code = keyof typeof meanings;

/** An error that a request throws anywhere, answered as `application/problem+json`. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly code: Code;
  readonly errors: FieldError[] | undefined;
  /** A finer word than the code, for a program. */
  readonly reason: string | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: Code,
    detail: string,
    more: { errors?: FieldError[]; reason?: string; headers?: Record<string, string> } = {},
  ) {
    super(detail);
    this.code = code;
    this.errors = more.errors;
    this.reason = more.reason;
    this.headers = more.headers ?? {};
  }
}

/** The request names a user that the organization does not have, or has no more. */
export const makeUnknownUserError = (): ApiError =>
  new ApiError(
    'forbidden',
    'X-On-Behalf-Of must be the id of a managed user of this organization.',
  );

/** The address names a clip that there is not, or another user's. */
export const makeNoClipError = (): ApiError =>
  new ApiError('clip-not-found', 'There is no such clip.');

/**
 * Makes the error of a request that cannot be carried out.
 * @param reason for a program
 * @param field of the request, whose fault it is
 */
export const makeUnprocessableError = (message: string, reason: string, field?: string): ApiError =>
  new ApiError('unprocessable', message, {
    reason,
    ...(field !== undefined && { errors: [{ path: field, message }] }),
  });
