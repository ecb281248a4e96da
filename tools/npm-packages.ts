import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withoutOwnNode } from './install-dependencies.mjs';
import { runProgram } from './run-program.ts';

/**
 * Installs packages that only some tests need into a directory outside of the project. `packages`
 * have exact versions, so that every run gives the same result.
 */
export async function installFromNpm(
  directory: string,
  packages: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  await writeFile(join(directory, 'package.json'), '{ "private": true }\n');
  console.log(`Installing ${packages.join(', ')} ...`);
  const { code, output } = await runProgram(
    ['npm', 'install', '--no-audit', '--no-fund', '--no-save', ...packages],
    { cwd: directory, env: withoutOwnNode(), signal },
  );
  signal.throwIfAborted();
  if (code === 0) return;
  throw new Error(
    `${packages.join(', ')} could not be installed, so nothing was tested. Is the package registry within reach?\n${output}`,
  );
}
