import type { NewUpload, Upload } from '../contract/upload.ts';
import { retryDelay } from '../flow/poll-schedule.ts';
import { ClipError } from './clip-error.ts';
import { count, readChoice, positiveInteger } from './clip-answers.ts';
import { type CallName, HttpError, toClipError, TransportError } from './errors.ts';
import {
  readDateText,
  httpUrl,
  id,
  parseJson,
  readObject,
  readFailure,
  text,
} from './host-answers.ts';
import type { HostClient } from './host-client.ts';
import { onReturn, Pause } from './pause.ts';
import { findAnswer, Upload as TusClient } from './tus-library.ts';

/*
 * The sending of a file, from its upload at the host to the last byte. Loaded with the first file.
 */

export const upload = readObject<Upload>({
  id,
  status: readChoice('open', 'finished'),
  protocol: readChoice('tus'),
  url: httpUrl,
  name: text,
  size: positiveInteger,
  offset: count,
  created_at: readDateText,
  expires_at: readDateText,
});

/** A file to send. */
export interface Sending {
  readonly host: HostClient;
  readonly file: File;
  /** If the answer is lost, also before a reload, the same key gets the same upload. */
  readonly key: string;
  /** The id of an upload that has begun. */
  readonly uploadId?: string | null;
  /** The length of a video; null if it is not known. */
  readonly seconds?: number | null;
  readonly signal: AbortSignal;
  /** The host has the upload, with what has arrived of it. */
  readonly onOpened?: (upload: Upload) => void;
  readonly onSent?: (bytes: number) => void;
  /**
   * Reports that several tries have failed (an error), or one works again (null). Sending
   * continues.
   */
  readonly onStalled?: (error: ClipError | null) => void;
}

/**
 * Sends a file until all of it has arrived, over any number of cuts. Returns its upload. Ends with
 * the signal.
 */
export async function sendFile(sending: Sending): Promise<Upload> {
  const opened = await openUpload(sending);
  sending.onOpened?.(opened);
  if (opened.status !== 'finished') await sendRest(opened, sending);
  return opened;
}

async function openUpload({
  host,
  file: { name, size, type },
  key,
  uploadId,
  seconds,
  signal,
}: Sending): Promise<Upload> {
  if (uploadId) {
    const path = `/uploads/${encodeURIComponent(uploadId)}`;
    return (await host.get<Upload>(path, upload, { isOwn: true, signal })).value;
  }
  const body: NewUpload = {
    name: name.slice(0, 255),
    size,
    ...(type && { type }),
    ...(seconds && { seconds }),
  };
  return (await host.change<Upload>('/uploads', upload, { body, key, signal })).value;
}

/** Consecutive failures before an error is shown. */
const failuresToShow = 3;
/** After bytes have arrived, the next try comes soon: a proxy may cut every connection. */
const cutDelayMs = 200;

/** Another try may bring what this one did not. 423 and 409: the last try is not over yet. */
const isTemporary = (cause: unknown): boolean =>
  cause instanceof TransportError ||
  (cause instanceof HttpError &&
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

/** Sends what has not arrived of an upload. */
async function sendRest(opened: Upload, sending: Sending): Promise<void> {
  const { file, signal, onSent, onStalled } = sending;
  const pause = new Pause();
  const life = new AbortController();
  onReturn(() => pause.wake(), AbortSignal.any([signal, life.signal]));
  let arrivedBytes = opened.offset;
  let failures = 0;
  const update = (bytes: number, arrived: boolean): void => {
    if (arrived && bytes > arrivedBytes) {
      arrivedBytes = bytes;
      if (failures >= failuresToShow) onStalled?.(null);
      failures = 0;
    }
    onSent?.(bytes);
  };
  try {
    for (;;) {
      try {
        await sendOnce(opened.url, file, signal, update);
        return;
      } catch (cause) {
        signal.throwIfAborted();
        if (!isTemporary(cause)) throw cause;
        await ensureReadable(file);
        const retryAfter = cause instanceof HttpError ? cause.retryAfter : null;
        const jitter = Math.random();
        const delayMs = failures
          ? retryDelay({ failures, retryAfter, hidden: false, jitter })
          : Math.max(cutDelayMs * jitter, retryAfter ?? 0);
        if (++failures === failuresToShow) {
          // What the browser had taken to send is lost.
          onSent?.(arrivedBytes);
          onStalled?.(toClipError(cause));
        }
        await pause.for(delayMs, signal);
      }
    }
  } finally {
    life.abort();
  }
}

/** The longest time without progress: a computer has slept, or the connection is dead. */
const silenceMs = 60_000;

/**
 * Sends what has not arrived by tus 1.0. One try: the caller tries again. `arrived`: the other side
 * has said so.
 */
function sendOnce(
  url: string,
  file: File,
  signal: AbortSignal,
  onSent: (bytes: number, arrived: boolean) => void,
): Promise<void> {
  signal.throwIfAborted();
  return new Promise<void>((resolve, reject) => {
    let silence: ReturnType<typeof setTimeout>;
    const end = (settle: () => void): void => {
      clearTimeout(silence);
      signal.removeEventListener('abort', abort);
      settle();
    };
    const client = new TusClient(file, {
      uploadUrl: url,
      retryDelays: null,
      storeFingerprintForResuming: false,
      onProgress: (sent) => {
        listen();
        onSent(sent, false);
      },
      onAfterResponse: (_, response) => {
        listen();
        const offset = Number(response.getHeader('Upload-Offset') ?? NaN);
        if (offset >= 0) onSent(offset, true);
      },
      onSuccess: () => end(resolve),
      onError: (error) => end(() => reject(callError(error))),
    });
    const stop = (reason: unknown): void =>
      end(() => {
        void client.abort();
        reject(reason);
      });
    const abort = (): void => stop(signal.reason);
    const listen = (): void => {
      clearTimeout(silence);
      silence = setTimeout(() => stop(new TransportError(called, true)), silenceMs);
    };
    const callError = (error: Error): Error => {
      const answer = findAnswer(error);
      const status = answer?.getStatus();
      return answer && status
        ? readFailure(
            called,
            status,
            parseJson(answer.getBody()),
            answer.getHeader('Retry-After') ?? null,
          )
        : new TransportError(called, false);
    };
    signal.addEventListener('abort', abort);
    listen();
    client.start();
  });
}

/** The address is a secret, and in the library's own errors. */
const called: CallName = { method: 'PATCH', path: '/uploads' };
