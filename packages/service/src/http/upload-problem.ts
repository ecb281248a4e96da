import { UploadLost, UploadUnusable } from '../uploads/queries.ts';
import { HeadTooShort } from '../uploads/upload-head.ts';
import { NoRoom, UploadTooLarge } from '../uploads/upload-limits.ts';
import { UploadBusy } from '../uploads/upload-locks.ts';
import { ChecksumMismatch, UploadTaken } from '../uploads/upload-store.ts';
import { ApiError } from './problem.ts';

/** The problem of what is known to go wrong with uploads; null for anything else. */
export function uploadProblem(error: unknown): ApiError | null {
  if (error instanceof UploadTooLarge) return new ApiError('body-too-large', error.message);
  if (error instanceof NoRoom) return new ApiError('no-room', error.message);
  if (error instanceof UploadBusy || error instanceof UploadLost) {
    return new ApiError('upload-busy', error.message);
  }
  if (error instanceof UploadUnusable) {
    const errors = [{ path: error.field, message: error.message }];
    return new ApiError('unprocessable', error.message, { errors, reason: error.reason });
  }
  if (error instanceof HeadTooShort) {
    return new ApiError('unprocessable', error.message, { reason: 'head-too-short' });
  }
  if (error instanceof ChecksumMismatch) {
    return new ApiError('unprocessable', error.message, { reason: 'checksum' });
  }
  if (error instanceof UploadTaken) {
    return new ApiError('unprocessable', error.message, { reason: 'upload-taken' });
  }
  return null;
}

/** What tus itself refuses, in our words. */
const tusProblems: Readonly<Record<number, () => ApiError>> = {
  404: () =>
    new ApiError(
      'not-found',
      'There is no such upload. It may have been deleted, or removed because nothing was sent for a day: make a new one.',
    ),
  409: () =>
    new ApiError(
      'offset-mismatch',
      'Upload-Offset is not the number of bytes that have arrived. Ask for it by HEAD, and go on from there.',
    ),
  412: () => new ApiError('tus-required', 'This address speaks tus 1.0: Tus-Resumable: 1.0.0.'),
  413: () =>
    new ApiError('body-too-large', 'More bytes were sent than the upload was created for.'),
};

/** The problem of an error of the tus server, with its status and text. */
export const tusProblem = (status: number, text: string): ApiError =>
  tusProblems[status]?.() ??
  (status >= 500
    ? new ApiError('internal-error', 'Something failed in the service. Its log says more.')
    : new ApiError('invalid-request', `${text.trim()}.`));
