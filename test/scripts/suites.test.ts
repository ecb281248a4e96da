import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { it } from 'node:test';
import { suites } from '../../scripts/suites.ts';

const { scripts } = JSON.parse(await readFile('package.json', 'utf8')) as {
  scripts: Record<string, string>;
};

for (const part of [false, true]) {
  it(`every test command with a setup is one of all (${part ? '.ci/run' : 'test:all'})`, () => {
    const named = Object.entries(scripts)
      .filter(([name, line]) => /^(test|check)\b/.test(name) && line.includes('setup.mjs'))
      .map(([name]) => name.replace('test:', ''))
      .filter((name) => name !== 'all');
    assert.ok(named.length > 10);
    const run = suites(part).flat();
    assert.deepEqual(run.map(({ name }) => name).toSorted(), named.toSorted());
    for (const { name, command } of run) {
      const line = scripts[`test:${name}`] ?? scripts[name]!;
      assert.ok(line.includes(command[1]!), `${name} runs ${command[1]}`);
    }
  });
}
