/**
 * Runs the built host in real Deno, Bun and workerd, also with D1, and in Node. Installs these
 * runtimes into a temporary directory outside of the project, and removes it at the end. Prints `N
 * passed, M failed` at the end.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countedRun, runSuite } from './counted-run.ts';
import { miniflare } from './miniflare.ts';
import { installFromNpm } from './npm-packages.ts';
import { suites } from './suites.ts';

const packages = [
  'deno@2.9.6',
  'bun@1.4.5',
  'workerd@1.20261117.1',
  'workerd-april@npm:workerd@1.20260426.1',
  miniflare,
];

await countedRun(async (signal) => {
  const directory = await mkdtemp(join(tmpdir(), 'clip-runtimes-'));
  try {
    await installFromNpm(directory, packages, signal);
    return await runSuite(suites['runtimes']!.files, { RUNTIMES_DIRECTORY: directory }, signal);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});
