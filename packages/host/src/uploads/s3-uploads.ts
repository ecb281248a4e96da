import type { NewUpload, Upload } from 'clip-kit/contract';
import { HostProblem } from '../http/host-problem.ts';
import { S3Bucket, type S3Client } from './s3-bucket.ts';
import { notFinished } from './not-finished.ts';
import { UploadSeal, type SealedUpload } from './upload-seal.ts';
import type { AddressOf, UploadedPart, Uploads } from './uploads.ts';

export type { S3Client, Uploads };

export interface S3UploadsOptions {
  /** An `AwsClient` of `aws4fetch`, whose key may read, write and delete below `prefix`. */
  readonly client: S3Client;
  /** The address of the bucket, such as `https://my-bucket.s3.eu-central-1.amazonaws.com`. */
  readonly bucketUrl: string;
  /** What the keys of all files begin with; `uploads` by default. */
  readonly prefix?: string;
  /** The largest file, in bytes; 10 GB by default. */
  readonly maxBytes?: number;
  /**
   * Seals the ids of uploads. By default the client's own secret; needed if that changes by itself,
   * as that of a role does.
   */
  readonly secret?: string;
  readonly now?: () => number;
}

/** Stores take parts of 5 MB to 5 GB, at most 10,000; a phone sends this in half a minute. */
const minPartBytes = 8 * 1024 ** 2;
const maxParts = 10_000;

/** For a part: as long as its bytes may take on a slow line. */
const partSeconds = 60 * 60;

const uploadLifeMs = 24 * 60 * 60 * 1000;

/** The longest that S3 allows: a task may wait in the service's queue. */
const fileSeconds = 7 * 24 * 60 * 60;

const partBytesOf = (size: number): number => Math.max(minPartBytes, Math.ceil(size / maxParts));

const partCountOf = (size: number): number => Math.ceil(size / partBytesOf(size));

/** Bytes of the part with this number. */
const sizeOfPart = (size: number, number: number): number =>
  Math.min(partBytesOf(size), size - (number - 1) * partBytesOf(size));

const gone = (): HostProblem => new HostProblem('upload-not-found');

/** An ending that a service may go by; nothing else of the name is in an address. */
const endingOf = (name: string): string => /\.[a-z0-9]{1,5}$/.exec(name.toLowerCase())?.[0] ?? '';

/**
 * Uploads into a bucket of the site, for services that take no uploads. The browser sends parts to
 * addresses that the host signs, and the service gets a signed address of the file. The bucket must
 * let pages `PUT` by CORS, and should have a rule that deletes old files. Throws a `TypeError` for
 * an address that is not one of a bucket.
 */
export function s3Uploads(options: S3UploadsOptions): Uploads {
  const { client, prefix = 'uploads', maxBytes = 10e9, now = Date.now } = options;
  if (!/^[\w.-]+(?:\/[\w.-]+)*$/.test(prefix)) {
    throw new TypeError(`s3Uploads: prefix must be a path such as "uploads", not ${prefix}`);
  }
  const bucket = new S3Bucket(client, options.bucketUrl);
  const seal = new UploadSeal(options.secret ?? client.secretAccessKey);

  const opened = async (hostUser: string, uploadId: string): Promise<SealedUpload> => {
    const upload = await seal.open(hostUser, uploadId);
    if (!upload || now() - upload.createdAt > uploadLifeMs) throw gone();
    return upload;
  };
  const shown = (
    id: string,
    { name, size, createdAt }: SealedUpload,
    offset: number,
    addressOf: AddressOf,
  ): Upload => ({
    id,
    status: offset === size ? 'finished' : 'open',
    protocol: 's3',
    url: addressOf(id),
    name,
    size,
    offset,
    part_size: partBytesOf(size),
    created_at: new Date(createdAt).toISOString(),
    expires_at: new Date(createdAt + uploadLifeMs).toISOString(),
  });
  /**
   * What has arrived; null if the file is there. The file is looked for first: some stores list the
   * parts of one that is complete.
   */
  const arrived = async (upload: SealedUpload): Promise<readonly UploadedPart[] | null> => {
    const { key, multipartId, size } = upload;
    // A file of another size is not the one that was announced.
    if ((await bucket.size(key)) === size) return null;
    const parts = await bucket.parts(key, multipartId);
    if (!parts) throw gone();
    return parts;
  };

  return {
    async create(hostUser, file: NewUpload, addressOf) {
      const { name, size } = file;
      if (size > maxBytes) {
        const message = `must be at most ${maxBytes}`;
        throw new HostProblem('upload-too-large', {
          detail: `The file has ${size} bytes, and may have ${maxBytes}. Send a shorter or smaller one.`,
          errors: [{ path: 'size', message }],
        });
      }
      if (file.sha256 !== undefined) {
        const message = 'cannot be checked by the storage of this site: leave it out';
        throw new HostProblem('unprocessable', {
          detail: `sha256 ${message}.`,
          errors: [{ path: 'sha256', message }],
        });
      }
      const key = `${prefix}/${crypto.randomUUID()}${endingOf(name)}`;
      const multipartId = await bucket.begin(key);
      const upload = { key, multipartId, name, size, createdAt: now() };
      return shown(await seal.seal(hostUser, upload), upload, 0, addressOf);
    },
    async read(hostUser, uploadId, addressOf) {
      const upload = await opened(hostUser, uploadId);
      const parts = await arrived(upload);
      if (!parts) return shown(uploadId, upload, upload.size, addressOf);
      const bytes = parts.reduce((sum, { size }) => sum + size, 0);
      // Not finished before its parts are one file.
      return { ...shown(uploadId, upload, bytes, addressOf), status: 'open' };
    },
    async remove(hostUser, uploadId) {
      const upload = await seal.open(hostUser, uploadId);
      if (!upload) throw gone();
      await bucket.remove(upload.key, upload.multipartId);
    },
    async source(hostUser, uploadId) {
      const upload = await opened(hostUser, uploadId);
      if (await arrived(upload)) throw notFinished();
      // A start that is sent again must be the same request for a service that keeps attempt keys.
      return bucket.signFile(upload.key, upload.createdAt, fileSeconds);
    },
    parts: {
      async sign(hostUser, uploadId, numbers) {
        const { key, multipartId, size } = await opened(hostUser, uploadId);
        const count = partCountOf(size);
        if (numbers.some((number) => number > count)) {
          const message = `must be 1 to ${count}`;
          throw new HostProblem('invalid-request', { errors: [{ path: 'numbers', message }] });
        }
        return Promise.all(
          numbers.map(async (number) => ({
            number,
            url: await bucket.signPart(key, {
              multipartId,
              number,
              size: sizeOfPart(size, number),
              seconds: partSeconds,
            }),
          })),
        );
      },
      async list(hostUser, uploadId) {
        const upload = await opened(hostUser, uploadId);
        const parts = await arrived(upload);
        if (parts) return parts;
        // Nothing is left to send, even if the page has not heard that the file is complete.
        return Array.from({ length: partCountOf(upload.size) }, (_, index) => ({
          number: index + 1,
          size: sizeOfPart(upload.size, index + 1),
          etag: '',
        }));
      },
      async complete(hostUser, uploadId, addressOf) {
        const upload = await opened(hostUser, uploadId);
        const { key, multipartId, size } = upload;
        const parts = await arrived(upload);
        if (parts) {
          const whole =
            parts.length === partCountOf(size) &&
            parts.every(
              (part, at) => part.number === at + 1 && part.size === sizeOfPart(size, part.number),
            );
          if (!whole) throw notFinished();
          // False if another request was faster.
          const isDone = await bucket.complete(key, multipartId, parts);
          if (!isDone && (await arrived(upload))) throw notFinished();
        }
        return shown(uploadId, upload, size, addressOf);
      },
    },
  };
}
