import { retryDelay } from '../flow/poll-schedule.ts';
import { ClipError } from './clip-error.ts';
import { HttpError, isOtherAccount, toClipError, TransportError } from './errors.ts';
import { onReturn, Pause } from './pause.ts';
import type { Sending } from './upload-answers.ts';

/** Consecutive failures before an error is shown. */
const failuresToShow = 3;
/** After bytes have arrived, the next try comes soon: a proxy may cut every connection. */
const cutDelayMs = 200;

/** Another try may bring what this one did not. 423 and 409: the last try is not over yet. */
const passes = (cause: unknown): boolean =>
  cause instanceof TransportError ||
  (cause instanceof HttpError &&
    !isOtherAccount(cause) &&
    (cause.status >= 500
      ? cause.status !== 507
      : [408, 409, 423, 425, 429].includes(cause.status)));

/** Rejects if the file was changed, moved or removed: to the network that looks like a cut. */
async function ensureReadable(file: File): Promise<void> {
  try {
    await file.slice(0, 1).arrayBuffer();
  } catch (cause) {
    throw new ClipError(
      'file-unreadable',
      'The file cannot be read any more: it was moved, changed or deleted. Choose it again.',
      { cause },
    );
  }
}

/** Sends a file until all of it has arrived, over any number of cuts. Ends with the signal. */
export async function sendFile(sending: Sending): Promise<void> {
  const { upload, file, signal, onSent, onStalled } = sending;
  const pause = new Pause();
  const life = new AbortController();
  onReturn(() => pause.wake(), AbortSignal.any([signal, life.signal]));
  let arrivedBytes = upload.offset;
  let failures = 0;
  let hasRenewed = false;
  const update = (bytes: number, arrived: boolean): void => {
    if (arrived && bytes > arrivedBytes) {
      arrivedBytes = bytes;
      if (failures >= failuresToShow) onStalled(null);
      failures = 0;
      hasRenewed = false;
    }
    onSent(bytes, arrived);
  };
  const { sendByTus } = await import('./send-by-tus.ts');
  try {
    for (;;) {
      try {
        await sendByTus({ ...sending, onSent: update });
        return;
      } catch (cause) {
        signal.throwIfAborted();
        const { session } = sending.host;
        // The answer to a HEAD has no body that says why.
        if (session && !hasRenewed && cause instanceof HttpError && cause.status === 401) {
          hasRenewed = true;
          session.doubt();
          continue;
        }
        if (!passes(cause)) throw cause;
        await ensureReadable(file);
        const retryAfter = cause instanceof HttpError ? cause.retryAfter : null;
        const jitter = Math.random();
        const delayMs = failures
          ? retryDelay({ failures, retryAfter, hidden: false, jitter })
          : Math.max(cutDelayMs * jitter, retryAfter ?? 0);
        if (++failures === failuresToShow) {
          // What the browser had taken to send is lost.
          onSent(arrivedBytes, true);
          onStalled(toClipError(cause));
        }
        await pause.for(delayMs, signal);
      }
    }
  } finally {
    life.abort();
  }
}
