import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { answerClientError } from './client-error.ts';
import { ApiError, problemResponse } from './problem.ts';

/** How long open requests may take to end when the door is closed. */
const closeGraceMs = 2000;

type Fetch = (request: Request, env: object) => Response | Promise<Response>;

/** The port, taken before anything slow is begun: a port that is taken is known at once. */
export interface FrontDoor {
  port: number;
  /** Lets requests in; until then each is answered with 503. */
  open(fetch: Fetch): void;
  /** Takes no new requests and gives the open ones two seconds. May be called twice. */
  close(): Promise<void>;
}

/**
 * Rejects if the port cannot be taken. `requestWaitMs`: how long a request may take to arrive
 * whole, its body included. It may be held open for longer while it is answered.
 */
export async function takePort(
  port: number,
  host: string | undefined,
  requestWaitMs: number,
): Promise<FrontDoor> {
  let fetch: Fetch = () =>
    problemResponse(
      new ApiError('service-unavailable', 'The service is starting: try again in a moment.', {
        headers: { 'Retry-After': '2' },
      }),
    );
  const server = createAdaptorServer({
    fetch: (request, env) => fetch(request, env),
    serverOptions: {
      requestTimeout: requestWaitMs,
      connectionsCheckingInterval: Math.min(1000, requestWaitMs),
    },
  }) as Server;
  server.on('clientError', answerClientError);
  server.listen(port, host);
  await once(server, 'listening');
  let closed: Promise<void> | null = null;
  const close = async (): Promise<void> => {
    const ended = once(server, 'close');
    server.close();
    server.closeIdleConnections();
    const timer = setTimeout(() => server.closeAllConnections(), closeGraceMs);
    await ended;
    clearTimeout(timer);
  };
  return {
    port: (server.address() as AddressInfo).port,
    open(own) {
      fetch = own;
    },
    close: () => (closed ??= close()),
  };
}
