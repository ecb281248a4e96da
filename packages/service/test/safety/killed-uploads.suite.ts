import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { temporaryDirectory } from 'clip-testkit/media-footage';
import { waitFor } from 'clip-testkit/wait-for';
import { callChild, startChild, type ChildService } from '../support/child-service.ts';
import { keptFootage } from 'clip-testkit/footage';
import { hangingPatch, offsetOf, sendFile } from '../support/uploads.ts';

const megabyte = 1024 ** 2;

describe('the service killed by kill -9 while a file is uploaded', async () => {
  const directory = await temporaryDirectory();
  const dataDir = join(directory.path, 'data');
  let service: ChildService;
  let bytes: Buffer;
  let key: string;
  before(async () => {
    const scene = await readFile(join(await keptFootage(), 'scene.mp4'));
    // The rest is read by nobody.
    bytes = Buffer.concat([scene, randomBytes(6 * megabyte)]);
    service = await startChild({ DATA_DIR: dataDir });
    key = service.apiKey ?? '';
  });
  after(async () => {
    service?.process.kill('SIGKILL');
    await directory.remove();
  });

  it('has what it says it has, and goes on from there to the same bytes', async () => {
    const asked = { name: 'talk.mp4', size: bytes.length };
    const { body: upload } = await callChild(service, key, 'POST', '/uploads', asked);
    const address = () => `${service.url}/uploads/${upload.id}`;
    const half = 3 * megabyte;
    const hanging = hangingPatch(address(), 0, bytes.subarray(0, half));
    await waitFor('half of it', async () => {
      const { body } = await callChild(service, key, 'GET', `/uploads/${upload.id}`);
      return body.offset === half;
    });
    await service.end('SIGKILL');
    await hanging.end();
    service = await startChild({ DATA_DIR: dataDir });
    const offset = await offsetOf(address());
    const stored = async (): Promise<Buffer> => {
      const files = join(dataDir, 'files/uploads', upload.id);
      const [name] = await readdir(files);
      return readFile(join(files, name!));
    };
    assert.equal(offset, half);
    assert.ok((await stored()).equals(bytes.subarray(0, offset)));
    await sendFile(address(), bytes);
    assert.ok((await stored()).equals(bytes));
    const { status, body } = await callChild(service, key, 'POST', '/tasks/video-to-video', {
      source_video_url: address(),
      editing_options: {},
      dimensions: { width: 96, height: 54 },
    });
    assert.equal(status, 201, JSON.stringify(body));
  });
});
