import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { suites } from '../../tools/test-groups.ts';
import manifest from '../../package.json' with { type: 'json' };

/** Runs files of tests with these texts; `DIR` stands for their directory. */
function run(t: TestContext, ...texts: readonly string[]): { status: number | null; said: string } {
  const directory = mkdtempSync(join(tmpdir(), 'clip-test-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const files = texts.map((text, at) => {
    const file = join(directory, `file-${at}.test.ts`);
    const source = `import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { it } from 'node:test';
${text.replaceAll('DIR', directory)}
`;
    writeFileSync(file, source);
    return file;
  });
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const child = spawnSync(process.execPath, ['tools/test.ts', ...files], { env, encoding: 'utf8' });
  return { status: child.status, said: child.stdout + child.stderr };
}

describe('tools/test.ts', () => {
  it('counts the tests that pass', (t) => {
    const { status, said } = run(
      t,
      `it('one', () => {}); it('two', () => {});`,
      `it('three', () => {});`,
    );
    assert.match(said, /\n3 passed, 0 failed\n$/);
    assert.equal(status, 0);
  });

  it('runs a failed file once more, alone, and names it', (t) => {
    const flaky = `it('is late', () => {
  const wasHere = existsSync('DIR/here');
  writeFileSync('DIR/here', '');
  assert.ok(wasHere, 'not yet');
});`;
    const { status, said } = run(t, flaky, `it('is right', () => {});`);
    assert.match(said, /\nflaky: .*file-0\.test\.ts: is late: not yet\n/);
    assert.match(said, /\n2 passed, 0 failed\n$/);
    assert.equal(status, 0);
  });

  it('fails if a test fails twice, a file cannot be run, or there is no test', (t) => {
    const { status, said } = run(
      t,
      `it('one', () => assert.fail('wrong'));`,
      `throw new Error('broken');`,
    );
    assert.match(said, /\nfailed: .*file-0\.test\.ts: one: wrong\n/);
    assert.match(said, /\n0 passed, 2 failed\n$/);
    assert.equal(status, 1);
    const none = run(t, '');
    assert.match(none.said, /\d+ passed, 1 failed\n$/);
    assert.equal(none.status, 1);
  });
});

it('every group beside npm test has its command', () => {
  for (const name of Object.keys(suites)) {
    const command = manifest.scripts[`test:${name}` as 'test:all'];
    assert.match(command, new RegExp(`exec node tools/test.ts ${name}$`));
  }
});
