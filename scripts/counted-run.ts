import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { countTests, type Count } from './test-count.ts';

export interface TestRun {
  readonly runner: 'node' | 'elements';
  /** The arguments of this Node. */
  readonly args: readonly string[];
  /** Beside what this process has. */
  readonly env?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** Runs tests in a process of their own, shows what they say, and counts them. */
export const runTests = async ({ runner, args, env, signal }: TestRun): Promise<Count> => {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // The runner of the elements ends its browser on this one alone.
  const end = (): unknown => child.kill('SIGINT');
  signal.addEventListener('abort', end);
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    process.stdout.write(text);
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return countTests(runner, code ?? 1, output);
};

/** Runs the files with Node's test runner. */
export const runSuite = (
  files: readonly string[],
  env: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Count> => {
  // A test that waits for a server in vain is to fail, not to hold up all.
  const options = ['--test', '--test-reporter=spec', '--test-timeout=180000'];
  return runTests({ runner: 'node', args: [...options, ...files], env, signal });
};

/** A test command: does the work, which ends when the command is interrupted, and closes with `N passed, M failed`. What is thrown is one failure. */
export const countedRun = async (work: (signal: AbortSignal) => Promise<Count>): Promise<void> => {
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort());
  let count: Count = { passed: 0, failed: 1 };
  try {
    count = await work(stopping.signal);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
  }
  console.log(`\n${count.passed} passed, ${count.failed} failed`);
  process.exitCode = count.failed ? 1 : 0;
};
