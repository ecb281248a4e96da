import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findMachineFault } from '../../src/program/process-error.ts';

const coded = (code: string) => Object.assign(new Error('x'), { code });

test('the engine knows the file system’s codes for a full disk, and no database’s', () => {
  assert.equal(findMachineFault(coded('ENOSPC'))?.code, 'disk-full');
  assert.equal(findMachineFault(new Error('outer', { cause: coded('EFBIG') }))?.code, 'disk-full');
  assert.equal(findMachineFault(coded('53100')), null);
});
