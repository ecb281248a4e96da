import type { NewUpload, Upload } from 'clip-kit/contract';

/** The host's own address of an upload, from its id. */
export type AddressOf = (uploadId: string) => string;

/** A part that has arrived. */
export interface UploadedPart {
  /** From 1. */
  readonly number: number;
  /** Bytes. */
  readonly size: number;
  readonly etag: string;
}

/** An upload that is sent in parts, each to an address of its own. */
export interface UploadParts {
  /** Addresses that take one part each by `PUT`. */
  sign(
    hostUser: string,
    uploadId: string,
    numbers: readonly number[],
  ): Promise<{ readonly number: number; readonly url: string }[]>;
  list(hostUser: string, uploadId: string): Promise<readonly UploadedPart[]>;
  /** Makes one file of the parts. Throws 422 if one is missing. */
  complete(hostUser: string, uploadId: string, addressOf: AddressOf): Promise<Upload>;
}

/**
 * Where the files of users go. An upload of another user is not found. Every method rejects with
 * the problem that the page gets.
 */
export interface Uploads {
  /** `key`: whoever sends it again gets the same upload, where uploads of a user are counted. */
  create(hostUser: string, file: NewUpload, addressOf: AddressOf, key?: string): Promise<Upload>;
  read(hostUser: string, uploadId: string, addressOf: AddressOf): Promise<Upload>;
  remove(hostUser: string, uploadId: string): Promise<void>;
  /** The address at which the service finds an upload. Throws 404, and 422 if bytes are missing. */
  source(hostUser: string, uploadId: string): Promise<string>;
  /** Passes a `HEAD` or `PATCH` of tus on; only where the bytes come by way of the host. */
  readonly pass?: (hostUser: string, uploadId: string, request: Request) => Promise<Response>;
  /** Only where files are sent in parts. */
  readonly parts?: UploadParts;
}
