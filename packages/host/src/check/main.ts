import { readCommandLine, usage, UsageError } from './command-line.ts';
import { FaultService } from './faults/fault-service.ts';
import { jsonReport, masker, resultLines, summaryLine, summaryOf } from './report.ts';
import { faultRules, rules } from './rules.ts';
import { runRule, type Result } from './run.ts';
import { CheckWorld, pause } from './world.ts';

/** Where the check writes. */
export interface Output {
  out(text: string): void;
  error(text: string): void;
  readonly colour: boolean;
}

/** The check cannot run at all. The message says why. */
class CannotRun extends Error {}

type Report = (result: Result) => void;

async function checkRules(world: CheckWorld, report: Report): Promise<Result[]> {
  const { endpoint, other } = world.options;
  for (const as of other ? (['user', 'other'] as const) : (['user'] as const)) {
    const { status, failure } = (await world.ask('GET', 'exports', { as })).received;
    const flags = as === 'user' ? '--cookie or --header' : '--other-cookie or --other-header';
    const reason = {
      0: `${endpoint} cannot be reached: ${failure}. Is the host running, and is the URL right?`,
      3: `${endpoint}/exports redirects (${status}). Is the session still valid, and is the URL right?`,
      401: `With ${flags} the host says that nobody is logged in (401). Copy a new session from the browser.`,
    }[status === 401 ? 401 : Math.floor(status / 100)];
    if (reason) throw new CannotRun(reason);
  }
  const results = [];
  for (const rule of rules) {
    const result = await runRule(world, rule);
    results.push(result);
    report(result);
  }
  return results;
}

/** Checks the rules about a service that fails, but for those that need a kill of the host. */
async function checkFaults(
  world: CheckWorld,
  port: number,
  say: (text: string) => void,
  report: Report,
): Promise<Result[]> {
  const isOfKill = (step: string): boolean => step.startsWith('killed ');
  const service = new FaultService(faultRules.filter(({ steps }) => !steps.some(isOfKill)));
  await service.listen(port).catch((cause: Error) => {
    throw new CannotRun(`The service cannot listen on port ${port}: ${cause.message}`);
  });
  try {
    say(`A service that fails listens at ${service.baseUrl}\nIts key: ${service.apiKey}\n`);
    say(`Start your host with it. Waiting for ${world.options.endpoint} ...\n`);
    while ((await world.ask('GET', 'exports')).received.status !== 200) await pause(500);
    return await service.run(world, report);
  } finally {
    await service.close();
  }
}

/** Runs the check of a command line; returns the exit code. */
export async function main(
  args: readonly string[],
  { out, error: say, colour }: Output,
): Promise<0 | 1 | 2> {
  let mask = (text: string) => text;
  try {
    const line = readCommandLine(args);
    if (line === null) {
      out(`${usage}\n`);
      return 0;
    }
    const { options, json, faultsPort } = line;
    mask = masker(options);
    const world = new CheckWorld(options);
    const report: Report = (result) => {
      if (!json) out(`${resultLines(result, mask, colour).join('\n')}\n`);
    };
    const results = await (faultsPort === null
      ? checkRules(world, report)
      : checkFaults(world, faultsPort, say, report));
    const whole = () => JSON.stringify(jsonReport(options.endpoint, results, mask), null, 2);
    out(json ? `${whole()}\n` : `\n${summaryLine(results)}\n`);
    return summaryOf(results).broken ? 1 : 0;
  } catch (error) {
    if (error instanceof UsageError) say(`${error.message}\n\n${usage}\n`);
    else if (error instanceof CannotRun) say(`${mask(error.message)}\n`);
    else throw error;
    return 2;
  }
}
