import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A server in a process of its own, whose processor time can be asked for. */
export interface MeasuredServer {
  url: string;
  facts: Record<string, string>;
  /** Reads the microseconds of processor time that it has used, user and system. */
  readCpu(): Promise<number>;
  /** Stops it; resolves when its process is gone. */
  stop(): Promise<void>;
}

/** Starts a program of this folder with its settings. */
export async function startServer(
  name: 'floor' | 'service' | 'host' | 'by-hand',
  settings: object,
): Promise<MeasuredServer> {
  const program = fileURLToPath(new URL(`${name}.ts`, import.meta.url));
  const child = fork(program, [JSON.stringify(settings)], {
    // The log is written, and nobody reads it.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');
  const receive = <T>(): Promise<T> =>
    Promise.race([
      once(child, 'message').then(([message]) => message as T),
      ended.then(() => Promise.reject(new Error(`The ${name} server of the bench ended.`))),
    ]);
  const started = await receive<Pick<MeasuredServer, 'url' | 'facts'>>();
  return {
    ...started,
    readCpu() {
      const answer = receive<number>();
      child.send('cpu');
      return answer;
    },
    async stop() {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}
