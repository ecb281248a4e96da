import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { statuses, statusSchema } from '../../src/contract/index.ts';

describe('status (3)', () => {
  it('is one of three', () => {
    assert.deepEqual(statuses, ['processing', 'ready', 'error']);
    for (const status of statuses) assert.equal(statusSchema.parse(status), status);
  });

  for (const [legacy, status] of [
    ['pending', 'processing'],
    ['in_progress', 'processing'],
    ['completed', 'ready'],
    ['failed', 'error'],
  ]) {
    it(`reads the legacy word ${legacy} (3.3) as ${status}`, () => {
      assert.equal(statusSchema.parse(legacy), status);
    });
  }

  for (const unknown of [
    'paused',
    'READY',
    '',
    ' ready',
    'toString',
    '__proto__',
    3,
    null,
    ['ready'],
  ]) {
    it(`refuses ${JSON.stringify(unknown)} and names it`, () => {
      const { error } = statusSchema.safeParse(unknown);
      assert.ok(error?.issues[0]?.message.startsWith(`unknown status ${JSON.stringify(unknown)}`));
    });
  }
});
