import { once } from 'node:events';
import { request, type IncomingMessage, type Server } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import type { ClipHost } from '../host/src/index.ts';
import { type Ending, HostWorld, type HostWorldOptions } from './host-world.ts';
import { listenHere } from './serve.ts';

/**
 * Serves a host with a framework; resolves with its URL. Everything that it opens is closed with
 * the test.
 */
export type Mount = (host: ClipHost, t: TestContext) => Promise<string>;

/** Listens on a free loopback port; the server ends with the test. */
export async function listen(server: Server, t: Ending): Promise<string> {
  const { origin, close } = await listenHere(server);
  t.after(close);
  return origin;
}

export interface MountedWorld {
  readonly world: HostWorld;
  readonly url: string;
  /** The requests that the host got. */
  readonly requests: Request[];
  /** A request as a page of the site sends it, with Ann's cookie. */
  send(method: string, path: string, sent?: Sent): Promise<Answered>;
  /** Resolves when the next request has reached the host. */
  reached(): Promise<Request>;
}

export interface Sent {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** With a connection of its own. */
  readonly agent?: false;
}

export interface Answered {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  json<T = Record<string, unknown>>(): T;
}

/** Sends with Node's client, which adds no headers and may send any header. */
export async function send(
  url: string,
  method: string,
  path: string,
  { body, headers = {}, signal, agent }: Sent = {},
): Promise<Answered> {
  const sent = request(url + path, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(signal ? { signal } : {}),
    ...(agent === false ? { agent } : {}),
  });
  sent.end(
    body === undefined || typeof body === 'string' || body instanceof Uint8Array
      ? body
      : JSON.stringify(body),
  );
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const answered = await text(response);
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    text: answered,
    json: <T>() => JSON.parse(answered) as T,
  };
}

/** A server's answer to exactly these bytes, until the connection ends. */
export async function sendRaw(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(bytes);
  return text(socket);
}

/** A host over a fake service, served by a framework. */
export async function openMounted(
  t: TestContext,
  mount: Mount,
  options: HostWorldOptions = {},
): Promise<MountedWorld> {
  const world = await HostWorld.open(t, options);
  const requests: Request[] = [];
  const waiting: ((request: Request) => void)[] = [];
  const host = Object.assign(
    (one: Request) => {
      requests.push(one);
      for (const resolve of waiting.splice(0)) resolve(one);
      return world.host(one);
    },
    { close: () => world.host.close() },
  );
  const url = await mount(host, t);
  return {
    world,
    url,
    requests,
    send: (method, path, sent = {}) =>
      send(url, method, path, {
        ...sent,
        headers: { Cookie: 'user=ann', 'Sec-Fetch-Site': 'same-origin', ...sent.headers },
      }),
    reached: () => new Promise((resolve) => waiting.push(resolve)),
  };
}
