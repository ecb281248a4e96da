import type { IncomingMessage, ServerResponse } from 'node:http';
import { serve } from './serve.ts';

export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A web server on loopback with an answer for each path, and 404 for others. */
export async function mediaServer(answers: Readonly<Record<string, Answer | Buffer | string>>) {
  const asked: string[] = [];
  const { port, close } = await serve((request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    asked.push(request.url ?? '');
    const answer = answers[path];
    if (answer === undefined) response.writeHead(404).end('not here');
    else if (typeof answer === 'function') answer(request, response);
    else response.writeHead(200, { 'content-length': Buffer.byteLength(answer) }).end(answer);
  });
  return {
    asked,
    url: (path: string, host = '127.0.0.1') => `http://${host}:${port}${path}`,
    close,
  };
}
