import { HostProblem } from '../http/host-problem.ts';
import { maxBodyBytes } from '../http/json-body.ts';

/** The part of Node's `IncomingMessage` or `Http2ServerRequest` that reading a body needs. */
interface NodeReadable {
  /** Whether something has already read from it. */
  readonly readableDidRead: boolean;
  /** The body as parsed by an earlier body parser. */
  readonly body?: unknown;
  on(event: string, listener: (value?: unknown) => void): unknown;
  pause(): unknown;
  resume(): unknown;
  destroy(): unknown;
}

/**
 * Maximum number of bytes to read and discard after a body was refused. Without it, the client may
 * not be able to read the answer.
 */
const maxDiscardedBytes = 16 * maxBodyBytes;

/** The bytes of a request as they arrive. Data is read from the connection only on demand. */
function streamBody(request: NodeReadable): ReadableStream<Uint8Array> {
  let bytesLeft: number | null = null;
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        let ended = false;
        const end = (act: () => void) => {
          if (!ended && bytesLeft === null) act();
          ended = true;
        };
        request.on('data', (value) => {
          const chunk = value as Uint8Array;
          if (bytesLeft !== null) {
            bytesLeft -= chunk.byteLength;
            if (bytesLeft < 0) request.destroy();
            return;
          }
          controller.enqueue(chunk);
          request.pause();
        });
        request.on('end', () => end(() => controller.close()));
        request.on('error', (error) => end(() => controller.error(error)));
        request.on('close', () =>
          end(() =>
            controller.error(
              new Error('The client disconnected before it had sent the whole body.'),
            ),
          ),
        );
        request.pause();
      },
      pull() {
        request.resume();
      },
      cancel() {
        bytesLeft = maxDiscardedBytes;
        request.resume();
      },
    },
    { highWaterMark: 0 },
  );
}

/**
 * The body of a request as a stream. If a body parser already consumed it, the parsed value as
 * JSON. Throws if the body was consumed and no parsed value is left.
 */
function readBody(request: NodeReadable): ReadableStream<Uint8Array> | string | Uint8Array {
  if (!request.readableDidRead) return streamBody(request);
  const { body } = request;
  if (body === undefined) {
    throw new Error(
      'clip-host/node: another middleware has read the body and did not put it at request.body. Mount the handler before that middleware.',
    );
  }
  return typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
}

/**
 * Options for finding a request's own address; by default from its `Host` header and its
 * connection.
 */
export interface AddressOptions {
  /**
   * The site's public origin, such as `https://www.example.com`. If set, the request's headers are
   * not used.
   */
  readonly origin?: string;
  /**
   * Whether a proxy in front sets `X-Forwarded-Proto`, `X-Forwarded-Host` and `X-Forwarded-For`. If
   * a header has several values, the last one is used, because the nearest proxy wrote it. False by
   * default, because any client can send these headers.
   */
  readonly trustProxy?: boolean;
}

type NodeHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * A host name or IP address and an optional port. Rejects characters that would end the authority
 * of a URL or add a user name to it.
 */
const authority = /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;

/** Used for a request without a host. No page can have this origin (RFC 2606). */
const unknownHost = 'host.invalid';

const getLast = (value: string | readonly string[] | undefined): string | undefined =>
  (typeof value === 'string' ? value : value?.join(','))?.split(',').at(-1)?.trim() || undefined;

/**
 * The absolute URL of a request. Null if the `Host` is not a valid host or the target is not a
 * path. The authority in the target (`GET http://a/b`) is never trusted.
 */
export function resolveAddress(
  target: string,
  headers: NodeHeaders,
  encrypted: boolean,
  { origin, trustProxy = false }: AddressOptions,
): string | null {
  let path = target;
  if (!target.startsWith('/')) {
    if (!/^https?:\/\//i.test(target) || !URL.canParse(target)) return null;
    const { pathname, search } = new URL(target);
    path = pathname + search;
  }
  let base = origin;
  if (base === undefined) {
    const forwarded = trustProxy ? getLast(headers['x-forwarded-host']) : undefined;
    const host = forwarded ?? getLast(headers[':authority'] ?? headers['host']) ?? unknownHost;
    if (!authority.test(host)) return null;
    const scheme = trustProxy ? getLast(headers['x-forwarded-proto']) : undefined;
    base = `${(scheme ?? (encrypted ? 'https' : 'http')) === 'https' ? 'https' : 'http'}://${host}`;
  }
  const address = base + path;
  return URL.canParse(address) ? address : null;
}

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

/** The IP address of the client; undefined if it is not known. */
export function getClientAddress(
  { headers, socket }: NodeRequest,
  { trustProxy = false }: AddressOptions,
): string | undefined {
  const forwarded = trustProxy ? getLast(headers['x-forwarded-for']) : undefined;
  return forwarded ?? (socket as { remoteAddress?: string } | null)?.remoteAddress;
}

/**
 * Headers about the connection and the encoding of the body. They do not apply to a parsed body.
 */
const connectionHeaders = ['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'expect'];

function copyHeaders(request: NodeRequest, dropped: readonly string[]): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (value === undefined || name.startsWith(':') || dropped.includes(name)) continue;
    for (const line of typeof value === 'string' ? [value] : value) headers.append(name, line);
  }
  return headers;
}

/** Converts Node's request to a `Request`. Throws a {@link HostProblem} if that is not possible. */
export function toRequest(
  request: NodeRequest,
  signal: AbortSignal,
  options: AddressOptions,
): Request {
  const { method = 'GET', socket } = request;
  if (/^(?:CONNECT|TRACE|TRACK)$/i.test(method)) {
    throw new HostProblem('method-not-allowed', {
      detail: 'Use GET, POST, PATCH or DELETE.',
      headers: { Allow: 'GET, POST' },
    });
  }
  const encrypted = socket !== null && 'encrypted' in socket && socket.encrypted === true;
  const target = request.originalUrl ?? request.url ?? '/';
  const address = resolveAddress(target, request.headers, encrypted, options);
  if (address === null) {
    throw new HostProblem('invalid-request', {
      detail: 'The request has no address: its Host header or its path is malformed.',
    });
  }
  const body = method === 'GET' || method === 'HEAD' ? null : readBody(request);
  const parsed = body !== null && !(body instanceof ReadableStream);
  return new Request(address, {
    method,
    headers: copyHeaders(
      request,
      parsed ? [...connectionHeaders, 'content-length', 'content-encoding'] : connectionHeaders,
    ),
    signal,
    ...(body === null ? {} : { body, duplex: 'half' }),
  } as RequestInit);
}
