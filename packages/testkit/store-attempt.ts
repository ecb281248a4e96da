import type { PaidStart } from '../host/src/stores/records.ts';

export const hourMs = 3_600_000;
export const start = Date.parse('2026-01-31T10:00:00Z');

/** An attempt of Ann's that has begun at {@link start}. */
export const attempt = (more: Partial<PaidStart> = {}): PaidStart => ({
  key: 'attempt-1',
  hostUser: 'ann',
  request: '["p",null,null,null]',
  startedAt: start,
  state: 'open',
  exportId: null,
  ...more,
});

/** Ids that are easily mixed up, or that a database would rather not have. */
// prettier-ignore
export const hostileIds = [
  'a', 'A', 'a ', ' a', 'ä', 'a\u0308', '', '"a"', "a'; DROP TABLE clip_host_user; --", '["a"]',
  'a:b', 'a*', '{a}', '{}', '}{', '$1', '%', '\\', '\n', '__proto__', 'constructor', '#', '"',
  'a\0', 'a\0b', '\ud800', '\ud801', '\ufffd', '\u202e', '🎬', 'x'.repeat(10_000),
  // Of 10 kB and hard to compress, apart in the last character alone.
  ...[1, 2].map(
    (n) => Array.from({ length: 2000 }, (_, i) => (i * i * 7919) % 99_991).join('') + n,
  ),
];
