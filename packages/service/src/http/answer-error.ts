import { errorText, SourceError } from 'clip-engine';
import type { ErrorHandler } from 'hono';
import { ExportRefused } from '../exports/allowance.ts';
import { LimitReached } from '../users/limits.ts';
import { SourceGone } from '../exports/start-export.ts';
import type { Log } from '../config/config.ts';
import { KeyMismatch } from './queries.ts';
import { machineFault } from '../operations/machine-fault.ts';
import { UserGone } from '../queue/turn-queries.ts';
import { isDatabaseGone, isDeletedMeanwhile } from '../db/unavailable.ts';
import { isStorageGone } from '../storage/unavailable.ts';
import type { AppEnv } from './methods.ts';
import {
  ApiError,
  databaseGone,
  problemResponse,
  sourceProblem,
  storageGone,
  unknownUser,
} from './problem.ts';
import { loggedPath } from './request-log.ts';
import { uploadProblem } from './upload-problem.ts';

/** The problem of what is known to go wrong; null for what nobody expected. */
function knownProblem(error: unknown): ApiError | null {
  if (error instanceof ApiError) return error;
  if (error instanceof SourceError) return sourceProblem(error);
  if (error instanceof ExportRefused) return new ApiError('export-limit', error.message);
  if (error instanceof KeyMismatch) return new ApiError('attempt-mismatch', error.message);
  if (error instanceof SourceGone) {
    return new ApiError('unprocessable', error.message, { reason: 'source-gone' });
  }
  if (error instanceof UserGone) return unknownUser();
  if (isDeletedMeanwhile(error)) {
    return new ApiError('not-found', 'What this request is about was deleted at the same moment.');
  }
  if (error instanceof LimitReached) {
    const { message, reason, retryAfter } = error;
    return new ApiError('rate-limited', message, {
      reason,
      headers: { 'Retry-After': String(retryAfter) },
    });
  }
  return uploadProblem(error);
}

/** The problem of anything that was thrown. What nobody expected is logged, unless `quiet`. */
export function problemOf(
  log: Log,
  error: unknown,
  { path, quiet }: { path: string; quiet: boolean },
): ApiError {
  const known = knownProblem(error);
  if (known) return known;
  if (!quiet) {
    log({
      event: 'request-error',
      level: 'error',
      path: loggedPath(path),
      message: errorText(error),
    });
  }
  if (isDatabaseGone(error)) return databaseGone();
  if (isStorageGone(error)) return storageGone();
  const fault = machineFault(error);
  if (fault) {
    const { code: reason, message } = fault;
    return new ApiError('service-unavailable', message, { reason });
  }
  return new ApiError('internal-error', 'Something failed in the service. Its log says more.');
}

/** Answers what a route has thrown with a problem. */
export const answerError =
  (log: Log): ErrorHandler<AppEnv> =>
  (error, c) =>
    problemResponse(problemOf(log, error, { path: c.req.path, quiet: c.req.raw.signal.aborted }));
