import { SourceError } from 'clip-engine';
import { problemStatuses, type FieldError, type ProblemCode } from 'clip-kit/contract';

const titles: Readonly<Record<ProblemCode, string>> = {
  'invalid-request': 'The request does not fit',
  unauthenticated: 'Not authenticated',
  'export-limit': 'The plan allows no more exports',
  forbidden: 'Not allowed',
  'clip-not-found': 'Clip not found',
  'export-not-found': 'Export not found',
  'not-found': 'Not found',
  'method-not-allowed': 'Method not allowed',
  'attempt-mismatch': 'Attempt key used again',
  'body-too-large': 'Body too large',
  'unsupported-media-type': 'Unsupported media type',
  unprocessable: 'Cannot be processed',
  'rate-limited': 'Too many requests',
  'internal-error': 'Internal error',
  'service-error': 'Service error',
  'service-unavailable': 'Service unavailable',
  'service-timeout': 'Timed out',
};

/** An answer that is an error: thrown anywhere in a route, sent as `application/problem+json`. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly code: ProblemCode;
  readonly errors: FieldError[] | undefined;
  /** A finer word than the code, for a program. */
  readonly reason: string | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ProblemCode,
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

/** The problem's answer. `error` repeats the sentence, for clients that only know 4.10's shape. */
export const problemResponse = (error: ApiError): Response => {
  const status = problemStatuses[error.code];
  const body = {
    type: 'about:blank',
    title: titles[error.code],
    status,
    code: error.code,
    detail: error.message,
    error: error.message,
    ...(error.errors && { errors: error.errors }),
    ...(error.reason !== undefined && { reason: error.reason }),
  };
  return new Response(JSON.stringify(body), {
    status,
    headers: {
      'Content-Type': 'application/problem+json',
      'Cache-Control': 'no-store',
      ...error.headers,
    },
  });
};

/** The database server is away. A call that writes may have been carried out, or not. */
export const databaseGone = (): ApiError =>
  new ApiError(
    'service-unavailable',
    'The database of the service does not answer: try again in a moment.',
    { reason: 'database-unavailable', headers: { 'Retry-After': '5' } },
  );

/** A source or watermark that cannot be used, as an answer (422) that names the field. */
export const sourceProblem = (error: SourceError): ApiError =>
  new ApiError('unprocessable', error.message, {
    errors: [{ path: error.field, message: error.message }],
    reason: error.code,
  });
