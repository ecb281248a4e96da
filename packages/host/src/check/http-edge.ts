import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Received, Sent } from './exchange.ts';

/** How much of an answer is read. */
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
    const path = sent.url.slice(sent.url.indexOf('/', sent.url.indexOf('//') + 2));
    const finish = (received: Partial<Received>) => {
      clearTimeout(over);
      resolve({
        status: 0,
        headers: {},
        text: '',
        failure: null,
        ...received,
        milliseconds: performance.now() - began,
      });
    };
    const body = sent.body === null ? null : Buffer.from(sent.body);
    const request = (protocol === 'https:' ? requestHttps : requestHttp)(
      {
        hostname: hostname.replace(/^\[|\]$/g, ''),
        port,
        path,
        method: sent.method,
        headers: {
          Host: host,
          ...sent.headers,
          ...(body || sent.method === 'POST' ? { 'Content-Length': body?.byteLength ?? 0 } : {}),
        },
        // A new connection, so that a host that closes one early does not disturb the next request.
        agent: false,
        ...(signal ? { signal } : {}),
      },
      (response) => {
        const headers = Object.fromEntries(
          Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
        );
        const received = { status: response.statusCode ?? 0, headers };
        const parts: Buffer[] = [];
        let size = 0;
        const text = () => Buffer.concat(parts).toString('utf8');
        response.on('data', (part: Buffer) => {
          parts.push(part);
          size += part.byteLength;
          if (size < maxTextBytes) return;
          finish({ ...received, text: text() });
          response.destroy();
        });
        response.on('end', () => finish({ ...received, text: text() }));
        response.on('error', (error) =>
          finish({ ...received, text: text(), failure: error.message }),
        );
      },
    );
    const over = setTimeout(
      () => request.destroy(new Error(`no answer within ${timeoutMs / 1000} s`)),
      timeoutMs,
    );
    request.on('error', (error: NodeJS.ErrnoException) =>
      finish({ failure: error.message || error.code || 'the connection failed' }),
    );
    request.end(body ?? undefined);
  });
