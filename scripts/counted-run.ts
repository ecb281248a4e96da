import { countTests, type Count } from './test-count.ts';
import { runWatched } from './watched-command.ts';

export interface TestRun {
  readonly runner: 'node' | 'elements';
  /** The arguments of this Node. */
  readonly args: readonly string[];
  /** In addition to the variables of this process. */
  readonly env?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** Runs tests in a separate process, prints their output, and counts them. */
export async function runTests({ runner, args, ...how }: TestRun): Promise<Count> {
  const say = (text: string): unknown => process.stdout.write(text);
  const { code, output } = await runWatched([process.execPath, ...args], { ...how, say });
  return countTests(runner, code, output);
}

/** Runs the files with Node's test runner. */
export const runSuite = (
  files: readonly string[],
  env: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Count> =>
  runTests({ runner: 'node', args: ['--test', '--test-reporter=spec', ...files], env, signal });

/** Aborted when this process is interrupted. */
export function interruption(): AbortSignal {
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort());
  return stopping.signal;
}

/**
 * Runs the work of a test command and prints `N passed, M failed` at the end. The work ends when
 * the command is interrupted. A thrown error counts as one failure.
 */
export async function countedRun(work: (signal: AbortSignal) => Promise<Count>): Promise<void> {
  let count: Count = { passed: 0, failed: 1 };
  try {
    count = await work(interruption());
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
  }
  console.log(`\n${count.passed} passed, ${count.failed} failed`);
  process.exitCode = count.failed ? 1 : 0;
}
