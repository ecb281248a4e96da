import assert from 'node:assert/strict';
import { test } from 'node:test';
import { machineFault } from '../../src/program/process-error.ts';

const coded = (code: string) => Object.assign(new Error('x'), { code });

test('the engine knows the file system’s codes for a full disk, and no database’s', () => {
  assert.equal(machineFault(coded('ENOSPC'))?.code, 'disk-full');
  assert.equal(machineFault(new Error('outer', { cause: coded('EFBIG') }))?.code, 'disk-full');
  assert.equal(machineFault(coded('53100')), null);
});
