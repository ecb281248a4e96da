import { checkOrigin } from '../http/cross-origin.ts';
import { HostProblem } from '../http/host-problem.ts';
import {
  type AddressOptions,
  getClientAddress,
  type NodeRequest,
  toRequest,
} from './node-request.ts';

/**
 * The part of Node's `ServerResponse`, or of the compatible response of `node:http2`, that is used.
 */
export interface NodeResponse {
  statusCode: number;
  readonly headersSent: boolean;
  readonly destroyed: boolean;
  readonly writableFinished: boolean;
  appendHeader(name: string, value: string | string[]): unknown;
  setHeader(name: string, value: string): unknown;
  write(chunk: Uint8Array): boolean;
  end(): unknown;
  end(chunk: Uint8Array): unknown;
  destroy(error?: Error): unknown;
  once(event: string, listener: (value?: unknown) => void): unknown;
  off(event: string, listener: (value?: unknown) => void): unknown;
}

/** Resolves when the response accepts more data or is closed. */
const waitUntilWritable = (response: NodeResponse): Promise<void> =>
  new Promise((resolve) => {
    const go = () => {
      response.off('drain', go);
      response.off('close', go);
      resolve();
    };
    response.once('drain', go);
    response.once('close', go);
  });

function writeHead(response: NodeResponse, { status, headers }: Response): void {
  response.statusCode = status;
  for (const [name, value] of headers) {
    // Keep the values that an earlier middleware has set.
    if (name === 'vary') response.appendHeader(name, value);
    else if (name !== 'set-cookie') response.setHeader(name, value);
  }
  const cookies = headers.getSetCookie();
  if (cookies.length) response.appendHeader('set-cookie', cookies);
}

/**
 * Writes an answer at the pace of the client. Resolves when everything is written or the client has
 * disconnected; rejects if the answer's body fails.
 */
async function writeResponse(
  answer: Response,
  response: NodeResponse,
  head: boolean,
): Promise<void> {
  if (response.destroyed) return void (await answer.body?.cancel());
  writeHead(response, answer);
  if (head || !answer.body) {
    await answer.body?.cancel();
    response.end();
    return;
  }
  // Sent in one piece, so that Node sets its length.
  if (/^application\/(?:problem\+)?json/.test(answer.headers.get('Content-Type') ?? '')) {
    response.end(new Uint8Array(await answer.arrayBuffer()));
    return;
  }
  const reader = answer.body.getReader();
  const leave = () => void reader.cancel().catch(() => {});
  response.once('close', leave);
  for (;;) {
    const { done, value } = await reader.read();
    if (done || response.destroyed) break;
    if (!response.write(value)) await waitUntilWritable(response);
  }
  response.off('close', leave);
  if (!response.destroyed) response.end();
}

export type { NodeRequest };

export interface NodeHandlerOptions extends AddressOptions {
  /**
   * Receives the error of a request that failed outside of the host. By default it is logged to the
   * console. The client never sees it.
   */
  readonly onError?: (error: unknown) => void;
}

/**
 * A handler for `createServer` of Node's http, https and http2, for Express, and for Fastify's raw
 * request and reply.
 */
export type NodeHandler = (request: NodeRequest, response: NodeResponse) => void;

const isClosing = ({ socket, httpVersionMajor }: NodeRequest): boolean =>
  httpVersionMajor < 2 &&
  socket !== null &&
  'server' in socket &&
  (socket.server as { listening?: boolean } | null)?.listening === false;

const nodeRequests = new WeakMap<Request, NodeRequest>();

/**
 * Node's own request behind the one that `authenticate` receives. Use it to read what a middleware
 * has added: `request.session` in Express, `request.user` of Passport. Throws an `Error` if the
 * request did not come through {@link nodeHandler}.
 */
export function getNodeRequest<T = NodeRequest>(request: Request): T {
  const found = nodeRequests.get(request);
  if (!found) throw new Error('getNodeRequest: this request did not come through nodeHandler');
  return found as T;
}

/**
 * Mounts a host on Node's own request and response. Bodies are streamed in both directions. The
 * host's request is aborted when the client disconnects. Throws a `TypeError` if `origin` is not an
 * origin.
 *
 *     createServer(nodeHandler(clips)).listen(3000);
 *     app.use('/clips', nodeHandler(clips)); // Express
 */
export function nodeHandler(
  host: (request: Request, context: { clientAddress: string | undefined }) => Promise<Response>,
  options: NodeHandlerOptions = {},
): NodeHandler {
  const { origin, onError = (error) => console.error('clip-host/node:', error) } = options;
  if (origin !== undefined) checkOrigin('origin', origin);

  const answer = async (request: NodeRequest, signal: AbortSignal): Promise<Response> => {
    try {
      const asked = toRequest(request, signal, options);
      nodeRequests.set(asked, request);
      return await host(asked, { clientAddress: getClientAddress(request, options) });
    } catch (error) {
      if (error instanceof HostProblem) return error.toResponse();
      if (!signal.aborted) onError(error);
      return new HostProblem('internal-error').toResponse();
    }
  };

  const handle = async (request: NodeRequest, response: NodeResponse): Promise<void> => {
    const client = new AbortController();
    const leave = () => {
      if (!response.writableFinished) client.abort();
    };
    response.once('close', leave);
    // Node reports a broken connection on both objects. An `error` event without a listener would
    // end the process.
    request.on('error', leave);
    response.once('error', leave);
    if (response.destroyed) leave();
    try {
      const answered = await answer(request, client.signal);
      // Without this, keep-alive would keep the connection of a held request open after the server
      // has closed.
      if (isClosing(request)) response.setHeader('Connection', 'close');
      await writeResponse(answered, response, request.method === 'HEAD');
    } catch (error) {
      if (!client.signal.aborted) onError(error);
      response.destroy();
    }
  };

  return (request, response) => void handle(request, response);
}
