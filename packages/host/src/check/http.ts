import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';

/** One request of the check, as it is sent. */
export interface Sent {
  readonly method: string;
  /** The whole URL. The path is sent exactly as written here. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** The answer. `status` is 0 if there was no answer; `failure` then says why. */
export interface Received {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** At most the first 256 kB. */
  readonly text: string;
  readonly failure: string | null;
  /** From sending to the end of the answer. */
  readonly milliseconds: number;
}

export interface Exchange {
  readonly sent: Sent;
  readonly received: Received;
}

/** The body as JSON, or undefined if it is not JSON. */
export function jsonOf({ received }: Exchange): unknown {
  try {
    return JSON.parse(received.text) as unknown;
  } catch {
    return undefined;
  }
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const maxTextBytes = 256 * 1024;

/**
 * Sends a request with its path exactly as written (`fetch` would normalise it) and follows no
 * redirect. Never throws: a connection that fails or takes longer than `timeoutMs` gives an answer
 * with status 0.
 */
export const send = (sent: Sent, timeoutMs: number, signal?: AbortSignal): Promise<Received> =>
  new Promise((resolve) => {
    const began = performance.now();
    const { protocol, hostname, port, host } = new URL(sent.url);
    const parts: Buffer[] = [];
    let received = { status: 0, headers: {} };
    const finish = (failure: string | null = null) => {
      clearTimeout(over);
      const text = Buffer.concat(parts).toString('utf8');
      resolve({ ...received, text, failure, milliseconds: performance.now() - began });
    };
    const hasLength = sent.body !== null || sent.method === 'POST';
    const request = (protocol === 'https:' ? requestHttps : requestHttp)(
      {
        hostname: hostname.replace(/^\[|\]$/g, ''),
        port,
        path: sent.url.slice(sent.url.indexOf('/', sent.url.indexOf('//') + 2)),
        method: sent.method,
        headers: {
          Host: host,
          ...sent.headers,
          ...(hasLength && { 'Content-Length': Buffer.byteLength(sent.body ?? '') }),
        },
        // A new connection, so that a host that closes one early does not disturb the next request.
        agent: false,
        ...(signal ? { signal } : {}),
      },
      (response) => {
        const headers = Object.entries(response.headers).map(([name, value]) => [name, `${value}`]);
        received = { status: response.statusCode ?? 0, headers: Object.fromEntries(headers) };
        response.on('data', (part: Buffer) => {
          parts.push(part);
          if (parts.reduce((sum, { length }) => sum + length, 0) < maxTextBytes) return;
          finish();
          response.destroy();
        });
        response.on('end', () => finish());
        response.on('error', (error) => finish(error.message));
      },
    );
    const fail = () => request.destroy(new Error(`no answer within ${timeoutMs / 1000} s`));
    const over = setTimeout(fail, timeoutMs);
    request.on('error', (error: NodeJS.ErrnoException) =>
      finish(error.message || error.code || 'the connection failed'),
    );
    request.end(sent.body ?? undefined);
  });
