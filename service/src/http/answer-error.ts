import { errorText, SourceError } from 'clip-engine';
import type { ErrorHandler } from 'hono';
import { ExportRefused } from '../accounts/allowance.ts';
import { LimitReached } from '../accounts/limits.ts';
import { SourceGone } from '../exports/start-export.ts';
import type { Log } from '../config/config.ts';
import { KeyMismatch } from '../db/idempotency-keys.ts';
import { machineFault } from '../machine-fault.ts';
import { UserGone } from '../db/turns.ts';
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

/** Answers what a route has thrown with a problem; what nobody expected is logged. */
export const answerError =
  (log: Log): ErrorHandler<AppEnv> =>
  (error, c) => {
    if (error instanceof ApiError) return problemResponse(error);
    if (error instanceof SourceError) return problemResponse(sourceProblem(error));
    if (error instanceof ExportRefused) {
      return problemResponse(new ApiError('export-limit', error.message));
    }
    if (error instanceof KeyMismatch) {
      return problemResponse(new ApiError('attempt-mismatch', error.message));
    }
    if (error instanceof SourceGone) {
      return problemResponse(
        new ApiError('unprocessable', error.message, { reason: 'source-gone' }),
      );
    }
    if (error instanceof UserGone) return problemResponse(unknownUser());
    if (isDeletedMeanwhile(error)) {
      return problemResponse(
        new ApiError('not-found', 'What this request is about was deleted at the same moment.'),
      );
    }
    if (error instanceof LimitReached) {
      const { message, reason, retryAfter } = error;
      const headers = { 'Retry-After': String(retryAfter) };
      return problemResponse(new ApiError('rate-limited', message, { reason, headers }));
    }
    if (!c.req.raw.signal.aborted) {
      log({
        event: 'request-error',
        level: 'error',
        path: loggedPath(c.req.path),
        message: errorText(error),
      });
    }
    if (isDatabaseGone(error)) return problemResponse(databaseGone());
    if (isStorageGone(error)) return problemResponse(storageGone());
    const fault = machineFault(error);
    if (fault) {
      const { code: reason, message } = fault;
      return problemResponse(new ApiError('service-unavailable', message, { reason }));
    }
    return problemResponse(
      new ApiError('internal-error', 'Something failed in the service. Its log says more.'),
    );
  };
