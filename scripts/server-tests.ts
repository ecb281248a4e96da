import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OwnServer } from './own-server.ts';
import { countTests, type Count } from './test-count.ts';

const runTests = async (
  files: readonly string[],
  env: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Count> => {
  // A test that waits for a server in vain is to fail, not to hold up all.
  const options = ['--test', '--test-reporter=spec', '--test-timeout=120000'];
  const child = spawn(process.execPath, [...options, ...files], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const end = (): unknown => child.kill('SIGTERM');
  signal.addEventListener('abort', end);
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    process.stdout.write(text);
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return countTests('node', code ?? 1, output);
};

/**
 * Runs tests against servers of their own, each in a temporary directory, stopped and removed at the end. Closes with
 * `N passed, M failed`.
 */
export const testWithServers = async (
  starts: readonly ((directory: string) => Promise<OwnServer>)[],
  files: readonly string[],
): Promise<void> => {
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort());
  const directories: string[] = [];
  const servers: OwnServer[] = [];
  let count: Count = { passed: 0, failed: 1 };
  try {
    for (const start of starts) {
      const directory = await mkdtemp(join(tmpdir(), 'clip-server-'));
      directories.push(directory);
      servers.push(await start(directory));
      stopping.signal.throwIfAborted();
    }
    const env = Object.assign({}, ...servers.map((server) => server.env)) as Record<string, string>;
    count = await runTests(files, env, stopping.signal);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
  } finally {
    for (const server of servers) await server.stop();
    for (const directory of directories) await rm(directory, { recursive: true, force: true });
  }
  console.log(`\n${count.passed} passed, ${count.failed} failed`);
  process.exitCode = count.failed ? 1 : 0;
};
