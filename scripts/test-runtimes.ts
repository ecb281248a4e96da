/**
 * Runs the built host in real Deno, Bun and workerd, and in Node beside them: installs these runtimes into a temporary
 * directory outside of the project, and removes it at the end. Closes with `N passed, M failed`.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram, withoutOwnNode } from './run-program.ts';
import { countTests } from './test-count.ts';

const suite = 'test/runtimes/runtimes.suite.ts';
/** Exact, so that a run says the same tomorrow. */
const packages = ['deno@2.9.6', 'bun@1.4.5', 'workerd@1.20261117.1'];

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort());

const install = async (directory: string): Promise<void> => {
  await writeFile(join(directory, 'package.json'), '{ "private": true }\n');
  console.log(`Installing ${packages.join(', ')} ...`);
  const { code, output } = await runProgram(
    ['npm', 'install', '--no-audit', '--no-fund', '--no-save', ...packages],
    { cwd: directory, env: withoutOwnNode(), signal: stopping.signal },
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
  const { code, output } = await runProgram(
    [process.execPath, '--test', '--test-reporter=spec', suite],
    {
      env: { ...process.env, RUNTIMES_DIRECTORY: directory },
      signal: stopping.signal,
      show: true,
    },
  );
  count = countTests('node', code ?? 1, output);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
} finally {
  await rm(directory, { recursive: true, force: true });
}
console.log(`\n${count.passed} passed, ${count.failed} failed`);
process.exitCode = count.failed ? 1 : 0;
