import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { dateTimeSchema, httpUrlSchema, idSchema } from '../../src/contract/index.ts';

describe('ids', () => {
  for (const id of ['a', 'a b', 'ä/%2F?#', '...', '.a', '💡', '0']) {
    it(`may be ${JSON.stringify(id)}`, () => assert.equal(idSchema.parse(id), id));
  }
  // "." and ".." as a path segment change the path; a lone surrogate cannot be percent-encoded.
  for (const id of ['', '.', '..', '\ud83d', 5, null]) {
    it(`may not be ${JSON.stringify(id)}`, () =>
      assert.equal(idSchema.safeParse(id).success, false));
  }
});

const dates: [sent: string, read: string][] = [
  ['2026-01-31T10:00:00Z', '2026-01-31T10:00:00.000Z'],
  ['2026-01-31T10:00:00.123456Z', '2026-01-31T10:00:00.123Z'],
  ['2026-01-31T10:00:00+02:00', '2026-01-31T08:00:00.000Z'],
  ['2026-01-31T10:00:00-0530', '2026-01-31T15:30:00.000Z'],
  ['2026-01-31T10:00:00+02', '2026-01-31T08:00:00.000Z'],
  ['2026-01-31T10:00:00.5', '2026-01-31T10:00:00.500Z'],
  ['2026-01-31 10:00:00', '2026-01-31T10:00:00.000Z'],
  ['2026-01-31T10:00', '2026-01-31T10:00:00.000Z'],
  ['2026-01-31', '2026-01-31T00:00:00.000Z'],
];

describe('dates', () => {
  for (const [sent, read] of dates) {
    it(`${sent} is ${read}`, () => assert.equal(dateTimeSchema.parse(sent), read));
  }
  for (const wrong of [
    '',
    '1',
    'March 7',
    'Tuesday',
    '31.01.2026',
    '2026-13-01',
    '2026-01-31T25:00:00Z',
  ]) {
    it(`${JSON.stringify(wrong)} is refused`, () =>
      assert.equal(
        dateTimeSchema.safeParse(wrong).error?.issues[0]?.message,
        'must be an ISO 8601 date and time',
      ));
  }
  it('a number is refused', () => assert.equal(dateTimeSchema.safeParse(0).success, false));

  it('are the same in every time zone of the reader', () => {
    const script = `
      import { dateTimeSchema } from ${JSON.stringify(import.meta.resolve('../../src/contract/index.ts'))};
      const dates = ${JSON.stringify(dates.map(([sent]) => sent))};
      process.stdout.write(JSON.stringify(dates.map((date) => dateTimeSchema.parse(date))));`;
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ['--input-type=module', '--eval', script],
      { env: { ...process.env, TZ: 'America/New_York', NODE_OPTIONS: '' }, encoding: 'utf8' },
    );
    assert.deepEqual(
      JSON.parse(stdout || stderr),
      dates.map(([, read]) => read),
    );
  });
});

describe('http URLs', () => {
  for (const url of [
    'https://example.com/a.mp4',
    'http://example.com:8080/a?b=c#d',
    'HTTPS://EXAMPLE.COM/',
    'https://例え.example/動画.mp4',
    'http://127.0.0.1/whether-it-may-be-visited-is-decided-elsewhere',
    `https://example.com/${'x'.repeat(8192 - 'https://example.com/'.length)}`,
  ]) {
    it(`may be ${url.slice(0, 60)}`, () => assert.equal(httpUrlSchema.parse(url), url));
  }
  for (const url of [
    '',
    'example.com/a.mp4',
    '/a.mp4',
    '//example.com/a.mp4',
    'javascript:alert(1)',
    'data:video/mp4;base64,AAAA',
    'file:///etc/passwd',
    'ftp://example.com/a.mp4',
    'blob:https://example.com/1',
    'concat:https://example.com/a',
    'https://',
    'https://user:password@example.com/',
    'https://user@example.com/',
    'http://[::1',
    `https://example.com/${'x'.repeat(8193 - 'https://example.com/'.length)}`,
    7,
    null,
  ]) {
    it(`may not be ${JSON.stringify(url).slice(0, 60)}`, () =>
      assert.equal(httpUrlSchema.safeParse(url).success, false));
  }
});
