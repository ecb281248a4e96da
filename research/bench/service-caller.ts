/**
 * What a bench needs to have the real service work: its footage at an address, and calls with the
 * service's key.
 */
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename } from 'node:path';
import type { MeasuredServer } from './measured-server.ts';

export interface FileServer {
  /** No slash at the end; each file is below it by its own name. */
  url: string;
  close(): void;
}

/** Serves these files on a free port of this machine. */
export async function serveFiles(files: readonly string[]): Promise<FileServer> {
  const known = new Map(files.map((path) => [`/${basename(path)}`, path]));
  const server = createServer((request, response) => {
    const path = known.get(request.url ?? '');
    if (path === undefined) return void response.writeHead(404).end();
    stat(path).then(
      ({ size }) => {
        response.writeHead(200, { 'Content-Length': size });
        createReadStream(path).pipe(response);
      },
      () => response.writeHead(500).end(),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/**
 * Calls the service's API: `path` below `/v2`; with a body it is a POST. Rejects where the answer
 * is no success.
 */
export type Call = (path: string, body?: object) => Promise<unknown>;

export const callerOf =
  (service: MeasuredServer): Call =>
  async (path, body) => {
    const response = await fetch(`${service.url}/v2${path}`, {
      headers: {
        Authorization: `Bearer ${service.facts['apiKey']}`,
        'Content-Type': 'application/json',
      },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
    if (!response.ok)
      throw new Error(`${path} answers ${response.status}: ${await response.text()}`);
    return response.json();
  };
