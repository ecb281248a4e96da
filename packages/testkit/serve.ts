import { once } from 'node:events';
import { createServer, type RequestListener, type Server as HttpServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';

export interface Served {
  readonly port: number;
  readonly origin: string;
  /** Ends the connections too. */
  close(): Promise<void>;
}

/** Lets a server listen on a free port of this machine. */
export async function listenHere(server: Server): Promise<Served> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    async close() {
      if (!server.listening) return;
      server.close();
      (server as Partial<HttpServer>).closeAllConnections?.();
      await once(server, 'close');
    },
  };
}

/** Serves HTTP on a free port of this machine. */
export const serve = (listener: RequestListener): Promise<Served> =>
  listenHere(createServer(listener));
