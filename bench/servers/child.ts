import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';

export interface Started {
  url: string;
  /** What the bench needs to know beside the address. */
  facts?: Record<string, string>;
  close(): unknown;
}

/** Serves on a free port of this machine. */
export async function listen(answer: RequestListener): Promise<Started> {
  const server: Server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => server.closeAllConnections(),
  };
}

/** The same with a handler of the fetch API. */
export const listenWith = (fetch: (request: Request) => Response | Promise<Response>) =>
  listen(getRequestListener(fetch));

/**
 * Starts the server with the settings of the process's only argument, says where it is, and answers
 * questions for its processor time until it is told to stop.
 */
export async function serve<T>(start: (settings: T) => Promise<Started>): Promise<void> {
  const { url, facts = {}, close } = await start(JSON.parse(process.argv[2]!) as T);
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send?.(user + system);
  });
  // The channel closes when the bench stops the server, and when the bench itself ends.
  process.once('disconnect', () => {
    void Promise.resolve(close()).finally(() => process.exit());
  });
  process.send?.({ url, facts });
}
