import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  attemptKeySchema,
  attemptLifetime,
  listFieldErrors,
  hostStartExportSchema,
  maxWaitSeconds,
  tokenAnswerSchema,
  tokenRequestSchema,
  waitSeconds,
} from '../../src/contract/index.ts';

describe('POST {endpoint}/token', () => {
  it('takes project_id, or nothing', () => {
    assert.deepEqual(tokenRequestSchema.parse({}), {});
    assert.deepEqual(tokenRequestSchema.parse({ project_id: 'p' }), { project_id: 'p' });
    // The identity comes only from the host's session.
    assert.deepEqual(listFieldErrors(tokenRequestSchema.safeParse({ user_id: 'u' }).error!), [
      { path: 'user_id', message: 'unknown field' },
    ]);
  });

  it('answers the token and when it ends, in UTC, or null', () => {
    const sent = { external_access_token: 'a', expires_at: '2026-01-31T10:00:00+02:00' };
    assert.deepEqual(tokenAnswerSchema.parse(sent), {
      external_access_token: 'a',
      expires_at: '2026-01-31T08:00:00.000Z',
    });
    assert.equal(tokenAnswerSchema.parse({ external_access_token: 'a' }).expires_at, null);
    assert.equal(tokenAnswerSchema.safeParse({ token: 'a' }).success, false);
  });
});

describe('POST {endpoint}/exports', () => {
  const watermark = { src_url: 'https://example.com/a.png' };

  it('takes the clip, its folder, and a watermark or a preset', () => {
    for (const body of [
      { project_id: 'p' },
      { project_id: 'p', folder_id: 'f' },
      { project_id: 'p', preset_id: 'bold' },
    ]) {
      assert.deepEqual(hostStartExportSchema.parse(body), body);
    }
    assert.deepEqual(hostStartExportSchema.parse({ project_id: 'p', watermark }).watermark, {
      ...watermark,
      pos_x: 0.5,
      pos_y: 0.5,
      scale: 1,
    });
  });

  for (const [body, path] of [
    [{}, 'project_id'],
    [{ project_id: '..' }, 'project_id'],
    [{ project_id: 'p', folder_id: '' }, 'folder_id'],
    [{ project_id: 'p', watermark: 'https://example.com/a.png' }, 'watermark'],
    [{ project_id: 'p', watermark: { src_url: 'javascript:x' } }, 'watermark.src_url'],
    [{ project_id: 'p', watermark, preset_id: 'bold' }, 'preset_id'],
    [{ project_id: 'p', user_id: 'u' }, 'user_id'],
  ] as const) {
    it(`names ${path} in ${JSON.stringify(body)}`, () => {
      const { error } = hostStartExportSchema.safeParse(body);
      assert.deepEqual(
        listFieldErrors(error!).map((one) => one.path),
        [path],
      );
    });
  }
});

describe('attempt key', () => {
  it('has 8 to 128 characters of A-Z a-z 0-9 . _ -', () => {
    for (const key of ['12345678', 'A'.repeat(128), 'a.b_c-d9', crypto.randomUUID()]) {
      assert.equal(attemptKeySchema.parse(key), key);
    }
    for (const key of ['1234567', 'A'.repeat(129), 'with blank', 'ümlauts-8', '12345678\n', null]) {
      assert.equal(attemptKeySchema.safeParse(key).success, false, String(key));
    }
  });
  it('is kept 24 hours', () => assert.equal(attemptLifetime, 86_400_000));
});

describe('Prefer: wait (RFC 7240)', () => {
  it('is at most 25 seconds', () => assert.equal(maxWaitSeconds, 25));
  for (const [header, seconds] of [
    ['wait=10', 10],
    ['wait=25', 25],
    ['wait=26', 25],
    ['wait=999999999', 25],
    ['wait="7"', 7],
    ['Wait = 7', 7],
    ['respond-async, wait=10', 10],
    ['wait=10, respond-async', 10],
    ['wait=10; foo=bar', 10],
    ['wait=0', 0],
    ['wait=-1', 0],
    ['wait=1.5', 0],
    ['wait', 0],
    ['wait=', 0],
    ['await=10', 0],
    ['x-wait=10', 0],
    ['', 0],
    [null, 0],
    [undefined, 0],
  ] as const) {
    it(`${JSON.stringify(header)} asks for ${seconds} s`, () =>
      assert.equal(waitSeconds(header), seconds));
  }
});
