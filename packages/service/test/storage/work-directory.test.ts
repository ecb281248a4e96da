import assert from 'node:assert/strict';
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, beforeEach, describe, it } from 'node:test';
import { prepareWorkDirectory } from '../../src/storage/work-directory.ts';
import { temporaryDirectory } from 'clip-testkit/media-footage';

describe('the directory of unfinished files at a start', async () => {
  const directory = await temporaryDirectory();
  after(() => directory.remove());
  const work = join(directory.path, 'work');
  const now = Date.now();
  const hours = (ago: number) => new Date(now - ago * 3_600_000);
  /** A directory with a file in it, and when each was last written to. */
  const put = async (name: string, ago: { directory: number; file: number }) => {
    await mkdir(join(work, name), { recursive: true });
    await writeFile(join(work, name, 'part.mp4'), 'x');
    await utimes(join(work, name, 'part.mp4'), hours(ago.file), hours(ago.file));
    await utimes(join(work, name), hours(ago.directory), hours(ago.directory));
  };
  beforeEach(async () => {
    await put('left', { directory: 25, file: 25 });
    await put('young', { directory: 1, file: 1 });
    await put('long render', { directory: 25, file: 0 });
  });

  it('is emptied where no other service uses it', async () => {
    await prepareWorkDirectory(work, { own: true, now });
    assert.deepEqual(await readdir(work), []);
  });

  it('loses what nobody has touched for a day where others may be at work', async () => {
    await prepareWorkDirectory(work, { own: false, now });
    assert.deepEqual((await readdir(work)).sort(), ['long render', 'young']);
  });

  it('is made where it is missing', async () => {
    await prepareWorkDirectory(join(directory.path, 'new', 'work'), { own: false });
    assert.deepEqual(await readdir(join(directory.path, 'new', 'work')), []);
  });
});
