/** With the real npm, and packages of this folder only. */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { installDependencies, withoutOwnNode } from '../../tools/install-dependencies.mjs';
import { waitFor } from 'clip-testkit/wait-for';

const npm = (cwd: string, ...args: string[]): string =>
  execFileSync('npm', args, { cwd, env: withoutOwnNode(), encoding: 'utf8', stdio: 'pipe' });

/** Packs a version of a package. Installing `second` waits while there is a file `wait`. */
function packVersion(folder: string, name: string, version: string): void {
  const source = join(folder, 'source');
  mkdirSync(source, { recursive: true });
  const script = `while [ -e ${folder}/wait ]; do touch ${folder}/waiting; sleep 0.1; done`;
  const scripts = name === 'second' ? { install: `bash -c '${script}'` } : {};
  writeFileSync(join(source, 'package.json'), JSON.stringify({ name, version, scripts }));
  npm(source, 'pack', '--pack-destination', folder);
}

/** Writes the lock file for versions of both packages, and installs nothing. */
function lock(folder: string, first: string, second: string, isSecondDev = false): void {
  const packages = { first: `file:first-${first}.tgz`, second: `file:second-${second}.tgz` };
  const { second: forDevelopers, ...dependencies } = packages;
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify(
      isSecondDev
        ? { private: true, dependencies, devDependencies: { second: forDevelopers } }
        : { private: true, dependencies: packages },
    ),
  );
  rmSync(join(folder, 'package-lock.json'), { force: true });
  // npm would write what is installed.
  const [tree, aside] = [join(folder, 'node_modules'), join(folder, 'aside')];
  if (existsSync(tree)) renameSync(tree, aside);
  npm(folder, 'install', '--package-lock-only', '--no-audit', '--ignore-scripts');
  if (existsSync(aside)) renameSync(aside, tree);
}

async function install(t: TestContext): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'clip-install-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  process.env['npm_config_cache'] = join(folder, 'cache');
  t.after(() => delete process.env['npm_config_cache']);
  for (const name of ['first', 'second']) {
    for (const version of ['1.0.0', '2.0.0']) packVersion(folder, name, version);
  }
  lock(folder, '1.0.0', '1.0.0');
  assert.equal(await installDependencies(folder), true);
  return folder;
}

const program = `import(${JSON.stringify(import.meta.resolve('../../tools/install-dependencies.mjs'))})
  .then(({ installDependencies }) => installDependencies('.'))`;

const versions = (folder: string): string[] =>
  ['first', 'second'].map(
    (name) =>
      JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8')).version,
  );

describe('installDependencies', () => {
  it('takes a tree that somebody else has installed from the lock file', async (t) => {
    const folder = await install(t);
    npm(folder, 'ci', '--no-audit');
    const list = join(folder, 'node_modules/.package-lock.json');
    const before = statSync(list).mtimeMs;
    assert.equal(await installDependencies(folder), true);
    assert.equal(statSync(list).mtimeMs, before);
  });

  it('installs what the lock file has since named', async (t) => {
    const folder = await install(t);
    lock(folder, '2.0.0', '1.0.0');
    assert.equal(await installDependencies(folder), true);
    assert.deepEqual(versions(folder), ['2.0.0', '1.0.0']);
  });

  it('leaves out what only developers need, until they need it', async (t) => {
    const folder = await install(t);
    rmSync(join(folder, 'node_modules'), { recursive: true });
    lock(folder, '1.0.0', '1.0.0', true);
    assert.equal(await installDependencies(folder, { omitDev: true }), true);
    assert.equal(existsSync(join(folder, 'node_modules/second')), false);
    const list = join(folder, 'node_modules/.package-lock.json');
    const before = statSync(list).mtimeMs;
    assert.equal(await installDependencies(folder, { omitDev: true }), true);
    assert.equal(statSync(list).mtimeMs, before);
    assert.equal(await installDependencies(folder), true);
    assert.deepEqual(versions(folder), ['1.0.0', '1.0.0']);
    lock(folder, '2.0.0', '1.0.0', true);
    assert.equal(await installDependencies(folder, { omitDev: true }), true);
    assert.deepEqual(versions(folder), ['2.0.0', '1.0.0']);
  });

  it('leaves a working tree if a new one cannot be had', async (t) => {
    const folder = await install(t);
    lock(folder, '2.0.0', '1.0.0');
    rmSync(join(folder, 'first-2.0.0.tgz'));
    rmSync(join(folder, 'cache'), { recursive: true });
    assert.equal(await installDependencies(folder), false);
    assert.deepEqual(versions(folder), ['1.0.0', '1.0.0']);
    lock(folder, '1.0.0', '1.0.0');
    assert.equal(await installDependencies(folder), true);
  });

  for (const [what, first] of [
    ['an installation', '1.0.0'],
    ['an update', '2.0.0'],
  ] as const) {
    it(`repairs ${what} that was interrupted`, async (t) => {
      const folder = await install(t);
      if (first === '1.0.0') rmSync(join(folder, 'node_modules'), { recursive: true });
      else lock(folder, first, '2.0.0');
      writeFileSync(join(folder, 'wait'), '');
      const killed = spawn(process.execPath, ['-e', program], {
        cwd: folder,
        detached: true,
        stdio: 'ignore',
      });
      await waitFor('npm', () => existsSync(join(folder, 'waiting')));
      // The whole group, as Ctrl-C does.
      process.kill(-killed.pid!, 'SIGKILL');
      await once(killed, 'exit');
      rmSync(join(folder, 'wait'));
      // What was being unpacked may be there in part.
      rmSync(join(folder, 'node_modules/first'), { recursive: true, force: true });
      assert.equal(await installDependencies(folder), true);
      assert.deepEqual(versions(folder), [first, first]);
    });
  }
});
