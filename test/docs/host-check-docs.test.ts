import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { withRuleTable } from '../../tools/rule-table.ts';
import { usage } from '../../packages/host/src/check/main.ts';
import { rules } from '../../packages/host/src/check/rules.ts';

const page = await readFile(new URL('../../docs/host-check.md', import.meta.url), 'utf8');

describe('docs/host-check.md', () => {
  it('has the table that the rules give (else: npm run docs)', () => {
    assert.equal(page, withRuleTable(page, rules));
  });

  it('names every flag', () => {
    for (const [flag] of usage.matchAll(/--[a-z-]+/g)) assert.ok(page.includes(flag), flag);
  });
});
