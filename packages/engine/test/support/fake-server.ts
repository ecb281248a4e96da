import { createServer, type IncomingHttpHeaders } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

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
  const server = createServer(async (request, response) => {
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
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    asked,
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections();
      return new Promise((closed) => server.close(closed));
    },
  };
}
