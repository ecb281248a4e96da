import assert from 'node:assert/strict';
import { access, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { after, describe, it } from 'node:test';
import { FileCache } from '../../src/storage/file-cache.ts';
import { temporaryDirectory } from 'clip-testkit/media-footage';

const never = new AbortController().signal;
const keyOf = (name: string): string => `sources/${name}/video.mp4`;

describe('the cache of stored files', async () => {
  const drafts = await temporaryDirectory();
  after(() => drafts.remove());
  let places = 0;

  async function open(maxBytes: number, directory = join(drafts.path, `cache-${(places += 1)}`)) {
    const cache = await FileCache.open(directory, { drafts: drafts.path, maxBytes });
    const fetched: string[] = [];
    return {
      cache,
      directory,
      fetched,
      /** Ten bytes, whatever the name. */
      hold: (name: string) =>
        cache.hold(
          keyOf(name),
          10,
          async (path) => {
            fetched.push(name);
            await writeFile(path, name.padEnd(10));
          },
          never,
        ),
      async kept(): Promise<string[]> {
        const entries = await readdir(directory, { recursive: true });
        return entries.filter((path) => path.endsWith('.mp4')).sort();
      },
    };
  }

  it('fetches a file once, and again after it had to go: the least recently used goes', async () => {
    const { hold, fetched, kept } = await open(30);
    for (const name of ['a', 'b', 'c', 'a', 'd']) (await hold(name)).release();
    assert.deepEqual(fetched, ['a', 'b', 'c', 'd']);
    assert.deepEqual(await kept(), ['a', 'c', 'd'].map(keyOf), 'b was not used for longest');
    const file = await hold('a');
    assert.equal(await readFile(file.path, 'utf8'), 'a'.padEnd(10));
    file.release();
    assert.equal(fetched.length, 4);
  });

  it('never removes a file in use, even if that is too much', async () => {
    const { hold, kept } = await open(20);
    const files = await Promise.all(['a', 'b', 'c'].map(hold));
    for (const { path } of files) await access(path);
    files[1]!.release();
    assert.deepEqual(await kept(), ['a', 'c'].map(keyOf));
    const again = await hold('a');
    files[0]!.release();
    files[0]!.release();
    files[2]!.release();
    (await hold('d')).release();
    await access(again.path);
    assert.deepEqual(await kept(), ['a', 'd'].map(keyOf));
  });

  it('fetches once for several who ask, and ends the fetch when the last gives up', async () => {
    const { cache, kept } = await open(100);
    let begun = 0;
    let ended: unknown = null;
    const fetch = async (path: string, signal: AbortSignal): Promise<void> => {
      begun += 1;
      await writeFile(path, 'half');
      while (!signal.aborted) await setImmediate();
      ended = signal.reason;
      throw ended;
    };
    const [one, two] = [new AbortController(), new AbortController()];
    const holds = [one, two].map(({ signal }) => cache.hold(keyOf('a'), 10, fetch, signal));
    one.abort(new Error('one'));
    await assert.rejects(holds[0]!, /one/);
    assert.equal(ended, null);
    two.abort(new Error('two'));
    await assert.rejects(holds[1]!, /two/);
    while (ended === null) await setImmediate();
    assert.equal(begun, 1);
    assert.deepEqual(await kept(), []);
  });

  it('tells those who wait why a fetch failed, and tries again for the next', async () => {
    const { cache, hold } = await open(100);
    const fail = async (): Promise<void> => {
      throw new Error('no connection');
    };
    await assert.rejects(cache.hold(keyOf('a'), 10, fail, never), /no connection/);
    (await hold('a')).release();
  });

  it('is found again by the next process, in the same order, without what was cut off', async () => {
    const first = await open(30);
    for (const name of ['a', 'b', 'c']) {
      (await first.hold(name)).release();
      await setImmediate();
    }
    await writeFile(join(first.directory, keyOf('b')), 'cut');
    const next = await open(30, first.directory);
    (await next.hold('a')).release();
    assert.deepEqual(next.fetched, []);
    const file = await next.hold('b');
    assert.deepEqual(next.fetched, ['b']);
    assert.equal(await readFile(file.path, 'utf8'), 'b'.padEnd(10));
    file.release();
    const smaller = await open(10, first.directory);
    assert.deepEqual(await smaller.kept(), [keyOf('b')]);
  });

  it('takes files that are made here, and forgets those that nobody uses', async () => {
    const { cache, hold, fetched, kept } = await open(100);
    const made = join(drafts.path, 'made');
    await writeFile(made, 'a'.padEnd(10));
    await cache.adopt(keyOf('a'), made);
    const file = await hold('a');
    assert.deepEqual(fetched, []);
    cache.forget(keyOf('a'));
    await access(file.path);
    file.release();
    cache.forget(keyOf('a'));
    assert.deepEqual(await kept(), []);
  });
});
