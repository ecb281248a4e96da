import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it, type TestContext } from 'node:test';
import type { Task } from '../../src/contract/task.ts';
import type { Upload } from '../../src/contract/upload.ts';
import { s3Uploads, type S3Client } from '../../packages/host/src/uploads/s3-uploads.ts';
import { HostWorld } from './host-world.ts';

/** A bucket, and a client that may use it. */
export interface TestBucket {
  readonly client: S3Client;
  readonly bucketUrl: string;
}

interface Parts {
  readonly parts: readonly { number: number; size: number; etag: string; url: string }[];
}

const partBytes = 8 * 1024 ** 2;

/** A file of three parts, the last of which is short. */
export const threeParts = randomBytes(2 * partBytes + 1000);

export const partOf = (file: Buffer<ArrayBuffer>, number: number): Buffer<ArrayBuffer> =>
  file.subarray((number - 1) * partBytes, number * partBytes);

/** A page that sends a file in parts. */
export class PartsPage {
  readonly world: HostWorld;
  readonly user: string;

  constructor(world: HostWorld, user = 'ann') {
    this.world = world;
    this.user = user;
  }

  create(size = threeParts.length, name = 'My talk.MP4'): Promise<Upload> {
    const { user } = this;
    return this.world.json(201, 'POST', '/clips/uploads', { user, body: { name, size } });
  }

  read({ id }: Upload): Promise<Upload> {
    return this.world.json(200, 'GET', `/clips/uploads/${id}`, { user: this.user });
  }

  async addresses({ id }: Upload, numbers: readonly number[]): Promise<Parts['parts']> {
    const sent = { user: this.user, body: { numbers } };
    const { parts } = await this.world.json<Parts>(200, 'POST', `/clips/uploads/${id}/parts`, sent);
    return parts;
  }

  async send(upload: Upload, file: Buffer<ArrayBuffer>, numbers: readonly number[]): Promise<void> {
    for (const { number, url } of await this.addresses(upload, numbers)) {
      const { status } = await fetch(url, { method: 'PUT', body: partOf(file, number) });
      assert.equal(status, 200);
    }
  }

  async arrived({ id }: Upload): Promise<(readonly [number, number])[]> {
    const sent = { user: this.user };
    const { parts } = await this.world.json<Parts>(200, 'GET', `/clips/uploads/${id}/parts`, sent);
    return parts.map(({ number, size }) => [number, size]);
  }

  complete({ id }: Upload): Promise<Upload> {
    const sent = { user: this.user, body: {} };
    return this.world.json(200, 'POST', `/clips/uploads/${id}/complete`, sent);
  }

  /** A whole upload. */
  async finished(file = threeParts): Promise<Upload> {
    const upload = await this.create(file.length);
    await this.send(upload, file, [1, 2, 3]);
    return this.complete(upload);
  }
}

/** What uploads do in every S3 store. */
export function s3UploadsSuite(name: string, openBucket: (t: TestContext) => Promise<TestBucket>) {
  const open = async (t: TestContext): Promise<PartsPage> => {
    const uploads = s3Uploads(await openBucket(t));
    return new PartsPage(
      await HostWorld.open(t, { service: { extensions: false }, host: { uploads } }),
    );
  };

  describe(`uploads in ${name}`, () => {
    it('take a file part by part, and give it to the service by a signed address', async (t) => {
      const page = await open(t);
      const { world } = page;
      const upload = await page.create();
      assert.deepEqual(
        [upload.protocol, upload.status, upload.part_size, upload.offset],
        ['s3', 'open', partBytes, 0],
      );
      assert.equal(upload.url, `https://site.example/clips/uploads/${upload.id}`);
      await page.send(upload, threeParts, [3, 1]);
      assert.deepEqual(await page.arrived(upload), [
        [1, partBytes],
        [3, 1000],
      ]);
      assert.equal((await page.read(upload)).offset, partBytes + 1000);
      // Not yet: a part is missing.
      const body = { source_video_url: upload.url };
      const shorts = '/clips/tasks/video-to-shorts';
      await world.problem(422, 'unprocessable', 'POST', shorts, { key: 'attempt-1', body });
      await world.problem(422, 'unprocessable', 'POST', `/clips/uploads/${upload.id}/complete`, {
        body: {},
      });
      await page.send(upload, threeParts, [2]);
      assert.equal((await page.read(upload)).status, 'open');
      assert.equal((await page.complete(upload)).status, 'finished');
      assert.equal((await page.read(upload)).status, 'finished');
      await world.json<Task>(201, 'POST', shorts, { key: 'attempt-1', body });
      const [sent] = world.service.sent('POST', /^\/tasks/);
      const { source_video_url } = sent!.body as { source_video_url: string };
      const file = await fetch(source_video_url);
      assert.ok(Buffer.from(await file.arrayBuffer()).equals(threeParts));
      const unsigned = new URL(source_video_url);
      unsigned.search = '';
      assert.equal((await fetch(unsigned)).ok, false);
    });

    it('that are complete stay so when the page asks again', async (t) => {
      const page = await open(t);
      const upload = await page.finished();
      // The answer was lost.
      assert.equal((await page.complete(upload)).status, 'finished');
      assert.equal((await page.arrived(upload)).length, 3);
    });

    it('take no part of another length than announced', async (t) => {
      const page = await open(t);
      const upload = await page.create();
      const [part] = await page.addresses(upload, [3]);
      const longer = await fetch(part!.url, { method: 'PUT', body: threeParts.subarray(0, 1001) });
      assert.equal(longer.status, 403);
      assert.deepEqual(await page.arrived(upload), []);
    });

    it('are removed with what has arrived of them', async (t) => {
      const page = await open(t);
      for (const upload of [await page.create(), await page.finished()]) {
        const path = `/clips/uploads/${upload.id}`;
        assert.equal((await page.world.call('DELETE', path)).status, 204);
        await page.world.problem(404, 'upload-not-found', 'GET', path);
        await page.world.problem(404, 'upload-not-found', 'GET', `${path}/parts`);
        await page.world.problem(404, 'upload-not-found', 'POST', `${path}/complete`, {
          body: {},
        });
        assert.equal((await page.world.call('DELETE', path)).status, 204);
      }
    });
  });
}
