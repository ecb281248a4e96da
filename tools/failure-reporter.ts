/** A reporter for Node's test runner that prints nothing; it notes failed tests and times. */
import type { TestEvent } from 'node:test/reporters';
import { noteFailure, noteSeconds } from './failure-log.ts';

export default async function* (events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    if (type === 'test:summary' && data.file) noteSeconds(data.file, data.duration_ms / 1000);
    if (type !== 'test:fail' || data.details.type === 'suite') continue;
    const { entryFile, file, name, details } = data as typeof data & { entryFile?: string };
    const { error } = details;
    noteFailure(entryFile ?? file ?? '', name, error.cause ?? error);
    yield '';
  }
}
