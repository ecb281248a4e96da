import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isRangeValid, isNotModified, parseRange } from '../../src/api/send-file.ts';

describe('Range (RFC 9110, section 14)', () => {
  const of100 = (header: string | undefined) => parseRange(header, 100);

  it('is the whole without a header', () => assert.equal(of100(undefined), 'whole'));

  it('has both ends included', () => {
    assert.deepEqual(of100('bytes=0-0'), { start: 0, end: 0 });
    assert.deepEqual(of100('bytes=10-19'), { start: 10, end: 19 });
  });

  it('goes to the end of the file at the most', () => {
    assert.deepEqual(of100('bytes=90-'), { start: 90, end: 99 });
    assert.deepEqual(of100('bytes=90-500'), { start: 90, end: 99 });
    assert.deepEqual(of100('bytes=-500'), { start: 0, end: 99 });
  });

  it('counts from the end with a suffix', () => {
    assert.deepEqual(of100('bytes=-1'), { start: 99, end: 99 });
  });

  it('is unsatisfiable behind the end, and for nothing', () => {
    assert.equal(of100('bytes=100-'), 'unsatisfiable');
    assert.equal(of100('bytes=-0'), 'unsatisfiable');
    assert.equal(parseRange('bytes=0-', 0), 'unsatisfiable');
  });

  it('is ignored where it makes no sense, is of another unit, or asks for several', () => {
    for (const header of [
      'bytes=-',
      'bytes=5-2',
      'lines=0-1',
      'bytes=0-1,5-6',
      'bytes=a-b',
      '0-1',
    ]) {
      assert.equal(of100(header), 'whole', header);
    }
  });
});

describe('conditions', () => {
  const file = { etag: '"a"', modified: new Date('2026-01-01T00:00:00.700Z') };

  it('hold a range by If-Range with the very tag or date', () => {
    assert.equal(isRangeValid(undefined, file), true);
    assert.equal(isRangeValid('"a"', file), true);
    assert.equal(isRangeValid('"b"', file), false);
    assert.equal(isRangeValid('W/"a"', file), false);
    assert.equal(isRangeValid('Thu, 01 Jan 2026 00:00:00 GMT', file), true);
    assert.equal(isRangeValid('Thu, 01 Jan 2026 00:00:01 GMT', file), false);
    assert.equal(isRangeValid('nonsense', file), false);
  });

  it('find an unchanged file by If-None-Match', () => {
    assert.equal(isNotModified(undefined, '"a"'), false);
    assert.equal(isNotModified('*', '"a"'), true);
    assert.equal(isNotModified('"b", W/"a"', '"a"'), true);
    assert.equal(isNotModified('"b"', '"a"'), false);
  });
});
