import { delimiter, dirname, join } from 'node:path';
import { withoutOwnNode } from '../../tools/install-dependencies.mjs';
import { runProgram } from '../../tools/run-program.ts';

/** The environment of a site's programs: its own packages, on this Node. */
export function siteEnv(directory: string): Record<string, string> {
  const env = withoutOwnNode();
  const path = [join(directory, 'node_modules/.bin'), dirname(process.execPath), env['PATH']];
  return {
    ...(env as Record<string, string>),
    PATH: path.join(delimiter),
    CI: '1',
    NEXT_TELEMETRY_DISABLED: '1',
    NUXT_TELEMETRY_DISABLED: '1',
    ASTRO_TELEMETRY_DISABLED: '1',
    NG_CLI_ANALYTICS: 'false',
  };
}

/** Runs a program in a directory to its end. Throws with its output if it fails. */
export async function runIn(
  directory: string,
  command: readonly string[],
  signal: AbortSignal,
): Promise<string> {
  const how = { cwd: directory, env: siteEnv(directory), signal };
  const { code, output } = await runProgram(command, how);
  signal.throwIfAborted();
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}:\n${output}`);
  return output;
}
