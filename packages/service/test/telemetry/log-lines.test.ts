import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { logLines } from '../../src/telemetry/log-lines.ts';
import { eventually } from 'clip-testkit/world';

describe('the lines of the log', () => {
  it('have a time and a level, and lines of about the same time are written together', async () => {
    const written: string[] = [];
    const log = logLines('info', { host: 'here' }, (text) => written.push(text));
    log({ event: 'request', status: 200 });
    log({ event: 'request-error', level: 'error' });
    await eventually(() => assert.equal(written.length, 1));
    const lines = written[0]!.trimEnd().split('\n');
    const [first, second] = lines.map((line) => JSON.parse(line));
    assert.ok(Math.abs(Date.parse(first.time) - Date.now()) < 3_600_000);
    assert.deepEqual(
      [first.level, first.host, first.event, first.status, second.level, second.event],
      ['info', 'here', 'request', 200, 'error', 'request-error'],
    );
  });

  it('below the least level are not written', async () => {
    const written: string[] = [];
    const log = logLines('warn', {}, (text) => written.push(text));
    log({ event: 'request' });
    log({ event: 'note', level: 'debug' });
    log({ event: 'sweep-failed', level: 'warn' });
    await eventually(() => assert.equal(written.length, 1));
    assert.deepEqual(
      written[0]!
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).event),
      ['sweep-failed'],
    );
  });

  it('are written at once when there are many', () => {
    const written: string[] = [];
    const log = logLines('info', { host: 'here' }, (text) => written.push(text));
    for (let at = 0; at < 2000; at += 1) log({ event: 'request', path: '/v2/exports' });
    assert.ok(written.length > 0);
  });
});
