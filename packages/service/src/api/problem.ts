import { problemStatuses, problemTitles, type ProblemCode } from 'clip-kit/contract';
import { ApiError, type Code } from '../api-error.ts';

/** Statuses of the codes that only the service answers, and no host. */
const ownStatuses: Readonly<Record<Exclude<Code, ProblemCode>, number>> = {
  'tus-required': 412,
  'offset-mismatch': 409,
  'upload-busy': 423,
  'no-room': 507,
};

export const statuses: Readonly<Record<Code, number>> = { ...problemStatuses, ...ownStatuses };

/** The contract's titles, except those that are worded for a host in front of the service. */
const titles: Readonly<Record<Code, string>> = {
  ...problemTitles,
  unauthenticated: 'Not authenticated',
  'service-unavailable': 'Service unavailable',
  'service-timeout': 'Timed out',
  'tus-required': 'Not a tus 1.0 request',
  'offset-mismatch': 'Wrong upload offset',
  'upload-busy': 'Upload in use by another connection',
  'no-room': 'Not enough disk space',
};

/** The problem's answer. `error` repeats the sentence, for clients that only know 4.10's shape. */
export function answerProblem(error: ApiError): Response {
  const status = statuses[error.code];
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
      'X-Content-Type-Options': 'nosniff',
      ...error.headers,
    },
  });
}

const makeAwayError = (reason: string, part: string): ApiError =>
  new ApiError(
    'service-unavailable',
    `The ${part} of the service is not responding. Try again in a moment.`,
    { reason, headers: { 'Retry-After': '5' } },
  );

/** The database server is away. A call that writes may have been carried out, or not. */
export const makeDatabaseGoneError = (): ApiError =>
  makeAwayError('database-unavailable', 'database');

/** The object storage is away. */
export const makeStorageGoneError = (): ApiError =>
  makeAwayError('storage-unavailable', 'file storage');
