import { readCommandLine, usage, UsageError } from './command-line.ts';
import { checkFaults } from './faults/run-faults.ts';
import { jsonReport, masker, resultLines, summaryLine, summaryOf, type Output } from './report.ts';
import { rules } from './rules.ts';
import { runRules } from './run.ts';
import { CheckWorld } from './world.ts';

/** Why the check cannot run at all, or null. */
async function unreachable(world: CheckWorld): Promise<string | null> {
  const { endpoint, other } = world.options;
  for (const as of other ? (['user', 'other'] as const) : (['user'] as const)) {
    const { status, failure } = (await world.ask('GET', 'exports', { as })).received;
    if (status === 0) {
      return `${endpoint} cannot be reached: ${failure}. Is the host running, and is the URL right?`;
    }
    if (status === 401) {
      const flags = as === 'user' ? '--cookie or --header' : '--other-cookie or --other-header';
      return `With ${flags} the host says that nobody is logged in (401). Copy a new session from the browser.`;
    }
    if (status >= 300 && status < 400) {
      return `${endpoint}/exports redirects (${status}). Is the session still valid, and is the URL right?`;
    }
  }
  return null;
}

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
  const mask = masker(
    [options, options.other].flatMap((login) =>
      login ? [login.cookie ?? '', ...Object.values(login.headers)] : [],
    ),
  );
  const world = new CheckWorld(options);
  if (faultsPort !== null) return checkFaults(world, faultsPort, output, json);
  const reason = await unreachable(world);
  if (reason !== null) {
    output.error(`${mask(reason)}\n`);
    return 2;
  }
  const results = await runRules(world, rules, (result) => {
    if (!json) output.out(`${resultLines(result, mask, output.colour).join('\n')}\n`);
  });
  output.out(
    json
      ? `${JSON.stringify(jsonReport(options.endpoint, results, mask), null, 2)}\n`
      : `\n${summaryLine(results)}\n`,
  );
  return summaryOf(results).broken ? 1 : 0;
}
