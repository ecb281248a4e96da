import { HttpError, type ServiceClient } from 'clip-kit/client';
import type { NewUpload, Upload } from 'clip-kit/contract';
import { answerHeaders, HostProblem, upstreamProblem } from './http/host-problem.ts';
import type { ManagedUsers } from './users/managed-users.ts';

/** Returns the host's address of an upload, from its id. */
type AddressOf = (uploadId: string) => string;

/** What tus needs of a request, and of its answer. Nothing else of the page reaches the service. */
const sentHeaders = ['Content-Type', 'Tus-Resumable', 'Upload-Checksum', 'Upload-Offset'];
const answeredHeaders = [
  ...['Retry-After', 'Tus-Resumable', 'Tus-Version'],
  ...['Upload-Expires', 'Upload-Length', 'Upload-Offset'],
];

/**
 * After the request for the offset, the bytes use a new connection: if a reused connection is cut,
 * a browser automatically repeats the request, from the old offset.
 */
const freshConnection = { Connection: 'close' };

/** Whether the service does not know the path at all: it has no uploads. */
const isUnknownPath = (cause: unknown): boolean =>
  cause instanceof HttpError && [404, 405, 501].includes(cause.status);

const pickHeaders = (from: Headers, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = from.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );

/**
 * Uploads of the service. An upload of another user is not found; every method rejects with the
 * problem that the page gets.
 */
export class Uploads {
  readonly #service: ServiceClient;
  readonly #users: ManagedUsers;
  /** Whether the browser sends the bytes to the host, which passes them on to the service. */
  readonly isBehindHost: boolean;

  constructor(service: ServiceClient, users: ManagedUsers, isBehindHost: boolean) {
    this.#service = service;
    this.#users = users;
    this.isBehindHost = isBehindHost;
  }

  /** Creates an upload. The same `key` returns the same upload again. */
  async create(
    hostUser: string,
    file: NewUpload,
    addressOf: AddressOf,
    key?: string,
  ): Promise<Upload> {
    const upload = await this.#call(hostUser, (options) =>
      this.#service
        .createUpload(file, { ...options, ...(key && { idempotencyKey: key }) })
        .catch((cause: unknown) => {
          if (!isUnknownPath(cause)) throw cause;
          throw new HostProblem('not-supported', {
            detail: 'The clip service takes no uploads. Paste the address of the video instead.',
          });
        }),
    );
    return this.#withAddress(upload, addressOf);
  }

  async read(hostUser: string, uploadId: string, addressOf: AddressOf): Promise<Upload> {
    return this.#withAddress(await this.#get(hostUser, uploadId), addressOf);
  }

  remove(hostUser: string, uploadId: string): Promise<void> {
    return this.#call(hostUser, (options) => this.#service.deleteUpload(uploadId, options));
  }

  /** Returns the address of a finished upload at the service. Throws 404 or 422 otherwise. */
  async source(hostUser: string, uploadId: string): Promise<string> {
    const { status, url } = await this.#get(hostUser, uploadId);
    if (status === 'finished') return url;
    throw new HostProblem('unprocessable', { detail: 'The file has not arrived completely yet.' });
  }

  /** Passes a `HEAD` or `PATCH` of tus on to the service. */
  async pass(hostUser: string, uploadId: string, request: Request): Promise<Response> {
    const { url } = await this.#get(hostUser, uploadId);
    try {
      const answer = await this.#service.passUpload(request.method as 'HEAD' | 'PATCH', url, {
        headers: pickHeaders(request.headers, sentHeaders),
        body: request.body,
        signal: request.signal,
      });
      const type = answer.headers.get('Content-Type') ?? '';
      // A JSON body says what is wrong with the file.
      const isJson = /^application\/(?:problem\+)?json\b/.test(type);
      if (!isJson) await answer.body?.cancel();
      return new Response(isJson ? answer.body : null, {
        status: answer.status,
        headers: {
          ...pickHeaders(answer.headers, answeredHeaders),
          ...(isJson && { 'Content-Type': type }),
          ...answerHeaders,
          ...(request.method === 'HEAD' && freshConnection),
        },
      });
    } catch (cause) {
      throw upstreamProblem(cause, 'upload');
    }
  }

  #withAddress(upload: Upload, addressOf: AddressOf): Upload {
    return this.isBehindHost ? { ...upload, url: addressOf(upload.id) } : upload;
  }

  #get(hostUser: string, uploadId: string): Promise<Upload> {
    return this.#call(hostUser, (options) => this.#service.getUpload(uploadId, options));
  }

  async #call<T>(
    hostUser: string,
    call: (options: { onBehalfOf: string }) => Promise<T>,
  ): Promise<T> {
    try {
      return await this.#users.with(hostUser, (onBehalfOf) => call({ onBehalfOf }));
    } catch (cause) {
      throw upstreamProblem(cause, 'upload');
    }
  }
}
