import { HttpError, type ServiceClient } from 'clip-kit/client';
import type { Upload } from 'clip-kit/contract';
import { answerHeaders } from '../http/answer-headers.ts';
import { HostProblem } from '../http/host-problem.ts';
import { upstreamProblem } from '../http/upstream-problem.ts';
import type { ManagedUsers } from '../users/managed-users.ts';
import { notFinished } from './not-finished.ts';
import type { AddressOf, Uploads } from './uploads.ts';

/** What tus needs of a request, and of its answer. Nothing else of the page reaches the service. */
const sentHeaders = ['Content-Type', 'Tus-Resumable', 'Upload-Checksum', 'Upload-Offset'];
const answeredHeaders = [
  ...['Retry-After', 'Tus-Resumable', 'Tus-Version'],
  ...['Upload-Expires', 'Upload-Length', 'Upload-Offset'],
];

/**
 * After the question for the offset, the bytes go over a connection of their own: a browser repeats
 * a request by itself, from the old offset, if a connection is cut that was used before.
 */
const freshConnection = { Connection: 'close' };

/** The service does not know the path at all: it has no uploads. */
const isUnknownPath = (cause: unknown): boolean =>
  cause instanceof HttpError && [404, 405, 501].includes(cause.status);

const picked = (from: Headers, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = from.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );

/**
 * Uploads of the service. `behindHost`: the browser sends the bytes to the host, which passes them
 * on; otherwise to the service itself.
 */
export function serviceUploads(
  service: ServiceClient,
  users: ManagedUsers,
  behindHost: boolean,
): Uploads {
  const shown = (upload: Upload, addressOf: AddressOf): Upload =>
    behindHost ? { ...upload, url: addressOf(upload.id) } : upload;
  const ask = async <T>(
    hostUser: string,
    call: (options: { onBehalfOf: string }) => Promise<T>,
  ): Promise<T> => {
    try {
      return await users.with(hostUser, (onBehalfOf) => call({ onBehalfOf }));
    } catch (cause) {
      throw upstreamProblem(cause, 'upload');
    }
  };
  const read = (hostUser: string, uploadId: string): Promise<Upload> =>
    ask(hostUser, (options) => service.getUpload(uploadId, options));

  return {
    async create(hostUser, file, addressOf, key) {
      const upload = await ask(hostUser, (options) =>
        service
          .createUpload(file, { ...options, ...(key && { idempotencyKey: key }) })
          .catch((cause: unknown) => {
            if (!isUnknownPath(cause)) throw cause;
            throw new HostProblem('not-supported', {
              detail: 'The clip service takes no uploads. Paste the address of the video instead.',
              cause,
            });
          }),
      );
      return shown(upload, addressOf);
    },
    read: async (hostUser, uploadId, addressOf) => shown(await read(hostUser, uploadId), addressOf),
    remove: (hostUser, uploadId) =>
      ask(hostUser, (options) => service.deleteUpload(uploadId, options)),
    async source(hostUser, uploadId) {
      const { status, url } = await read(hostUser, uploadId);
      if (status !== 'finished') throw notFinished();
      return url;
    },
    ...(behindHost && {
      async pass(hostUser: string, uploadId: string, request: Request): Promise<Response> {
        // Only the user's own has an address.
        const { url } = await read(hostUser, uploadId);
        try {
          const answer = await service.passUpload(request.method as 'HEAD' | 'PATCH', url, {
            headers: picked(request.headers, sentHeaders),
            body: request.body,
            signal: request.signal,
          });
          const isJson = /^application\/(?:problem\+)?json\b/.test(
            answer.headers.get('Content-Type') ?? '',
          );
          // The service says in it what is wrong with the file.
          if (!isJson) await answer.body?.cancel();
          return new Response(isJson ? answer.body : null, {
            status: answer.status,
            headers: {
              ...picked(answer.headers, [...answeredHeaders, ...(isJson ? ['Content-Type'] : [])]),
              ...answerHeaders,
              ...(request.method === 'HEAD' && freshConnection),
            },
          });
        } catch (cause) {
          throw upstreamProblem(cause, 'upload');
        }
      },
    }),
  };
}
