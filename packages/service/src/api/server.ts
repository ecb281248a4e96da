import { once } from 'node:events';
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { ApiError } from '../api-error.ts';
import { answerProblem } from './problem.ts';

/** The time that open requests have to end when the server is closed. */
const closeGraceMs = 2000;

/** Uploads have no total timeout, only one for silence. */
const isFile = ({ method, url = '' }: IncomingMessage): boolean =>
  method === 'PATCH' && url.startsWith('/uploads/');

/** An upload connection without data is closed after this many times the request timeout. */
const silentFileWaits = 6;

/** Limits how long a request's body may take to arrive. */
function limitBody(request: IncomingMessage, response: ServerResponse, waitMs: number): void {
  const { socket } = request;
  if (isFile(request)) {
    const silent = (): void => {
      if (!request.complete) socket.destroy();
    };
    socket.setTimeout(silentFileWaits * waitMs, silent);
    // Node itself closes a silent connection, and a file that has arrived may take long to check.
    request.once('end', () => {
      if (!response.writableFinished) socket.setTimeout(0);
    });
    response.once('close', () => socket.off('timeout', silent));
    return;
  }
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers;
  if (length === '0' && encoding === undefined) return;
  const timer = setTimeout(() => {
    if (request.complete) return;
    answerClientError(Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket);
  }, waitMs);
  timer.unref();
  // The answer may be sent before the body, which is then not read.
  response.once('close', () => {
    if (request.complete) clearTimeout(timer);
  });
}

type Fetch = (request: Request, env: object) => Response | Promise<Response>;

/** The port, taken before anything slow is begun: a port that is taken is known at once. */
export interface HttpServer {
  port: number;
  /** Starts to serve requests; until then each is answered with 503. */
  open(fetch: Fetch): void;
  /** Accepts no new requests and ends the open ones after two seconds. May be called twice. */
  close(): Promise<void>;
}

/**
 * Rejects if the port cannot be taken. `requestWaitMs`: how long a request may take to arrive
 * whole, its body included, unless that is a file. It may be held open for longer while it is
 * answered.
 */
export async function takePort(
  port: number,
  host: string | undefined,
  requestWaitMs: number,
): Promise<HttpServer> {
  let fetch: Fetch = () =>
    answerProblem(
      new ApiError('service-unavailable', 'The service is starting: try again in a moment.', {
        headers: { 'Retry-After': '2' },
      }),
    );
  const server = createAdaptorServer({
    fetch: (request, env) => fetch(request, env),
    serverOptions: {
      // Of the head; Node's own limit for the body is the same for all requests.
      headersTimeout: requestWaitMs,
      requestTimeout: 0,
      connectionsCheckingInterval: Math.min(1000, requestWaitMs),
    },
  }) as Server;
  server.on('clientError', answerClientError);
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) =>
    limitBody(request, response, requestWaitMs),
  );
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

/** The answer to a request that could not be read, by the error's code; anything else is 400. */
const answers: Readonly<Record<string, readonly [status: number, detail: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [
    408,
    'The request took too long to arrive. Send it again without pauses.',
  ],
  HPE_HEADER_OVERFLOW: [431, 'The headers of the request are too large.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'The chunk extensions of the body are too large.'],
};

/** Answers a request that could not be read with a problem, and closes its connection. */
function answerClientError(
  error: NodeJS.ErrnoException,
  // As in Node's own handler: an answer on its way must not be followed by another one.
  socket: Socket & { _httpMessage?: { headersSent: boolean } | null },
): void {
  if (!socket.writable || socket._httpMessage?.headersSent) return void socket.destroy();
  const [status, detail] = answers[error.code ?? ''] ?? [400, 'The request is not valid HTTP.'];
  const title = STATUS_CODES[status];
  const code = 'invalid-request';
  const problem = { type: 'about:blank', title, status, code, detail, error: detail };
  const body = JSON.stringify(problem);
  socket.end(
    [
      `HTTP/1.1 ${status} ${title}`,
      'Content-Type: application/problem+json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Cache-Control: no-store',
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
