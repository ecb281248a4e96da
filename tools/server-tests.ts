import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chosenFiles, countedRun, runSuite } from './counted-run.ts';
import type { OwnServer } from './own-server.ts';

/**
 * Runs tests against servers of their own. Each server has a temporary directory, and is stopped
 * and removed at the end. Prints `N passed, M failed` at the end.
 */
export async function testWithServers(
  starts: readonly ((directory: string, signal: AbortSignal) => Promise<OwnServer>)[],
  files: readonly string[],
): Promise<void> {
  await countedRun(async (signal) => {
    const directories: string[] = [];
    const servers: OwnServer[] = [];
    try {
      for (const start of starts) {
        const directory = await mkdtemp(join(tmpdir(), 'clip-server-'));
        directories.push(directory);
        servers.push(await start(directory, signal));
        signal.throwIfAborted();
      }
      return await runSuite(
        chosenFiles(files),
        Object.assign({}, ...servers.map(({ env }) => env)),
        signal,
      );
    } finally {
      for (const server of servers) await server.stop();
      for (const directory of directories) await rm(directory, { recursive: true, force: true });
    }
  });
}
