import assert from 'node:assert/strict';
import { existsSync, globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { it } from 'node:test';
import { suites } from '../../tools/suites.ts';

it('every test command with a setup is one of all, and has its script', async () => {
  const { scripts } = JSON.parse(await readFile('package.json', 'utf8')) as {
    scripts: Record<string, string>;
  };
  const names = Object.entries(scripts)
    .filter(([name, line]) => name.startsWith('test:') && line.includes('setup.mjs'))
    .map(([name]) => name.replace('test:', ''))
    .filter((name) => name !== 'all');
  assert.ok(names.length > 10);
  assert.deepEqual(Object.keys(suites).toSorted(), names.toSorted());
  for (const name of names) {
    const { script = [`tools/test-${name}.ts`] } = suites[name]!;
    assert.ok(scripts[`test:${name}`]!.endsWith(script.join(' ')), name);
  }
});

it('every file of tests that npm test leaves out is in one of them', () => {
  const files = Object.values(suites).flatMap((suite) => suite.files);
  for (const file of files) assert.ok(existsSync(file), file);
  const found = globSync(['test/**/*.suite.ts', '{engine,service,mcp}/test/**/*.suite.ts']);
  // Run by `tools/newcomer.mjs`.
  const known = new Set([
    ...files,
    'test/e2e/newcomer.suite.ts',
    'test/e2e/printed-commands.suite.ts',
  ]);
  assert.deepEqual(
    found.filter((file) => !known.has(file)),
    [],
  );
});
