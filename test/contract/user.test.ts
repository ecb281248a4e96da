import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  accessTokenSchema,
  emptyBodySchema,
  listFieldErrors,
  userSchema,
} from '../../src/contract/index.ts';

describe('User (2.4)', () => {
  const user = { id: 'u-1', email: 'u-1@guests.example', organizationId: 'org-1', isGuest: true };

  it('is read without its other fields', () => {
    assert.deepEqual(userSchema.parse({ ...user, locale: 'de' }), user);
  });
  for (const field of Object.keys(user)) {
    it(`is invalid without ${field}`, () => {
      const { error } = userSchema.safeParse({ ...user, [field]: undefined });
      assert.deepEqual(
        listFieldErrors(error!).map(({ path }) => path),
        [field],
      );
    });
  }
});

describe('access token (4.12)', () => {
  it('is in external_access_token', () => {
    assert.deepEqual(accessTokenSchema.parse({ external_access_token: 'a.b.c', other: 1 }), {
      external_access_token: 'a.b.c',
    });
  });
  for (const wrong of [
    { token: 'a.b.c' },
    { access_token: 'a.b.c' },
    { externalAccessToken: 'a.b.c' },
    { external_access_token: '' },
    { external_access_token: null },
    'a.b.c',
  ]) {
    it(`and not ${JSON.stringify(wrong)}`, () => {
      assert.equal(accessTokenSchema.safeParse(wrong).success, false);
    });
  }
});

it('the body of 4.11 and 4.12 is an empty object', () => {
  assert.deepEqual(emptyBodySchema.parse({}), {});
  for (const wrong of [{ email: 'a@b.example' }, null, undefined, []]) {
    assert.equal(emptyBodySchema.safeParse(wrong).success, false);
  }
});
