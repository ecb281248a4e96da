/** Writes the table of the rules into docs/host-check.md. */
import { readFile, writeFile } from 'node:fs/promises';
import { rules } from '../packages/host/src/check/rules.ts';
import { withRuleTable } from './rule-table.ts';

const page = 'docs/host-check.md';
await writeFile(page, withRuleTable(await readFile(page, 'utf8'), rules));
