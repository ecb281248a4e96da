import type { IncomingHttpHeaders } from 'node:http';
import { serve } from './serve.ts';

export interface Asked {
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- what a test reads out of a request is the test
  json(): any;
  form(): Promise<FormData>;
}

/** An answer: JSON unless it is text. With null the server never answers. */
export interface Reply {
  status?: number;
  headers?: Record<string, string>;
  body: unknown;
}

/** A web server on loopback with given answers, which records its requests. */
export async function fakeServer(
  answer: (asked: Asked, count: number) => Reply | null | Promise<Reply | null>,
) {
  const asked: Asked[] = [];
  const { origin: url, close } = await serve(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const body = Buffer.concat(pieces);
    const type = request.headers['content-type'] ?? '';
    const call: Asked = {
      path: request.url ?? '',
      headers: request.headers,
      body,
      json: () => JSON.parse(body.toString('utf8')),
      form: () => new Response(body, { headers: { 'content-type': type } }).formData(),
    };
    asked.push(call);
    const reply = await answer(call, asked.length);
    if (!reply) return;
    const text = typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body);
    response
      .writeHead(reply.status ?? 200, { 'content-type': 'application/json', ...reply.headers })
      .end(text);
  });
  return { asked, url, close };
}
