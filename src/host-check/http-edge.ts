import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Came, Sent } from './exchange.ts';

/** As much of an answer as is read. */
const maxText = 256 * 1024;

/**
 * Sends a request with its path exactly as written (`fetch` would tidy it), follows no redirect, and never throws: a
 * connection that fails or takes longer than `patience` milliseconds is an answer with status 0.
 */
export const send = (sent: Sent, patience: number, signal?: AbortSignal): Promise<Came> =>
  new Promise((resolve) => {
    const began = performance.now();
    const { protocol, hostname, port, host } = new URL(sent.url);
    const path = sent.url.slice(sent.url.indexOf('/', sent.url.indexOf('//') + 2));
    const finish = (came: Partial<Came>) => {
      clearTimeout(over);
      resolve({
        ...{ status: 0, headers: {}, text: '', failure: null, ...came },
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
        // A connection of its own: a host that closes one early must not disturb the next request.
        agent: false,
        ...(signal ? { signal } : {}),
      },
      (response) => {
        const headers = Object.fromEntries(
          Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
        );
        const came = { status: response.statusCode ?? 0, headers };
        const parts: Buffer[] = [];
        let size = 0;
        const text = () => Buffer.concat(parts).toString('utf8');
        response.on('data', (part: Buffer) => {
          parts.push(part);
          size += part.byteLength;
          if (size < maxText) return;
          finish({ ...came, text: text() });
          response.destroy();
        });
        response.on('end', () => finish({ ...came, text: text() }));
        response.on('error', (error) => finish({ ...came, text: text(), failure: error.message }));
      },
    );
    const over = setTimeout(
      () => request.destroy(new Error(`nothing within ${patience / 1000} s`)),
      patience,
    );
    request.on('error', (error: NodeJS.ErrnoException) =>
      finish({ failure: error.message || error.code || 'the connection failed' }),
    );
    request.end(body ?? undefined);
  });
