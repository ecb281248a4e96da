import type { ServerResponse } from 'node:http';

/** How one request fails. */
export type Failure =
  | {
      readonly status: number;
      readonly body?: unknown;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** The connection is closed without an answer. */
  | 'drop'
  /** The connection is closed in the middle of the answer. */
  | 'truncate'
  /** 200 with a body that is not JSON. */
  | 'malformed'
  /** The answer with a status that is not in the specification. */
  | 'unknown-status'
  /** Nothing is sent before {@link Held.release}; then the normal answer. */
  | Held;

/** The fault of one request. */
export interface Fault {
  /** Without, the normal answer. */
  readonly how?: Failure;
  /** Whether a request that fails is carried out; false by default. */
  readonly acts?: boolean;
  /** How long that takes, whether or not the caller still waits. A status does not wait for it. */
  readonly workMs?: number;
  /** How long the answer takes. */
  readonly answerMs?: number;
}

export interface Order extends Fault {
  readonly method: 'DELETE' | 'GET' | 'POST';
  /** Matches the path below the base URL. */
  readonly path: RegExp;
  /** Whether every matching request fails, until the orders are forgotten; false by default. */
  readonly lasts?: boolean;
}

/** A request that the service has received and not answered. */
export class Held {
  readonly #arrived = Promise.withResolvers<void>();
  readonly #released = Promise.withResolvers<void>();
  readonly #left = Promise.withResolvers<void>();

  /** Resolves when the request has arrived. */
  get arrived(): Promise<void> {
    return this.#arrived.promise;
  }

  /** Resolves when the client has disconnected without an answer. */
  get left(): Promise<void> {
    return this.#left.promise;
  }

  release(): void {
    this.#released.resolve();
  }

  /** The server's side: resolves when the answer may be sent. */
  async hold(response: ServerResponse): Promise<void> {
    response.on('close', () => {
      if (!response.writableFinished) this.#left.resolve();
      this.#released.resolve();
    });
    this.#arrived.resolve();
    await this.#released.promise;
  }
}
