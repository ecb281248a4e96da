import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { RemoteError } from './remote-call.ts';

/** A file whose content is known before it is downloaded. */
export interface VerifiedFile {
  url: string;
  /** What it is, for messages: `the speech model base`. */
  name: string;
  bytes: number;
  /** Hexadecimal. */
  sha256: string;
}

export interface VerifiedDownloadOptions {
  signal: AbortSignal;
  /** Called with the progress, 0 to 1. */
  onProgress?: (share: number) => void;
  /**
   * Maximum time without a byte.
   * @default 60_000
   */
  idleTimeoutMs?: number;
}

const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );

async function checksum(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash, { signal });
  return hash.digest('hex');
}

/** Requests the bytes from `from` on. `from` in the result is where its body begins. */
async function request(file: VerifiedFile, from: number, signal: AbortSignal) {
  const headers = from > 0 ? { range: `bytes=${from}-` } : {};
  const { origin } = new URL(file.url);
  let response: Response;
  try {
    response = await fetch(file.url, { headers, signal });
  } catch (error) {
    signal.throwIfAborted();
    const { code = 'no connection' } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException;
    const message = `${file.name} could not be downloaded from ${origin} (${code}).`;
    throw new RemoteError('unreachable', message);
  }
  const begins = /^bytes (\d+)-/.exec(response.headers.get('content-range') ?? '')?.[1];
  if (response.status === 206 && Number(begins) === from) return { body: response.body, from };
  if (response.status === 200) return { body: response.body, from: 0 };
  await response.body?.cancel();
  const message = `${file.name} could not be downloaded: ${origin} answered with status ${response.status}.`;
  throw new RemoteError('refused', message, response.status);
}

/** Appends what is missing to the partial file. */
async function fetchRest(
  file: VerifiedFile,
  part: string,
  { signal, onProgress = () => {}, idleTimeoutMs = 60_000 }: VerifiedDownloadOptions,
): Promise<void> {
  const have = await sizeOf(part);
  const idle = new AbortController();
  const { body, from } = await request(file, have, AbortSignal.any([signal, idle.signal]));
  const output = await open(part, from > 0 ? 'a' : 'w');
  let at = from;
  const alarm = setTimeout(() => idle.abort(), idleTimeoutMs);
  try {
    for await (const chunk of body ?? []) {
      alarm.refresh();
      await output.write(chunk);
      at += chunk.length;
      if (at > file.bytes) break;
      onProgress(at / file.bytes);
    }
    await output.sync();
  } catch (error) {
    signal.throwIfAborted();
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') throw error;
    const message = `The download of ${file.name} broke off after ${at} of ${file.bytes} bytes. The next attempt continues there.`;
    throw new RemoteError('unreachable', message, null);
  } finally {
    clearTimeout(alarm);
    await output.close();
  }
}

/**
 * Downloads a file, and checks it before it gets its name. What an interrupted download left is
 * continued.
 * @throws {@link RemoteError}, the file system's error, or the signal's reason
 */
export async function downloadVerified(
  file: VerifiedFile,
  path: string,
  options: VerifiedDownloadOptions,
): Promise<void> {
  const part = `${path}.part`;
  await mkdir(dirname(path), { recursive: true });
  if ((await sizeOf(part)) > file.bytes) await rm(part);
  if ((await sizeOf(part)) < file.bytes) await fetchRest(file, part, options);
  if ((await sizeOf(part)) < file.bytes) {
    const message = `The download of ${file.name} ended early. The next attempt continues it.`;
    throw new RemoteError('bad-answer', message);
  }
  if ((await checksum(part, options.signal)) !== file.sha256) {
    await rm(part);
    const { origin } = new URL(file.url);
    const message = `What ${origin} sent is not ${file.name}: its checksum is wrong. Nothing of it was stored.`;
    throw new RemoteError('bad-answer', message);
  }
  await rename(part, path);
}
