import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { it } from 'node:test';
import { pathToFileURL } from 'node:url';

/** Runs the steps in a process of their own, which has an exit code. */
function run(steps: string, slots: number) {
  const file = pathToFileURL('tools/run-steps.ts').href;
  const source = `import { runSteps } from ${JSON.stringify(file)};
    const say = (text, code = 0) =>
      [process.execPath, '-e', \`console.log(\${JSON.stringify(text)}); process.exitCode = \${code}\`];
    await runSteps(${steps}, ${slots});`;
  const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', source], {
    encoding: 'utf8',
  });
  return { status, lines: stdout.trimEnd().split('\n') };
}

it('says when a step begins and ends, and sums up at the end', () => {
  const { status, lines } = run(
    `[[{ name: 'first', command: say('3 passed, 0 failed'), runner: 'command' }],
      [{ name: 'second', command: say('done') }]]`,
    2,
  );
  assert.equal(status, 0);
  const said = lines.filter((line) => line.includes('│') && !line.endsWith('│ '));
  assert.deepEqual(said, [
    'first      │ begins',
    'first      │ 3 passed, 0 failed',
    'first      │ ends: 3 passed, 0 failed',
    'second     │ begins',
    'second     │ done',
    'second     │ ends: 1 passed, 0 failed',
  ]);
  assert.equal(lines.at(-1), '4 passed, 0 failed');
});

it('runs all steps even if one fails, shows its output again, and fails', () => {
  const { status, lines } = run(
    `[[{ name: 'bad', command: say('2 passed, 1 failed', 1), runner: 'command' },
      { name: 'broken', command: say('no count', 1), runner: 'command' },
      { name: 'good', command: say('5 passed, 0 failed'), runner: 'command' }]]`,
    1,
  );
  assert.equal(status, 1);
  assert.ok(lines.includes('== bad') && lines.includes('no count'));
  assert.equal(lines.at(-1), '7 passed, 2 failed');
});
