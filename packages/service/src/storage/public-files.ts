import { AwsClient } from 'aws4fetch';
import type { S3Config } from '../config/config.ts';

/** The way in which browsers get stored files. */
export interface PublicFiles {
  /** The file's address in the store, if everyone may read it there. */
  direct: ((key: string) => string) | null;
  /**
   * A new address in the store, if only signed ones are valid there: for some hours, or for
   * `seconds`, and for requests by this method.
   */
  signed: ((key: string, method: string, seconds?: number) => Promise<string>) | null;
  /** Origin of these addresses; null if the service sends the files itself. */
  origin: string | null;
}

/** The service reads the files from its store and sends them. */
export const sentFiles: PublicFiles = { direct: null, signed: null, origin: null };

/**
 * The time for which copies are kept. A file never changes, but it can be deleted: caches that many
 * share ask again soon, which costs them no transfer. A viewer has had the video anyway.
 */
export const fileCacheControl = 'public, max-age=86400, s-maxage=600';

/** The time for which an opened page can seek. */
const signedSeconds = 12 * 60 * 60;

/** Browsers get the files from the bucket, by the address that they reach it at. */
export function createBucketFiles(s3: S3Config): PublicFiles {
  const { publicUrl, publicAccess = 'open', accessKeyId, secretAccessKey, region } = s3;
  if (publicUrl === undefined) return sentFiles;
  const { origin } = new URL(publicUrl);
  const direct = (key: string): string => `${publicUrl}/${key}`;
  if (publicAccess === 'open') return { direct, signed: null, origin };
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3' });
  const signed = async (key: string, method: string, seconds = signedSeconds): Promise<string> => {
    // The host is signed too: it must be the one that browsers ask.
    const url = new URL(direct(key));
    url.searchParams.set('X-Amz-Expires', String(Math.min(seconds, signedSeconds)));
    return (await client.sign(url, { method, aws: { signQuery: true } })).url;
  };
  return { direct: null, signed, origin };
}

/** The address of a file; `root`: the service's own, with a slash at the end, or empty. */
export const makeFileAddress = ({ direct }: PublicFiles, root: string, key: string): string =>
  direct?.(key) ?? `${root}files/${key}`;
