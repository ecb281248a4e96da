/** The tests of the PHP and the Python library, in their own languages. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { djangoPython } from '../support/django-site.ts';

const integrations = fileURLToPath(new URL('../../integrations/', import.meta.url));

function run(command: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: `${integrations}${cwd}`,
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
    encoding: 'utf8',
  });
  assert.equal(status, 0, `${stdout}${stderr}`);
  return stdout + stderr;
}

describe('the libraries', () => {
  it('PHP: every test passes', () => {
    assert.match(run('php', ['tests/run.php'], 'php'), /^ok a PSR-15 framework$/m);
  });

  it('Python: every test passes, those with Django too', () => {
    const output = run(
      djangoPython()!,
      ['-m', 'unittest', 'discover', '-t', '.', '-s', 'tests'],
      'python',
    );
    assert.match(output, /^Ran \d+ tests/m);
    assert.doesNotMatch(output, /skipped/);
  });
});
