/** The floor of an upload: Node's own HTTP server that writes the body of a request to a file. */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { serve } from './child.ts';

const page = '<!doctype html><html lang="en"><title>Upload</title><input type="file"></html>';

await serve<{ path: string }>(async ({ path }) => {
  const server = createServer({ requestTimeout: 0 }, (request, response) => {
    if (request.method !== 'PUT') {
      response.writeHead(200, { 'Content-Type': 'text/html' }).end(page);
      return;
    }
    void pipeline(request, createWriteStream(path, { flush: true })).then(() =>
      response.writeHead(204).end(),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => server.closeAllConnections(),
  };
});
