import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProcessError } from '../../../engine/src/program/process-error.ts';
import { findMachineFault } from '../../src/db/connections.ts';

const coded = (code: string, cause?: Error) => Object.assign(new Error('x', { cause }), { code });

test('a full disk is recognized in errors of Node, Postgres and programs', () => {
  const deep = new Error('outer', { cause: coded('ENOSPC') });
  const deepQuery = new Error('outer', { cause: coded('53100') });
  const program = new ProcessError('ffmpeg', 1, '', 'disk-full');
  const errors = [coded('ENOSPC'), coded('EDQUOT'), coded('53100'), deep, deepQuery, program];
  for (const error of errors) {
    assert.equal(findMachineFault(error)?.code, 'disk-full', String(error));
  }
});

test('other errors are not the machine’s', () => {
  assert.equal(findMachineFault(coded('ENOENT')), null);
  assert.equal(findMachineFault('text'), null);
});
