import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ClipError, isClipError } from '../../src/client/clip-error.ts';
import { toClipError } from '../../src/client/errors.ts';

const error = new ClipError('missing-project', 'No project is set.');
const copy = '../../src/client/clip-error.ts?copy';
const { ClipError: OtherError } = (await import(copy)) as { ClipError: typeof ClipError };
const ofOtherCopy = new OtherError('invalid-config', 'The page cannot be read.');

describe('ClipError', () => {
  it('names the address of the section that explains it', () => {
    const { protocol, pathname, hash } = new URL(error.help);
    assert.equal(protocol, 'https:');
    assert.match(pathname, /\/clip-kit\/docs\/elements\/errors\.md$/);
    assert.equal(hash, '#missing-project');
  });
});

describe('isClipError', () => {
  it('knows the errors of this copy of the kit, and of another one on the page', () => {
    assert.ok(!(ofOtherCopy instanceof ClipError));
    assert.ok(isClipError(error));
    assert.ok(isClipError(ofOtherCopy));
  });

  it('knows no other error and no other value', () => {
    for (const value of [
      new Error('ClipError'),
      null,
      undefined,
      'ClipError',
      { name: 'ClipError' },
    ]) {
      assert.ok(!isClipError(value));
    }
  });

  it('keeps an error of another copy as it is', () => {
    assert.equal(toClipError(ofOtherCopy), ofOtherCopy);
  });
});
