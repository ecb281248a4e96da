import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { temporaryDirectory } from 'clip-testkit/media-footage';
import { openStorage } from '../../src/storage/open.ts';
import { type Storage, StorageUnavailable } from '../../src/storage/storage.ts';
import { QuietWorld } from '../support/quiet-world.ts';
import { assertProblem } from 'clip-testkit/world';

describe('a bucket that is away', async () => {
  const directory = await temporaryDirectory();
  // Takes connections, and never says a word.
  const server: Server = createServer();
  const closing = new AbortController();
  before(() => once(server.listen(0, '127.0.0.1'), 'listening'));
  after(async () => {
    closing.abort();
    server.close();
    await directory.remove();
  });

  const open = async () =>
    (
      await openStorage(
        {
          s3: {
            endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
            bucket: 'clips',
            region: 'us-east-1',
            accessKeyId: 'id',
            secretAccessKey: 'secret',
          },
        },
        { dataDir: directory.path, workDirectory: directory.path, closing: closing.signal },
      )
    ).storage;

  it('is given up as soon as the caller wants it', async () => {
    const storage = await open();
    const file = join(directory.path, 'image.png');
    await writeFile(file, 'an image');
    // Without an end of its own, the silent call would last as long as the connection.
    await assert.rejects(
      storage.put('watermarks/a/image.png', file, { maxMs: 50 }),
      StorageUnavailable,
    );
  });

  it('is given up also if the garbage collector runs meanwhile', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const storage = await open();
    const file = join(directory.path, 'image.png');
    await writeFile(file, 'an image');
    const collecting = setInterval(collect, 10);
    try {
      await assert.rejects(
        storage.put('watermarks/a/image.png', file, { maxMs: 200 }),
        StorageUnavailable,
      );
    } finally {
      clearInterval(collecting);
    }
  });

  it('keeps no client waiting that starts an export with a watermark', async () => {
    const storage = await open();
    const asked: (number | undefined)[] = [];
    // Sooner than it is told, as nothing else would happen meanwhile.
    const put: Storage['put'] = (key, file, { maxMs } = {}) => {
      asked.push(maxMs);
      return storage.put(key, file, { maxMs: 50 });
    };
    const world = await QuietWorld.start({ storage: { ...storage, put } });
    try {
      const { projectId } = await world.addClip();
      const watermark = { src_url: world.sources.at('logo.png') };
      const answer = await world.post(`/projects/${projectId}/exports`, { watermark });
      assertProblem(answer, 503, 'service-unavailable');
      assert.equal(answer.body.reason, 'storage-unavailable');
      assert.deepEqual(asked, [5000]);
      assert.deepEqual((await world.get('/exports')).body, []);
    } finally {
      await world.close();
    }
  });
});
