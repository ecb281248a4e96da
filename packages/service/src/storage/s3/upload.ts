import { openAsBlob } from 'node:fs';
import { StorageUnavailable } from '../storage.ts';
import { type Bucket, elementOf, transferPatienceMs, withRetries } from './bucket.ts';

/** Larger files are sent in parts of this size, each with its own retries. */
const minPartBytes = 16 * 1024 ** 2;
export const maxParts = 10_000;
const partsAtOnce = 3;

interface Upload {
  bucket: Bucket;
  key: string;
  headers: Readonly<Record<string, string>>;
  /** Ends the pauses between tries. */
  closing: AbortSignal;
  /** How long a store that does not answer is tried. */
  maxMs: number | undefined;
}

/** Sends a file. The object is there whole, or not at all. */
export async function uploadFile(upload: Upload, file: string): Promise<void> {
  const content = await openAsBlob(file);
  if (content.size > minPartBytes) return uploadParts(upload, content);
  const { bucket, key, headers, closing, maxMs } = upload;
  const limit = maxMs === undefined ? {} : { maxCallMs: maxMs };
  await withRetries(maxMs ?? transferPatienceMs, closing, () =>
    bucket.call('PUT', key, { headers, body: content, ...limit }),
  );
}

async function uploadParts(upload: Upload, content: Blob): Promise<void> {
  const { bucket, key, headers, closing, maxMs = transferPatienceMs } = upload;
  const call = <T>(work: () => Promise<T>): Promise<T> => withRetries(maxMs, closing, work);
  const begun = await call(() => bucket.call('POST', key, { query: { uploads: '' }, headers }));
  const uploadId = elementOf(await begun.text(), 'UploadId');
  if (uploadId === undefined) throw new StorageUnavailable('The object storage begins no upload.');
  try {
    const partBytes = Math.max(minPartBytes, Math.ceil(content.size / maxParts));
    const etags: string[] = Array(Math.ceil(content.size / partBytes));
    const parts = etags.keys();
    const stop = new AbortController();
    const sendParts = async (): Promise<void> => {
      for (const part of parts) {
        const body = content.slice(part * partBytes, (part + 1) * partBytes);
        const query = { partNumber: String(part + 1), uploadId };
        const sent = await call(() =>
          bucket.call('PUT', key, { query, body, signal: stop.signal }),
        );
        etags[part] = sent.headers.get('etag') ?? '';
      }
    };
    const senders = Array.from({ length: partsAtOnce }, sendParts);
    try {
      await Promise.all(senders);
    } finally {
      stop.abort();
      await Promise.allSettled(senders);
    }
    await call(() => completeParts(bucket, key, uploadId, etags));
  } catch (error) {
    // Otherwise the store would keep the parts, and charge for them.
    await bucket.call('DELETE', key, { query: { uploadId } }).catch(() => {});
    throw error;
  }
}

/** Puts the parts of a multipart upload together. */
export async function completeParts(
  bucket: Bucket,
  key: string,
  uploadId: string,
  etags: readonly string[],
): Promise<void> {
  const parts = etags.map(
    (etag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${etag}</ETag></Part>`,
  );
  const body = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`;
  const answer = await bucket.call('POST', key, { query: { uploadId }, body });
  // The status is sent before the parts are put together: a failure is only in the body.
  const text = await answer.text();
  if (!text.includes('<ETag>')) {
    throw new StorageUnavailable(
      `The object storage could not put an upload together: ${elementOf(text, 'Code') ?? 'no answer'}.`,
    );
  }
}
