/**
 * Runs the built host in real Deno, Bun and workerd, and in Node beside them: installs these runtimes into a temporary
 * directory outside of the project, and removes it at the end. Closes with `N passed, M failed`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { countTests } from './test-count.ts';

const suite = 'test/runtimes/conformance.suite.ts';
/** Exact, so that a run says the same tomorrow. */
const packages = ['deno@2.9.6', 'bun@1.4.5', 'workerd@1.20261117.1'];

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort());

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/** Runs a program to its end; what it prints is kept, and shown where `show` is set. */
const run = async (
  [command = '', ...args]: readonly string[],
  options: { cwd?: string; env: NodeJS.ProcessEnv; show?: boolean },
): Promise<Ended> => {
  const { show = false, ...how } = options;
  const child = spawn(command, args, { ...how, stdio: ['ignore', 'pipe', 'pipe'] });
  const end = (): unknown => child.kill('SIGTERM');
  stopping.signal.addEventListener('abort', end);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (show) process.stdout.write(text);
    });
  }
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
};

/** Without the project's own Node in front: what is installed must not depend on it. */
const outside = {
  ...process.env,
  PATH: (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((part) => !part.includes('node_modules'))
    .join(delimiter),
};

const install = async (directory: string): Promise<void> => {
  await writeFile(join(directory, 'package.json'), '{ "private": true }\n');
  console.log(`Installing ${packages.join(', ')} ...`);
  const { code, output } = await run(
    ['npm', 'install', '--no-audit', '--no-fund', '--no-save', ...packages],
    { cwd: directory, env: outside },
  );
  stopping.signal.throwIfAborted();
  if (code === 0) return;
  throw new Error(
    `The runtimes could not be installed, so nothing was tried in them. Is the package registry within reach?\n${output}`,
  );
};

const directory = await mkdtemp(join(tmpdir(), 'clip-runtimes-'));
let count = { passed: 0, failed: 1 };
try {
  await install(directory);
  const { code, output } = await run([process.execPath, '--test', '--test-reporter=spec', suite], {
    env: { ...process.env, RUNTIMES_DIRECTORY: directory },
    show: true,
  });
  count = countTests('node', code ?? 1, output);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
} finally {
  await rm(directory, { recursive: true, force: true });
}
console.log(`\n${count.passed} passed, ${count.failed} failed`);
process.exitCode = count.failed ? 1 : 0;
