import { HttpError, type ServiceClient } from 'clip-kit/client';
import type { NewUpload, Upload } from 'clip-kit/contract';
import { HostProblem, makeUpstreamProblem } from './http/host-problem.ts';
import type { ManagedUsers } from './users/managed-users.ts';

/** Whether the service does not know the path at all: it has no uploads. */
const isUnknownPath = (cause: unknown): boolean =>
  cause instanceof HttpError && [404, 405, 501].includes(cause.status);

/**
 * Uploads of the service. An upload of another user is not found; every method rejects with the
 * problem that the page gets.
 */
export class Uploads {
  readonly #service: ServiceClient;
  readonly #users: ManagedUsers;

  constructor(service: ServiceClient, users: ManagedUsers) {
    this.#service = service;
    this.#users = users;
  }

  /** Creates an upload. The same `key` returns the same upload again. */
  create(hostUser: string, file: NewUpload, key?: string): Promise<Upload> {
    return this.#call(hostUser, (options) =>
      this.#service
        .createUpload(file, { ...options, ...(key && { idempotencyKey: key }) })
        .catch((cause: unknown) => {
          if (!isUnknownPath(cause)) throw cause;
          throw new HostProblem('not-supported', {
            detail:
              'The clip service does not accept uploads. Paste the address of the video instead.',
          });
        }),
    );
  }

  read(hostUser: string, uploadId: string): Promise<Upload> {
    return this.#call(hostUser, (options) => this.#service.getUpload(uploadId, options));
  }

  remove(hostUser: string, uploadId: string): Promise<void> {
    return this.#call(hostUser, (options) => this.#service.deleteUpload(uploadId, options));
  }

  async #call<T>(
    hostUser: string,
    call: (options: { onBehalfOf: string }) => Promise<T>,
  ): Promise<T> {
    try {
      return await this.#users.with(hostUser, (onBehalfOf) => call({ onBehalfOf }));
    } catch (cause) {
      throw makeUpstreamProblem(cause, 'upload');
    }
  }
}
