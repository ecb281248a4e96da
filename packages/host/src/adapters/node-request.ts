import { addressOf, type AddressOptions } from './node-address.ts';
import { bodyOf, type NodeReadable } from './node-body.ts';

/**
 * The part of Node's `IncomingMessage`, or of the compatible request of `node:http2`, that is used.
 */
export interface NodeRequest extends NodeReadable {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  /** The whole target if a framework has shortened `url` (Express, below a mount). */
  readonly originalUrl?: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly httpVersionMajor: number;
  readonly socket: object | null;
}

/** A request that cannot be a `Request`; it is answered with this status. */
export class UnsupportedRequest extends Error {
  readonly status: 400 | 405;

  constructor(status: 400 | 405, detail: string) {
    super(detail);
    this.status = status;
  }
}

/**
 * Headers about the connection and the encoding of the body. They do not apply to a parsed body.
 */
const connectionHeaders = ['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'expect'];

function headersOf(request: NodeRequest, dropped: readonly string[]): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (value === undefined || name.startsWith(':') || dropped.includes(name)) continue;
    for (const line of typeof value === 'string' ? [value] : value) headers.append(name, line);
  }
  return headers;
}

/**
 * Converts Node's request to a `Request`. Throws {@link UnsupportedRequest} if that is not
 * possible.
 */
export function toRequest(
  request: NodeRequest,
  signal: AbortSignal,
  options: AddressOptions,
): Request {
  const { method = 'GET', socket } = request;
  if (/^(?:CONNECT|TRACE|TRACK)$/i.test(method)) {
    throw new UnsupportedRequest(405, 'Use GET, POST, PATCH or DELETE.');
  }
  const encrypted = socket !== null && 'encrypted' in socket && socket.encrypted === true;
  const target = request.originalUrl ?? request.url ?? '/';
  const address = addressOf(target, request.headers, encrypted, options);
  if (address === null) {
    throw new UnsupportedRequest(
      400,
      'The request has no address: its Host header or its path is malformed.',
    );
  }
  const body = method === 'GET' || method === 'HEAD' ? null : bodyOf(request);
  const parsed = body !== null && !(body instanceof ReadableStream);
  return new Request(address, {
    method,
    headers: headersOf(
      request,
      parsed ? [...connectionHeaders, 'content-length', 'content-encoding'] : connectionHeaders,
    ),
    signal,
    ...(body === null ? {} : { body, duplex: 'half' }),
  } as RequestInit);
}
