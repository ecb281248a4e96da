import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { waitFor } from '../../../../test/support/wait-for.ts';
import { DataDirectoryInUse, lockDataDirectory } from '../../src/storage/data-lock.ts';

describe('the lock of the data directory', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'clip-lock-'));
  });
  afterEach(() => rm(directory, { recursive: true }));

  it('is taken once, and again after it was let go of', async () => {
    const unlock = lockDataDirectory(directory);
    assert.throws(() => lockDataDirectory(directory), DataDirectoryInUse);
    unlock();
    lockDataDirectory(directory)();
    assert.deepEqual(await readdir(directory), []);
  });

  it('says who has it and what to do', () => {
    const unlock = lockDataDirectory(directory);
    assert.throws(() => lockDataDirectory(directory), {
      message: new RegExp(`process ${process.pid}.*DATA_DIR`),
    });
    unlock();
  });

  it('is respected from another process, and taken over once that one is gone', async () => {
    const script = `
      import { lockDataDirectory } from ${JSON.stringify(new URL('../../src/storage/data-lock.ts', import.meta.url).href)};
      lockDataDirectory(${JSON.stringify(directory)});
      process.stdout.write('locked');
      setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script]);
    await once(child.stdout, 'data');
    assert.throws(() => lockDataDirectory(directory), DataDirectoryInUse);
    child.kill('SIGKILL');
    await once(child, 'exit');
    lockDataDirectory(directory)();
  });

  it('is taken over from a process that has ended, and that its parent has not waited for', async () => {
    const script = `
      import { lockDataDirectory } from ${JSON.stringify(new URL('../../src/storage/data-lock.ts', import.meta.url).href)};
      lockDataDirectory(${JSON.stringify(directory)});
      process.stdout.write('locked');
      setInterval(() => {}, 1000);`;
    const idle = '"$0" --input-type=module --eval "$1" & exec tail -f /dev/null';
    const parent = spawn('sh', ['-c', idle, process.execPath, script]);
    await once(parent.stdout, 'data');
    const { pid } = JSON.parse(await readFile(join(directory, 'lock'), 'utf8'));
    process.kill(pid, 'SIGKILL');
    await waitFor(
      'its end',
      async () => /\) Z /.test(await readFile(`/proc/${pid}/stat`, 'utf8')) || null,
    );
    lockDataDirectory(directory)();
    parent.kill('SIGKILL');
    await once(parent, 'exit');
  });

  it('is not mistaken for that of a later process with the same id', async () => {
    const unlock = lockDataDirectory(directory);
    const path = join(directory, 'lock');
    const lock = JSON.parse(await readFile(path, 'utf8'));
    await writeFile(path, JSON.stringify({ ...lock, began: 'another-boot/1', token: 'other' }));
    unlock();
    lockDataDirectory(directory)();
  });

  it('is taken over where it cannot be read', async () => {
    await writeFile(join(directory, 'lock'), '{"pid":');
    lockDataDirectory(directory)();
  });

  it('lets go of its own lock alone', async () => {
    const unlock = lockDataDirectory(directory);
    const path = join(directory, 'lock');
    const lock = JSON.parse(await readFile(path, 'utf8'));
    await writeFile(path, JSON.stringify({ ...lock, token: 'of another' }));
    unlock();
    assert.deepEqual(await readdir(directory), ['lock']);
  });
});
