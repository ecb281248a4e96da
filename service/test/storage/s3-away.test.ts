import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { temporaryDirectory } from '../../../engine/test/support/media-footage.ts';
import { createOrganization } from '../../src/db/accounts.ts';
import { createApp } from '../../src/http/app.ts';
import { openStorage } from '../../src/storage/open.ts';
import { StorageUnavailable } from '../../src/storage/unavailable.ts';
import { makeFootage } from '../support/footage.ts';
import { JobWorld } from '../support/job-world.ts';
import { insertLibrary } from '../support/rows.ts';
import { startSourceServer } from '../support/source-server.ts';

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
    const world = await JobWorld.open();
    const footage = join(directory.path, 'footage');
    await mkdir(footage);
    await makeFootage(footage);
    const sources = await startSourceServer(footage);
    try {
      const { db } = world.service;
      const { id, apiKey } = await createOrganization(db, 'Away');
      const clip = await insertLibrary(db, { organizationId: id, renderable: true });
      const app = createApp({ ...world.service, storage: await open() });
      const began = performance.now();
      const answer = await app.request(
        `/v2/projects/${clip.projectId}/exports`,
        {
          method: 'POST',
          headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
          body: JSON.stringify({ watermark: { src_url: sources.at('logo.png') } }),
        },
        {},
      );
      const { reason } = (await answer.json()) as { reason: string };
      assert.deepEqual([answer.status, reason], [503, 'storage-unavailable']);
      // It waits 5 seconds for the store; a transfer of a job is tried for two minutes.
      assert.ok(performance.now() - began < 60_000);
      assert.deepEqual(await db.selectFrom('exports').select('id').execute(), []);
    } finally {
      await sources.close();
      await world.close();
    }
  });
});
