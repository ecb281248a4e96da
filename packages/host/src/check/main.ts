import { checkFaults } from './faults/check-faults.ts';
import { readCommandLine, usage, UsageError } from './command-line.ts';
import { send } from './http-edge.ts';
import { masker } from './mask.ts';
import type { Output } from './output.ts';
import { jsonReport, resultLines, summaryLine, summaryOf } from './report.ts';
import { rules } from './rules/all.ts';
import { runRules } from './run.ts';
import { CheckWorld, type CheckOptions } from './world.ts';

/** Why the check cannot run at all, or null. */
async function unreachable(world: CheckWorld): Promise<string | null> {
  const { endpoint } = world.options;
  for (const as of world.options.other ? (['user', 'other'] as const) : (['user'] as const)) {
    const { received } = await world.get('exports', { as });
    if (received.status === 0) {
      return `${endpoint} cannot be reached: ${received.failure}. Is the host running, and is the URL right?`;
    }
    if (received.status === 401) {
      const flags = as === 'user' ? '--cookie or --header' : '--other-cookie or --other-header';
      return `With ${flags} the host says that nobody is logged in (401). Copy a new session from the browser.`;
    }
    if (received.status >= 300 && received.status < 400) {
      return `${endpoint}/exports redirects (${received.status}). Is the session still valid, and is the URL right?`;
    }
  }
  return null;
}

const secretsOf = ({ cookie, headers, other }: CheckOptions): string[] => [
  ...(cookie === null ? [] : [cookie]),
  ...Object.values(headers),
  ...(other?.cookie ? [other.cookie] : []),
  ...Object.values(other?.headers ?? {}),
];

/** Runs the check of a command line; returns the exit code. */
export async function main(args: readonly string[], output: Output): Promise<0 | 1 | 2> {
  let line;
  try {
    line = readCommandLine(args);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    output.error(`${error.message}\n\n${usage}\n`);
    return 2;
  }
  if (line === null) {
    output.out(`${usage}\n`);
    return 0;
  }
  const { options, json, faultsPort } = line;
  const mask = masker(secretsOf(options));
  const world = new CheckWorld(options, send);
  if (faultsPort !== null) return checkFaults(world, faultsPort, output, json);
  const reason = await unreachable(world);
  if (reason !== null) {
    output.error(`${mask(reason)}\n`);
    return 2;
  }
  const results = await runRules(world, rules, (result) => {
    if (!json) output.out(`${resultLines(result, mask, output.colour).join('\n')}\n`);
  });
  const summary = summaryOf(results);
  output.out(
    json
      ? `${JSON.stringify(jsonReport(options.endpoint, results, mask), null, 2)}\n`
      : `\n${summaryLine(summary)}\n`,
  );
  return summary.broken ? 1 : 0;
}
