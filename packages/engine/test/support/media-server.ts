import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A web server on loopback with an answer for each path, and 404 for others. */
export async function mediaServer(answers: Readonly<Record<string, Answer | Buffer | string>>) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    asked.push(request.url ?? '');
    const answer = answers[path];
    if (answer === undefined) response.writeHead(404).end('not here');
    else if (typeof answer === 'function') answer(request, response);
    else response.writeHead(200, { 'content-length': Buffer.byteLength(answer) }).end(answer);
  });
  server.listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  const { port } = server.address() as AddressInfo;
  return {
    asked,
    url: (path: string, host = '127.0.0.1') => `http://${host}:${port}${path}`,
    close: () => {
      server.closeAllConnections();
      return new Promise((closed) => server.close(closed));
    },
  };
}
