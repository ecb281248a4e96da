import type { FieldError, ProblemCode } from 'clip-kit/contract';

/** The codes of the service; the last four are of no host. */
export type Code = ProblemCode | 'tus-required' | 'offset-mismatch' | 'upload-busy' | 'no-room';

/**
 * Why what is asked for cannot be done: thrown anywhere in a request, and answered as
 * `application/problem+json`.
 */
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
export const unknownUser = (): ApiError =>
  new ApiError(
    'forbidden',
    'X-On-Behalf-Of must be the id of a managed user of this organization.',
  );

/** The address names a clip that there is not, or another user's. */
export const noClip = (): ApiError => new ApiError('clip-not-found', 'There is no such clip.');

/**
 * What is asked for cannot be done.
 * @param reason for a program
 * @param field of the request, whose fault it is
 */
export const unprocessable = (message: string, reason: string, field?: string): ApiError =>
  new ApiError('unprocessable', message, {
    reason,
    ...(field !== undefined && { errors: [{ path: field, message }] }),
  });
