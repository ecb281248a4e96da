import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { constants, type FileHandle, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { RemoteError } from './remote-call.ts';

/** A file whose content is known before it is downloaded. */
export interface VerifiedFile {
  url: string;
  /** A description for messages: `speech model base`. */
  name: string;
  bytes: number;
  /** Hexadecimal. */
  sha256: string;
}

export interface VerifiedDownloadOptions {
  signal: AbortSignal;
  /** Called with the bytes that are here. */
  onProgress?: (bytes: number) => void;
  /**
   * Maximum time without a byte.
   * @default 60_000
   */
  idleTimeoutMs?: number;
}

/** The size of a file in bytes; 0 if there is none. */
export const getFileSize = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );

async function computeChecksum(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash, { signal });
  return hash.digest('hex');
}

/** Requests the bytes from `from` on. `from` in the result is where its body begins. */
async function request(
  file: VerifiedFile,
  from: number,
  signal: AbortSignal,
): Promise<{ body: Response['body']; from: number }> {
  // The bytes of a range would be those of the compressed file.
  const headers = { 'accept-encoding': 'identity', ...(from > 0 && { range: `bytes=${from}-` }) };
  const { origin } = new URL(file.url);
  let response: Response;
  try {
    response = await fetch(file.url, { headers, signal });
  } catch (error) {
    signal.throwIfAborted();
    const { code = 'no connection' } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException;
    const message = `The ${file.name} could not be downloaded from ${origin} (${code}).`;
    throw new RemoteError('unreachable', message);
  }
  const { status, body } = response;
  const isCompressed = (response.headers.get('content-encoding') ?? 'identity') !== 'identity';
  const begins = /^bytes (\d+)-/.exec(response.headers.get('content-range') ?? '')?.[1];
  const isRest = status === 206 && !isCompressed && Number(begins) === from;
  if (isRest || status === 200) {
    const start = isRest ? from : 0;
    const length = response.headers.get('content-length');
    if (isCompressed || length === null || start + Number(length) === file.bytes) {
      return { body, from: start };
    }
    await body?.cancel();
    const message = `The file at ${origin} is not the ${file.name}: it has ${start + Number(length)} bytes instead of ${file.bytes}.`;
    throw new RemoteError('bad-answer', message);
  }
  await body?.cancel();
  // It cannot continue there.
  if (from > 0 && (status === 206 || status === 416)) return request(file, 0, signal);
  const message = `The ${file.name} could not be downloaded: ${origin} answered with status ${status}.`;
  throw new RemoteError('refused', message, status);
}

/**
 * Writes the missing bytes into the partial file, each to its place: two processes that download
 * the same file do not harm each other.
 */
async function fetchRest(
  file: VerifiedFile,
  part: string,
  { signal, onProgress = () => {}, idleTimeoutMs = 60_000 }: VerifiedDownloadOptions,
): Promise<void> {
  const have = await getFileSize(part);
  const idle = new AbortController();
  const alarm = setTimeout(() => idle.abort(), idleTimeoutMs);
  let output: FileHandle | undefined;
  let at = have;
  try {
    const { body, from } = await request(file, have, AbortSignal.any([signal, idle.signal]));
    output = await open(part, constants.O_WRONLY | constants.O_CREAT);
    at = from;
    for await (const chunk of body ?? []) {
      alarm.refresh();
      await output.write(chunk, 0, chunk.length, at);
      at += chunk.length;
      if (at > file.bytes) break;
      onProgress(at);
    }
    await output.sync();
  } catch (error) {
    signal.throwIfAborted();
    // The file system's errors name a call, those of a connection do not.
    const { syscall } = error as NodeJS.ErrnoException;
    if (error instanceof RemoteError || syscall !== undefined) throw error;
    const message = `The download of the ${file.name} broke off after ${at} of ${file.bytes} bytes. The next attempt continues there.`;
    throw new RemoteError('unreachable', message, null);
  } finally {
    clearTimeout(alarm);
    await output?.close();
  }
}

async function completeFile(
  file: VerifiedFile,
  { path, part }: { path: string; part: string },
  options: VerifiedDownloadOptions,
): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  if ((await getFileSize(part)) > file.bytes) await rm(part);
  if ((await getFileSize(part)) < file.bytes) await fetchRest(file, part, options);
  if ((await getFileSize(part)) < file.bytes) {
    const message = `The download of the ${file.name} ended early. The next attempt continues it.`;
    throw new RemoteError('unreachable', message);
  }
  if ((await computeChecksum(part, options.signal)) !== file.sha256) {
    await rm(part);
    const { origin } = new URL(file.url);
    const message = `The file from ${origin} is not the ${file.name}: its checksum is wrong. It was not stored.`;
    throw new RemoteError('bad-answer', message);
  }
  await rename(part, path);
}

/**
 * Downloads a file, and checks it before it gets its name. A connection that breaks is made again
 * as long as each one brings something, and what an interrupted download left is continued.
 * @throws {@link RemoteError}, the file system's error, or the signal's reason
 */
export async function downloadVerified(
  file: VerifiedFile,
  path: string,
  options: VerifiedDownloadOptions,
): Promise<void> {
  const part = `${path}.part`;
  for (;;) {
    const before = await getFileSize(part);
    try {
      await completeFile(file, { path, part }, options);
      return;
    } catch (error) {
      options.signal.throwIfAborted();
      // Another process may have been faster.
      if ((await getFileSize(path)) === file.bytes) return;
      const isBroken = error instanceof RemoteError && error.fault === 'unreachable';
      if (!isBroken || (await getFileSize(part)) <= before) throw error;
    }
  }
}
