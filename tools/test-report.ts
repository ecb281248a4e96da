/**
 * Reports the tests to `tools/test.ts`: a line of JSON for each test that has passed or
 * failed, in the file that `TEST_REPORT` names. As the default export, a reporter of Node's test
 * runner.
 */
import { appendFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import type { TestEvent } from 'node:test/reporters';

export interface ReportedTest {
  /** Relative to the project. */
  readonly file: string;
  readonly test: string;
  /** The first line of its error; null if it has passed. */
  readonly error: string | null;
}

/** Reports a test, if `tools/test.ts` has started this run. */
export function reportTest(file: string, test: string, error: unknown = null): void {
  const report = process.env['TEST_REPORT'];
  if (!report) return;
  const message = error instanceof Error ? error.message : String(error);
  const entry: ReportedTest = {
    file: relative(process.cwd(), file),
    test,
    error: error === null ? null : (message.split('\n')[0] ?? ''),
  };
  appendFileSync(report, `${JSON.stringify(entry)}\n`);
}

export default async function* (events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const { entryFile, file, name, details, skip, todo } = data as typeof data & {
      entryFile?: string;
    };
    if (details.type === 'suite' || skip !== undefined || todo !== undefined) continue;
    // A file without tests counts as one that passes.
    if (type === 'test:pass' && file === resolve(name)) continue;
    const { error } = details as { error?: Error };
    reportTest(
      entryFile ?? file ?? '',
      name,
      type === 'test:fail' ? (error?.cause ?? error) : null,
    );
    yield '';
  }
}
