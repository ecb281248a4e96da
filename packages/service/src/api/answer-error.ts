import { formatError, SourceError } from 'clip-engine';
import type { ErrorHandler } from 'hono';
import type { Log } from '../config/config.ts';
import { isDatabaseGone, isNotThere, findMachineFault } from '../db/connections.ts';
import { isStorageGone } from '../storage/storage.ts';
import type { AppEnv } from './methods.ts';
import { ApiError, makeUnprocessableError } from '../api-error.ts';
import { makeDatabaseGoneError, answerProblem, makeStorageGoneError } from './problem.ts';
import { hidePath } from './request-log.ts';

/** Refusals of tus itself, in our words. */
const tusProblems: Readonly<Record<number, () => ApiError>> = {
  404: () =>
    new ApiError(
      'not-found',
      'There is no such upload. It was deleted, or expired because no data arrived for a day. Create a new one.',
    ),
  409: () =>
    new ApiError(
      'offset-mismatch',
      'Upload-Offset is not the number of bytes received. Send HEAD to get the offset, and continue from there.',
    ),
  412: () =>
    new ApiError(
      'tus-required',
      'This address accepts tus 1.0 only. Send the header Tus-Resumable: 1.0.0.',
    ),
  413: () =>
    new ApiError(
      'body-too-large',
      'More bytes were sent than the size given when the upload was created.',
    ),
};

/** The problem of an error of the tus server, with its status and text. */
export const makeTusProblem = (status: number, text: string): ApiError =>
  tusProblems[status]?.() ??
  (status >= 500
    ? new ApiError('internal-error', 'The service failed. Its log has the details.')
    : new ApiError('invalid-request', `${text.trim()}.`));

/** Returns the problem of any error. An unexpected one is logged, unless `quiet`. */
export function makeProblem(
  log: Log,
  error: unknown,
  { path, quiet }: { path: string; quiet: boolean },
): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof SourceError)
    return makeUnprocessableError(error.message, error.code, error.field);
  if (isNotThere(error)) {
    const detail = 'What this request names does not exist, or was just deleted.';
    return new ApiError('not-found', detail);
  }
  if (!quiet) {
    log({
      event: 'request-error',
      level: 'error',
      path: hidePath(path),
      message: formatError(error),
    });
  }
  if (isDatabaseGone(error)) return makeDatabaseGoneError();
  if (isStorageGone(error)) return makeStorageGoneError();
  const fault = findMachineFault(error);
  if (fault) {
    const { code: reason, message } = fault;
    return new ApiError('service-unavailable', message, { reason });
  }
  return new ApiError('internal-error', 'The service failed. Its log has the details.');
}

/** Answers what a route has thrown with a problem. */
export const answerError =
  (log: Log): ErrorHandler<AppEnv> =>
  (error, c) =>
    answerProblem(makeProblem(log, error, { path: c.req.path, quiet: c.req.raw.signal.aborted }));
