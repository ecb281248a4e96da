/**
 * Runs the built host in real Deno, Bun and workerd, and in Node. Installs these runtimes into a
 * temporary directory outside of the project, and removes it at the end. Prints `N passed, M
 * failed` at the end.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countedRun, runSuite } from './counted-run.ts';
import { runProgram, withoutOwnNode } from './run-program.ts';
import { suites } from './suites.ts';

/** Exact versions, so that every run gives the same result. */
const packages = [
  'deno@2.9.6',
  'bun@1.4.5',
  'workerd@1.20261117.1',
  'workerd-april@npm:workerd@1.20260426.1',
];

async function install(directory: string, signal: AbortSignal): Promise<void> {
  await writeFile(join(directory, 'package.json'), '{ "private": true }\n');
  console.log(`Installing ${packages.join(', ')} ...`);
  const { code, output } = await runProgram(
    ['npm', 'install', '--no-audit', '--no-fund', '--no-save', ...packages],
    { cwd: directory, env: withoutOwnNode(), signal },
  );
  signal.throwIfAborted();
  if (code === 0) return;
  throw new Error(
    `The runtimes could not be installed, so nothing was tried in them. Is the package registry within reach?\n${output}`,
  );
}

await countedRun(async (signal) => {
  const directory = await mkdtemp(join(tmpdir(), 'clip-runtimes-'));
  try {
    await install(directory, signal);
    return await runSuite(suites['runtimes']!.files, { RUNTIMES_DIRECTORY: directory }, signal);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});
