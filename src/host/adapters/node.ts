import type { Problem } from '../../contract/problem.ts';
import type { AddressOptions } from './node-address.ts';
import { toRequest, Unfit, type NodeRequest } from './node-request.ts';
import { writeResponse, type NodeResponse } from './node-response.ts';

export type { NodeRequest, NodeResponse };

export interface NodeHandlerOptions extends AddressOptions {
  /** Gets what made a request fail outside of the host; by default it is printed to the console. The client is told nothing of it. */
  readonly onError?: (error: unknown) => void;
}

/** A handler for `createServer` of Node's http, https and http2, for Express and for Fastify's raw request and reply. */
export type NodeHandler = (request: NodeRequest, response: NodeResponse) => void;

const isClosing = ({ socket, httpVersionMajor }: NodeRequest): boolean =>
  httpVersionMajor < 2 &&
  socket !== null &&
  'server' in socket &&
  (socket.server as { listening?: boolean } | null)?.listening === false;

const problem = (status: 400 | 405 | 500, detail?: string): Response => {
  const [code, title] = (
    {
      400: ['invalid-request', 'The request does not fit'],
      405: ['method-not-allowed', 'Method not allowed'],
      500: ['internal-error', 'Internal error'],
    } as const
  )[status];
  const body: Problem = { type: 'about:blank', title, status, code, ...(detail && { detail }) };
  return new Response(JSON.stringify(body), {
    status,
    headers: {
      'Content-Type': 'application/problem+json',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      ...(status === 405 ? { Allow: 'GET, POST' } : {}),
    },
  });
};

const nodeRequests = new WeakMap<Request, NodeRequest>();

/**
 * Node's own request of one that `authenticate` is given, for what a middleware has put there: Express' `request.session`,
 * Passport's `request.user`. Throws an `Error` for a request that did not come by {@link nodeHandler}.
 */
export const nodeRequestOf = <T = NodeRequest>(request: Request): T => {
  const found = nodeRequests.get(request);
  if (!found) throw new Error('nodeRequestOf: this request did not come by nodeHandler');
  return found as T;
};

/**
 * Mounts a host on Node's own request and response. Bodies are streamed both ways; the host's request is aborted when
 * the client leaves. Throws a `TypeError` where `origin` is no origin.
 *
 *     createServer(nodeHandler(clips)).listen(3000);
 *     app.use('/clips', nodeHandler(clips)); // Express
 */
export const nodeHandler = (
  host: (request: Request) => Promise<Response>,
  options: NodeHandlerOptions = {},
): NodeHandler => {
  const { origin, onError = (error) => console.error('clip-kit/host/node:', error) } = options;
  if (origin !== undefined && (!URL.canParse(origin) || new URL(origin).origin !== origin)) {
    throw new TypeError(`origin: ${JSON.stringify(origin)} is not an origin`);
  }

  const answer = async (request: NodeRequest, signal: AbortSignal): Promise<Response> => {
    try {
      const asked = toRequest(request, signal, options);
      nodeRequests.set(asked, request);
      return await host(asked);
    } catch (error) {
      if (error instanceof Unfit) return problem(error.status, error.message);
      if (!signal.aborted) onError(error);
      return problem(500);
    }
  };

  const handle = async (request: NodeRequest, response: NodeResponse): Promise<void> => {
    const client = new AbortController();
    const leave = () => {
      if (!response.writableFinished) client.abort();
    };
    response.once('close', leave);
    // Node tells of a broken connection on either side; without a listener it would end the process.
    request.on('error', leave);
    response.once('error', leave);
    if (response.destroyed) leave();
    try {
      const answered = await answer(request, client.signal);
      // Or a connection that was held when the server closed would keep it open for as long as it is kept alive.
      if (isClosing(request)) response.setHeader('Connection', 'close');
      await writeResponse(answered, response, request.method === 'HEAD');
    } catch (error) {
      if (!client.signal.aborted) onError(error);
      response.destroy();
    }
  };

  return (request, response) => void handle(request, response);
};
