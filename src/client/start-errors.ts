import { ClipError } from './clip-error.ts';
import { HttpError, isOtherAccount, toClipError } from './errors.ts';
import type { StartErrors } from './paid-start.ts';

/** The error that a page sees for a failed upload. */
export function toUploadError(cause: unknown): ClipError {
  if (!(cause instanceof HttpError) || isOtherAccount(cause)) return toClipError(cause);
  const { status, problem } = cause;
  if (status === 402) {
    return new ClipError('task-limit', 'Your plan allows no more videos at the moment.', {
      status,
      cause,
      retryable: true,
    });
  }
  if (status === 507) {
    const message = 'There is no room for this file at the moment. Try again later.';
    return new ClipError('storage-full', message, { status, cause, retryable: true });
  }
  const isOpening = cause.call.method === 'POST' && cause.call.path === '/uploads';
  const isGone = isOpening
    ? status === 409
    : status === 404 && problem?.code !== 'endpoint-not-found';
  if (isGone || status === 410) {
    const message = 'What was sent of this file is no longer there. Send it again.';
    return new ClipError('upload-gone', message, { status, cause, retryable: true });
  }
  if (status === 413 || status === 415 || (status === 422 && problem)) {
    const message = problem?.detail || problem?.title || 'This file cannot be used.';
    return new ClipError('upload-refused', message, { status, cause });
  }
  return toClipError(cause);
}

function toStartError(cause: unknown): ClipError {
  if (cause instanceof HttpError && (cause.status === 400 || cause.status === 422)) {
    const { problem, status } = cause;
    const [field] = problem?.errors ?? [];
    const message = problem?.detail || (field && `${field.path}: ${field.message}`);
    return new ClipError('task-refused', message || 'The service does not take this request.', {
      status,
      cause,
    });
  }
  return toUploadError(cause);
}

/** The errors that a page sees for the start of a task. */
export const taskErrors: StartErrors = {
  lost: (cause) =>
    new ClipError(
      'task-outcome-unknown',
      'It is not known yet whether the clips are being made. This is being checked; nothing is started twice.',
      { retryable: true, cause },
    ),
  unresolved: (cause) =>
    new ClipError(
      'task-outcome-unresolved',
      'This site cannot say whether the clips are being made. Look at your videos first: trying again may use up another one.',
      { retryable: true, cause },
    ),
  refused: toStartError,
};
