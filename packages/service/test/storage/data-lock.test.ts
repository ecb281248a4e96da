import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { DataDirectoryInUse, lockDataDirectory } from '../../src/storage/data-lock.ts';

describe('the lock of the data directory', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'clip-lock-'));
  });
  afterEach(() => rm(directory, { recursive: true }));

  it('is taken once, and again after it was let go of', () => {
    const unlock = lockDataDirectory(directory);
    assert.throws(() => lockDataDirectory(directory), DataDirectoryInUse);
    unlock();
    lockDataDirectory(directory)();
  });

  it('is respected from another process, and taken over once that one is gone', async () => {
    const script = `
      import { lockDataDirectory } from ${JSON.stringify(new URL('../../src/storage/data-lock.ts', import.meta.url).href)};
      lockDataDirectory(${JSON.stringify(directory)});
      // What nothing refers to is collected.
      gc();
      process.stdout.write('locked');
      setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ['--expose-gc', '--input-type=module', '--eval', script]);
    await once(child.stdout, 'data');
    for (let at = 0; at < 2; at++) {
      assert.throws(() => lockDataDirectory(directory), {
        name: 'DataDirectoryInUse',
        message: new RegExp(`in use by process ${child.pid}.*DATA_DIR`),
      });
    }
    child.kill('SIGKILL');
    await once(child, 'exit');
    lockDataDirectory(directory)();
  });
});
