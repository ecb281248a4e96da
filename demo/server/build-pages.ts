import { fileURLToPath } from 'node:url';
import { runProgram } from '../../tools/run-program.ts';

/** When the files of the pages are there; rejected with the output of a build that failed. */
export interface BuiltPages {
  readonly pages: Promise<void>;
  /** The kit as one file, for other sites: minifying it takes longer than everything else. */
  readonly kit: Promise<void>;
}

const cwd = fileURLToPath(new URL('../..', import.meta.url));

async function runScript(name: string, signal: AbortSignal): Promise<void> {
  const command = ['npm', 'run', '--silent', name];
  const { code, output } = await runProgram(command, { cwd, env: process.env, signal });
  signal.throwIfAborted();
  if (code !== 0) throw new Error(`npm run ${name} failed:\n${output}`);
}

/** Builds what the pages of the demo load. `signal` stops it. */
export function buildPages(signal: AbortSignal): BuiltPages {
  const modules = runScript('build:modules', signal);
  const pages = modules.then(() => runScript('build:demo', signal));
  return { pages, kit: pages.then(() => runScript('build:cdn', signal)) };
}
