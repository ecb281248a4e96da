import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Storage } from '../../src/storage/storage.ts';

/**
 * What every storage must do. `open` gives a fresh one whose work files may lie in `directory`.
 * `onePutWins`: whether of several texts that are put once at the same moment one is the first.
 */
export function storageSuite(
  name: string,
  open: (directory: string) => Promise<Storage>,
  { onePutWins = true } = {},
): void {
  describe(name, () => {
    let directory: string;
    let storage: Storage;
    before(async () => {
      directory = await mkdtemp(join(tmpdir(), 'clip-storage-'));
      storage = await open(directory);
    });
    after(() => rm(directory, { recursive: true }));

    const put = async (key: string, text: string): Promise<void> => {
      const file = join(directory, 'work-file');
      await writeFile(file, text);
      await storage.put(key, file);
      await assert.rejects(readFile(file), { code: 'ENOENT' }, 'the file has moved');
    };
    const read = async (key: string, start: number, end: number): Promise<string> =>
      new Response(storage.read(key, { start, end })).text();

    it('keeps what is put, and gives parts of it with both ends included', async () => {
      await put('exports/a/clip.mp4', '0123456789');
      assert.equal((await storage.stat('exports/a/clip.mp4'))?.bytes, 10);
      assert.equal(await read('exports/a/clip.mp4', 0, 9), '0123456789');
      assert.equal(await read('exports/a/clip.mp4', 3, 5), '345');
    });

    it('gives a local path for programs', async () => {
      await put('sources/a/source.mp4', 'abc');
      const file = await storage.openLocal('sources/a/source.mp4', new AbortController().signal);
      assert.equal(await readFile(file.path, 'utf8'), 'abc');
      file.release();
    });

    it('replaces, under another etag', async () => {
      await put('exports/b/clip.mp4', 'one');
      const first = await storage.stat('exports/b/clip.mp4');
      await put('exports/b/clip.mp4', 'other');
      const second = await storage.stat('exports/b/clip.mp4');
      assert.equal(await read('exports/b/clip.mp4', 0, 4), 'other');
      assert.notEqual(first?.etag, second?.etag);
      assert.match(second?.etag ?? '', /^"[^"]+"$/);
    });

    it('gives the ids of a kind', async () => {
      for (const key of ['watermarks/b/image.png', 'watermarks/a/image.png', 'watermarks/a/two']) {
        await put(key, 'x');
      }
      const idsOf = async (kind: string): Promise<string[]> => {
        const ids: string[] = [];
        for await (const id of storage.ids(kind)) ids.push(id);
        return ids.toSorted();
      };
      assert.deepEqual(await idsOf('watermarks'), ['a', 'b']);
      assert.deepEqual(await idsOf('nothing'), []);
    });

    it('has nothing under other keys', async () => {
      assert.equal(await storage.stat('exports/none/clip.mp4'), null);
      assert.equal(await storage.stat('exports/a'), null);
    });

    it('lists what is under one id, and nothing else', async () => {
      await put('exports/c/one.mp4', '1');
      await put('exports/c/two.mp4', '2');
      await put('exports/cc/three.mp4', '3');
      const keys = await storage.list('exports/c');
      assert.deepEqual(keys.toSorted(), ['exports/c/one.mp4', 'exports/c/two.mp4']);
      assert.deepEqual(await storage.list('exports/none'), []);
    });

    it('removes one object, and nothing else; nothing there is no error', async () => {
      await put('exports/d/one.mp4', '1');
      await put('exports/d/two.mp4', '2');
      await storage.remove('exports/d/one.mp4');
      await storage.remove('exports/d/one.mp4');
      assert.equal(await storage.stat('exports/d/one.mp4'), null);
      assert.ok(await storage.stat('exports/d/two.mp4'));
    });

    it('keeps what is put while the last beside it is removed', async () => {
      for (let round = 0; round < 50; round += 1) {
        await put('exports/e/first.mp4', '1');
        await Promise.all([storage.remove('exports/e/first.mp4'), put('exports/e/next.mp4', '2')]);
        assert.ok(await storage.stat('exports/e/next.mp4'));
        await storage.remove('exports/e/next.mp4');
      }
    });

    it('keeps a text that is put once', async () => {
      assert.equal(await storage.putOnce('store/b/id.txt', 'first'), 'first');
      assert.equal(await storage.putOnce('store/b/id.txt', 'later'), 'first');
      assert.equal(await read('store/b/id.txt', 0, 4), 'first');
    });

    if (onePutWins) {
      it('keeps the first of several texts that are put at the same moment', async () => {
        const texts = Array.from({ length: 20 }, (_, index) => `text ${index}`);
        const kept = await Promise.all(
          texts.map((text) => storage.putOnce('store/a/id.txt', text)),
        );
        assert.equal(new Set(kept).size, 1);
        assert.equal(await storage.putOnce('store/a/id.txt', 'later'), kept[0]);
        assert.equal(await read('store/a/id.txt', 0, kept[0]!.length - 1), kept[0]);
        assert.deepEqual(await storage.list('store/a'), ['store/a/id.txt'], 'no draft is left');
      });
    }

    it('takes no key that could lead elsewhere', async () => {
      for (const key of [
        '../a/b',
        'a/../b',
        'a/b/..',
        'a/b',
        'a/b/c/d',
        '/a/b/c',
        'a//b',
        'a/.b/c',
      ]) {
        assert.equal(await storage.stat(key), null, key);
        await assert.rejects(storage.put(key, 'x'), RangeError, key);
        await assert.rejects(storage.remove(key), RangeError, key);
      }
      for (const prefix of ['..', 'a', '', 'a/..', '../..']) {
        await assert.rejects(storage.list(prefix), RangeError, prefix);
      }
    });
  });
}
