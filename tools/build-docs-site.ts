import { existsSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { installDependencies, withoutOwnNode } from './install-dependencies.mjs';
import { runProgram } from './run-program.ts';

const site = 'tools/site';
/** The examples run all elements; the last file is the one of which each page has the elements. */
const kit = ['clip-studio.js', 'clip-kit.js'];

async function must(command: readonly string[], signal: AbortSignal, cwd = site): Promise<void> {
  const { code, output } = await runProgram(command, { cwd, env: withoutOwnNode(), signal });
  signal.throwIfAborted();
  if (code !== 0) throw new Error(`${command.join(' ')} failed in ${cwd}/:\n${output}`);
}

/** Builds `docs/` into `tools/site/dist`, with packages of its own, installed if necessary. */
export async function buildDocsSite(signal: AbortSignal): Promise<void> {
  const installed = await installDependencies(site, { signal });
  signal.throwIfAborted();
  if (!installed) throw new Error(`The packages of ${site}/ could not be installed.`);
  if (!kit.every((file) => existsSync(`dist/cdn/${file}`)))
    await must(['npm', 'run', '--silent', 'build'], signal, '.');
  await must([process.execPath, 'node_modules/vitepress/bin/vitepress.js', 'build'], signal);
  for (const file of kit) await copyFile(`dist/cdn/${file}`, `${site}/dist/${file}`);
}
