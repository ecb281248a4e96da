import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Usage } from './servers/child.ts';

/** A server in a process of its own, whose processor time can be asked for. */
export interface MeasuredServer {
  url: string;
  facts: Record<string, string>;
  usage(): Promise<Usage>;
  /** Stops it; resolves when its process is gone. */
  stop(): Promise<void>;
}

/** Starts one of `servers/` with its settings. */
export async function startServer(
  name:
    | 'floor'
    | 'bare-hono'
    | 'service'
    | 'no-op-worker'
    | 'host'
    | 'host-held'
    | 'hono'
    | 'file-floor'
    | 'upload-site'
    | 'rendering'
    | 'starting',
  settings: unknown,
): Promise<MeasuredServer> {
  const program = fileURLToPath(new URL(`servers/${name}.ts`, import.meta.url));
  const child = fork(program, [JSON.stringify(settings)], {
    // The log is written, and nobody reads it.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');
  const said = <T>(): Promise<T> =>
    Promise.race([
      once(child, 'message').then(([message]) => message as T),
      ended.then(() => Promise.reject(new Error(`The ${name} server of the bench ended.`))),
    ]);
  const { url, facts } = await said<Pick<MeasuredServer, 'url' | 'facts'>>();
  return {
    url,
    facts,
    usage() {
      const answer = said<Usage>();
      child.send('usage');
      return answer;
    },
    async stop() {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}
