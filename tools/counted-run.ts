import { basename } from 'node:path';
import { noteCommand } from './failure-log.ts';
import { flakyLines, startLog } from './second-try.ts';
import { countTests, type Count } from './test-count.ts';
import { runWatched } from './watched-command.ts';

/** What starts Node's test runner, with its output for a person and a note of each failure. */
export const nodeTests: readonly string[] = [
  process.execPath,
  '--test',
  ...['spec', './tools/failure-reporter.ts'].flatMap((reporter) => [
    `--test-reporter=${reporter}`,
    '--test-reporter-destination=stdout',
  ]),
];

export interface TestRun {
  readonly runner: 'node' | 'elements';
  readonly command: readonly string[];
  /** In addition to the variables of this process. */
  readonly env?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** Runs tests in a separate process, prints their output, and counts them. */
export async function runTests({ runner, command, ...how }: TestRun): Promise<Count> {
  const say = (text: string): unknown => process.stdout.write(text);
  const { code, output } = await runWatched(command, { ...how, say });
  return countTests(runner, code, output);
}

/** Runs the files with Node's test runner. */
export const runSuite = (
  files: readonly string[],
  env: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Count> => runTests({ runner: 'node', command: [...nodeTests, ...files], env, signal });

/**
 * Those of a command's files that its arguments name, by their path or their bare name; all of them
 * without arguments. Throws if there is no such file.
 */
export function chosenFiles(
  files: readonly string[],
  names: readonly string[] = process.argv.slice(2),
): readonly string[] {
  const bare = (file: string): string => basename(file).replace(/\.(?:test|suite)\.ts$/, '');
  const find = (name: string): string => {
    const found = files.find((file) => file === name || bare(file) === name);
    if (found === undefined) {
      throw new Error(`No such file of tests: ${name}. There are: ${files.map(bare).join(', ')}`);
    }
    return found;
  };
  return names.length ? names.map(find) : files;
}

/** Aborted when this process is interrupted. */
export function interruption(): AbortSignal {
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort());
  return stopping.signal;
}

/**
 * Runs the work of a test command, runs a failed file again, and prints `N passed, M failed` at the
 * end. The work ends when the command is interrupted. A thrown error counts as one failure.
 * `args`: the command's arguments when it runs a single file, but for the file.
 */
export async function countedRun(
  work: (signal: AbortSignal) => Promise<Count>,
  args: readonly string[] = [],
): Promise<void> {
  const log = startLog();
  noteCommand(...args);
  const count: Count = { passed: 0, failed: 0 };
  try {
    const signal = interruption();
    Object.assign(count, await work(signal));
    const flaky = (count.failed && (await log?.secondTry(signal))) || [];
    const tests = flaky.reduce((sum, one) => sum + one.tests, 0);
    count.passed += tests;
    count.failed = Math.max(0, count.failed - tests);
    process.stdout.write(flakyLines(flaky));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    count.failed += 1;
  }
  console.log(`\n${count.passed} passed, ${count.failed} failed`);
  process.exitCode = count.failed ? 1 : 0;
}
