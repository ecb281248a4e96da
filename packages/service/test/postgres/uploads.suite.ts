import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { temporaryDirectory } from 'clip-testkit/media-footage';
import { waitFor } from 'clip-testkit/wait-for';
import { callChild, startChild, type ChildService } from '../support/child-service.ts';
import { keptFootage } from 'clip-testkit/footage';
import { testDatabase } from '../support/test-database.ts';
import { hangingPatch, offsetOf, patch, sendFile } from '../support/uploads.ts';

const key = 'key-of-the-test-of-uploads';

describe('an upload to several processes', async () => {
  const directory = await temporaryDirectory();
  let database: Awaited<ReturnType<typeof testDatabase>>;
  let apis: ChildService[];
  let scene: Buffer;
  before(async () => {
    database = await testDatabase();
    const shared = {
      DATABASE_URL: database.url,
      DATA_DIR: join(directory.path, 'data'),
      CLIP_API_KEY: key,
    };
    apis = await Promise.all([1, 2].map(() => startChild({ ...shared, ROLE: 'api' })));
    scene = await readFile(join(await keptFootage(), 'scene.mp4'));
  });
  after(async () => {
    for (const api of apis ?? []) api.process.kill('SIGKILL');
    await database?.close();
    await directory.remove();
  });

  const make = async () => {
    const asked = { name: 'scene.mp4', size: scene.length };
    const { status, body } = await callChild(apis[0]!, key, 'POST', '/uploads', asked);
    assert.equal(status, 201, JSON.stringify(body));
    return body as { id: string };
  };
  const addresses = (id: string) => apis.map(({ url }) => `${url}/uploads/${id}`);
  const half = 8192;

  it('goes on at another process while the first one still holds a dead connection', async () => {
    const { id } = await make();
    const [one, other] = addresses(id);
    const hanging = hangingPatch(one!, 0, scene.subarray(0, half));
    await waitFor('half of it', async () => {
      const { body } = await callChild(apis[0]!, key, 'GET', `/uploads/${id}`);
      return body.offset === half;
    });
    assert.equal(await offsetOf(other!), half);
    assert.equal((await patch(other!, half, scene.subarray(half))).status, 204);
    await hanging.end();
    assert.equal(await offsetOf(one!), scene.length);
  });

  it('goes on at another process when the first one is killed', async () => {
    const { id } = await make();
    const [one, other] = addresses(id);
    const hanging = hangingPatch(one!, 0, scene.subarray(0, half));
    await waitFor('half of it', async () => {
      const { body } = await callChild(apis[1]!, key, 'GET', `/uploads/${id}`);
      return body.offset === half;
    });
    await apis[0]!.end('SIGKILL');
    await hanging.end();
    // Once the lease of the dead process is over.
    assert.equal(await offsetOf(other!), half);
    await sendFile(other!, scene);
    const { body } = await callChild(apis[1]!, key, 'GET', `/uploads/${id}`);
    assert.equal(body.status, 'finished');
  });
});
