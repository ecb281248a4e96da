import { once } from 'node:events';
import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';

/** One request of the check, as it is sent. */
interface Sent {
  readonly method: string;
  /** The whole URL. The path is sent exactly as written here. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** The answer. `status` is 0 if there was no answer; `failure` then says why. */
interface Received {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** About the first 256 kB. */
  readonly text: string;
  readonly failure: string | null;
  /** From sending to the end of the answer. */
  readonly milliseconds: number;
}

export interface Exchange {
  readonly sent: Sent;
  readonly received: Received;
}

export type Send = (sent: Sent, leaving?: AbortSignal) => Promise<Received>;

/** The body as JSON, or undefined if it is not JSON. */
export function jsonOf({ received }: Exchange): unknown {
  try {
    return JSON.parse(received.text) as unknown;
  } catch {
    return undefined;
  }
}

const maxTextLength = 256 * 1024;
/** Longer than any host waits for its service. */
const timeoutMs = 120_000;

/**
 * Sends a request with its path exactly as written (`fetch` would normalise it) and follows no
 * redirect. Never throws: a connection that fails or takes too long gives an answer with status 0.
 */
export const send: Send = async ({ method, url, headers, body }, leaving) => {
  const began = performance.now();
  let received = { status: 0, headers: {} };
  let text = '';
  let failure = null;
  try {
    const request = (url.startsWith('https:') ? requestHttps : requestHttp)(url, {
      path: url.slice(url.indexOf('/', url.indexOf('//') + 2)),
      method,
      headers: {
        ...headers,
        ...(body !== null && { 'Content-Length': Buffer.byteLength(body) }),
      },
      // A new connection, so that a host that closes one early does not disturb the next request.
      agent: false,
      signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(leaving ? [leaving] : [])]),
    });
    // One that breaks off during its answer is told by the answer too.
    request.on('error', () => {});
    const [response] = (await once(request.end(body ?? ''), 'response')) as [IncomingMessage];
    const all = Object.entries(response.headers).map(([name, value]) => [name, `${value}`]);
    received = { status: response.statusCode ?? 0, headers: Object.fromEntries(all) };
    for await (const part of response.setEncoding('utf8')) {
      text += part as string;
      if (text.length > maxTextLength) break;
    }
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    failure = message || code || 'the connection failed';
  }
  return { ...received, text, failure, milliseconds: performance.now() - began };
};
