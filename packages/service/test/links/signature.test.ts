import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, it } from 'node:test';
import { maxLinkSeconds, readLink, signLink } from '../../src/links/signature.ts';

const keys = { current: 'current-key', next: 'next-key' };
const now = 1_800_000_000;
const queryOf = (query: string) => Object.fromEntries(new URLSearchParams(query));

describe('the link of a private clip', () => {
  it('is an HMAC of its id and its end, as the page on CDNs says', () => {
    const { query, expires } = signLink(keys, 'clip', now + 60);
    const hmac = createHmac('sha256', 'current-key')
      .update(`clip ${now + 60}`)
      .digest('base64url');
    assert.equal(query, `expires=${now + 60}&signature=${hmac}`);
    assert.equal(expires, now + 60);
  });

  it('opens its clip until its end', () => {
    const link = signLink(keys, 'clip', now + 60);
    assert.deepEqual(readLink(keys, 'clip', queryOf(link.query), now), link);
    assert.deepEqual(readLink(keys, 'clip', queryOf(link.query), now + 59.9), link);
    assert.equal(readLink(keys, 'clip', queryOf(link.query), now + 60), null);
    assert.equal(readLink(keys, 'other', queryOf(link.query), now), null);
  });

  const { signature = '' } = queryOf(signLink(keys, 'clip', now + 60).query);
  const end = String(now + 60);
  for (const [what, query] of [
    ['nothing', {}],
    ['no signature', { expires: end }],
    ['no end', { signature }],
    ['a later end', { expires: String(now + 61), signature }],
    ['an end that is written otherwise', { expires: `0${end}`, signature }],
    ['an end that is no number', { expires: `${end}x`, signature }],
    ['a huge end', { expires: '9'.repeat(400), signature }],
    ['a part of the signature', { expires: end, signature: signature.slice(0, -1) }],
    ['the signature with more behind it', { expires: end, signature: `${signature}=` }],
    ['the signature in other letters', { expires: end, signature: signature.toLowerCase() }],
    ['an empty signature', { expires: end, signature: '' }],
    ['letters of two bytes', { expires: end, signature: 'é'.repeat(43) }],
  ] as const) {
    it(`is refused with ${what}`, () => assert.equal(readLink(keys, 'clip', query, now), null));
  }

  it('of the former key is good until the last one has ended', () => {
    const replaced_at = new Date(now * 1000).toISOString();
    const replaced = {
      ...{ current: 'next-key', next: 'third-key' },
      previous: { key: 'current-key', replaced_at },
    };
    const old = signLink(keys, 'clip', now + maxLinkSeconds);
    assert.ok(readLink(replaced, 'clip', queryOf(old.query), now + maxLinkSeconds - 1));
    const late = signLink(keys, 'clip', now + 2 * maxLinkSeconds);
    assert.equal(readLink(replaced, 'clip', queryOf(late.query), now + maxLinkSeconds + 61), null);
  });

  it('of the next key is good where the replacement is not known yet', () => {
    const fresh = signLink({ current: 'next-key', next: 'third-key' }, 'clip', now + 60);
    assert.ok(readLink(keys, 'clip', queryOf(fresh.query), now));
  });
});
