import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readLog, type FailedTest, type MeasuredFile } from './failure-log.ts';
import { runWatched } from './watched-command.ts';

/** A file that failed, and passed when it was run again alone. */
export interface FlakyFile {
  readonly file: string;
  readonly step: string;
  /** Its first failure. */
  readonly first: string;
  /** How many of its tests had failed. */
  readonly tests: number;
}

/** More failed files than this are a real fault, and none of them is run again. */
const mostFiles = 5;

/** The failed tests by the file that has them and the command that runs it. */
export function failedFiles(failures: readonly FailedTest[]): (readonly FailedTest[])[] {
  const files = Map.groupBy(failures, ({ file, command }) => [...command, file].join(' '));
  return [...files.values()];
}

/** Runs a file alone; resolves with whether it passed. */
type RunFile = (command: readonly string[], file: string) => Promise<boolean>;

/**
 * Runs each failed file again, once, one after the other. Returns those that passed; none if more
 * than five have failed.
 */
export async function tryAgain(
  failures: readonly FailedTest[],
  run: RunFile,
): Promise<FlakyFile[]> {
  const files = failedFiles(failures);
  if (files.length > mostFiles) return [];
  const flaky: FlakyFile[] = [];
  for (const tests of files) {
    const [{ file, step, command, test, error }] = tests as [FailedTest];
    // Tests of a shared module may not name the file that runs them.
    if (!/\.(?:test|suite)\.ts$|\/site\.ts$/.test(file)) continue;
    if (!(await run(command, file))) continue;
    flaky.push({ file, step, first: `${test}: ${error}`, tests: tests.length });
  }
  return flaky;
}

export interface TestLog {
  /** Runs the failed files again, and returns those that passed. */
  secondTry(signal: AbortSignal): Promise<FlakyFile[]>;
  /** How long each file took. */
  files(): readonly MeasuredFile[];
}

/** A log for this command and its children; null if a parent has one already. */
export function startLog(): TestLog | null {
  if (process.env['TEST_LOG']) return null;
  const directory = mkdtempSync(join(tmpdir(), 'clip-tests-'));
  const log = join(directory, 'failures.jsonl');
  writeFileSync(log, '');
  process.env['TEST_LOG'] = log;
  process.on('exit', () => rmSync(directory, { recursive: true, force: true }));
  const say = (text: string): unknown => process.stdout.write(text);
  return {
    secondTry: (signal) =>
      tryAgain(readLog(log).failures, async (command, file) => {
        say(`\nAgain, alone: ${file}\n`);
        const again = [process.execPath, ...command, file];
        const { code } = await runWatched(again, { signal, say, env: { TEST_LOG: log } });
        return code === 0;
      }),
    files: () => readLog(log).files,
  };
}

/** The lines that name the flaky files. */
export const flakyLines = (flaky: readonly FlakyFile[]): string =>
  flaky.map(({ file, first }) => `flaky: ${file}: ${first}\n`).join('');
