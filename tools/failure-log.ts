/**
 * What the test runners of all commands note in one file, so that the command that was started
 * first can run a failed file again, and knows how long each file takes. `TEST_LOG` is its path,
 * `TEST_COMMAND` what runs a file, `TEST_STEP` the step that it belongs to.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

/** A failed test, or a file that could not be run. */
export interface FailedTest {
  readonly file: string;
  readonly test: string;
  /** The first line of its error. */
  readonly error: string;
  /** What runs the file again, without the file. */
  readonly command: readonly string[];
  /** The step of the command that was started first; empty if it has none. */
  readonly step: string;
}

/** Sets which command the failed tests of this process and of its children are noted with. */
export function noteCommand(...args: readonly string[]): void {
  const script = relative(process.cwd(), process.argv[1] ?? '');
  process.env['TEST_COMMAND'] = JSON.stringify([script, ...args]);
}

/** How long a file took. */
export interface MeasuredFile {
  readonly file: string;
  readonly seconds: number;
  readonly step: string;
}

const note = (entry: FailedTest | MeasuredFile): void =>
  appendFileSync(process.env['TEST_LOG']!, `${JSON.stringify(entry)}\n`);

export function noteSeconds(file: string, seconds: number): void {
  const { TEST_LOG, TEST_STEP = '' } = process.env;
  if (!TEST_LOG) return;
  note({ file: relative(process.cwd(), file), seconds, step: TEST_STEP });
}

export function noteFailure(file: string, test: string, error: unknown): void {
  const { TEST_LOG, TEST_COMMAND, TEST_STEP = '' } = process.env;
  if (!TEST_LOG || !TEST_COMMAND) return;
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  note({
    file: relative(process.cwd(), file),
    test,
    error: line,
    command: JSON.parse(TEST_COMMAND) as string[],
    step: TEST_STEP,
  });
}

/** What was noted in the log. */
export function readLog(log: string): { failures: FailedTest[]; files: MeasuredFile[] } {
  const entries = readFileSync(log, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as FailedTest | MeasuredFile);
  const isFailure = (entry: FailedTest | MeasuredFile): entry is FailedTest => 'test' in entry;
  return {
    failures: entries.filter(isFailure),
    files: entries.filter((entry): entry is MeasuredFile => !isFailure(entry)),
  };
}
