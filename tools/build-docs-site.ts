import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { runProgram, withoutOwnNode } from './run-program.ts';

const cwd = 'tools/site';

async function must(command: readonly string[], signal: AbortSignal): Promise<void> {
  const { code, output } = await runProgram(command, { cwd, env: withoutOwnNode(), signal });
  signal.throwIfAborted();
  if (code !== 0) throw new Error(`${command.join(' ')} failed in ${cwd}/:\n${output}`);
}

/** Builds `docs/` into `tools/site/dist`, with packages of its own, installed if necessary. */
export async function buildDocsSite(signal: AbortSignal): Promise<void> {
  const stamp = `${cwd}/node_modules/.clip-kit-lock`;
  const lock = await readFile(`${cwd}/package-lock.json`);
  const wanted = createHash('sha256').update(lock).digest('hex');
  if ((await readFile(stamp, 'utf8').catch(() => '')) !== wanted) {
    await must(['npm', 'ci', '--no-audit', '--no-fund'], signal);
    await writeFile(stamp, wanted);
  }
  await must([process.execPath, 'node_modules/vitepress/bin/vitepress.js', 'build'], signal);
}
