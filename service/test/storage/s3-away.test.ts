import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { temporaryDirectory } from '../../../engine/test/support/media-footage.ts';
import { openStorage } from '../../src/storage/open.ts';
import { StorageUnavailable } from '../../src/storage/unavailable.ts';

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

  it('is given up as soon as the caller wants it', async () => {
    const { storage } = await openStorage(
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
    );
    const file = join(directory.path, 'image.png');
    await writeFile(file, 'an image');
    // Without an end of its own, the silent call would last as long as the connection.
    await assert.rejects(
      storage.put('watermarks/a/image.png', file, { maxMs: 50 }),
      StorageUnavailable,
    );
  });
});
