import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { cacheJson } from '../../src/storage/work-directory.ts';
import { createDiskStorage } from '../../src/storage/disk.ts';

test('an answer is asked for once, and again where the kept one does not fit', async () => {
  const workDirectory = await mkdtemp(join(tmpdir(), 'clip-kept-'));
  try {
    const service = { workDirectory, storage: createDiskStorage(join(workDirectory, 'files')) };
    let asked = 0;
    const get = (fits?: (value: { asked: number }) => boolean) =>
      cacheJson<{ asked: number }>(service, 'sources/task/answer.json', {
        ...(fits && { fits }),
        make: async () => ({ asked: ++asked }),
      });
    assert.deepEqual(await get(), { asked: 1 });
    assert.deepEqual(await get(), { asked: 1 });
    assert.deepEqual(await get((value) => value.asked > 1), { asked: 2 });
    assert.deepEqual(await get((value) => value.asked > 1), { asked: 2 });
    await writeFile(join(workDirectory, 'files/sources/task/answer.json'), '{"asked":');
    assert.deepEqual(await get(), { asked: 3 }, 'what is cut off is asked for again');
    assert.deepEqual(await readdir(workDirectory), ['files'], 'no unfinished file is left');
  } finally {
    await rm(workDirectory, { recursive: true, force: true });
  }
});
