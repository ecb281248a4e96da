import { open, type FileHandle } from 'node:fs/promises';
import { StorageUnavailable } from '../unavailable.ts';
import type { Bucket } from './bucket.ts';
import { transferPatienceMs, withRetries } from './retry.ts';

async function writeAll(file: FileHandle, chunk: Uint8Array, position: number): Promise<void> {
  for (let written = 0; written < chunk.length;) {
    const { bytesWritten } = await file.write(
      chunk,
      written,
      chunk.length - written,
      position + written,
    );
    written += bytesWritten;
  }
}

/** The next bytes of an answer; null at its end. */
async function next(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  signal: AbortSignal,
): Promise<Uint8Array | null> {
  try {
    return (await reader.read()).value ?? null;
  } catch (cause) {
    signal.throwIfAborted();
    throw new StorageUnavailable('A download from the object storage broke off.', { cause });
  }
}

/** Writes an object to a new file. A broken transfer goes on where it ended. */
export async function downloadFile(
  bucket: Bucket,
  { key, etag, bytes, path }: { key: string; etag: string; bytes: number; path: string },
  signal: AbortSignal,
): Promise<void> {
  const file = await open(path, 'wx');
  let position = 0;
  const readOn = async (progressed: () => void): Promise<void> => {
    const headers = { Range: `bytes=${position}-`, 'If-Match': etag };
    const { body } = await bucket.call('GET', key, { headers, signal });
    const reader = body!.getReader();
    try {
      for (let chunk = await next(reader, signal); chunk; chunk = await next(reader, signal)) {
        await writeAll(file, chunk, position);
        position += chunk.length;
        progressed();
      }
    } finally {
      reader.cancel().catch(() => {});
    }
    if (position < bytes) throw new StorageUnavailable('A download was cut off.');
  };
  try {
    if (bytes > 0) await withRetries(transferPatienceMs, signal, readOn);
    // The copy may be used after a power cut.
    await file.sync();
  } finally {
    await file.close();
  }
}
