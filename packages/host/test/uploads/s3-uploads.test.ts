import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { Upload } from 'clip-kit/contract';
import { s3Uploads, type S3UploadsOptions } from '../../src/uploads/s3-uploads.ts';
import { FakeBucket } from '../../../../test/support/fake-bucket.ts';
import { HostWorld, type HostWorldOptions } from '../../../../test/support/host-world.ts';
import {
  PartsPage,
  partOf,
  s3UploadsSuite,
  threeParts,
} from '../../../../test/support/s3-uploads-suite.ts';

s3UploadsSuite('a bucket that is strict', async (t) => {
  const bucket = await FakeBucket.open();
  t.after(() => bucket.close());
  return { client: bucket.client(), bucketUrl: bucket.url };
});

const dayMs = 24 * 60 * 60 * 1000;

async function open(
  t: TestContext,
  options: Partial<S3UploadsOptions> & Pick<HostWorldOptions, 'service'> = {},
) {
  const { service, ...more } = options;
  const bucket = await FakeBucket.open(more.now);
  t.after(() => bucket.close());
  const uploads = s3Uploads({ client: bucket.client(), bucketUrl: bucket.url, ...more });
  const world = await HostWorld.open(t, { host: { uploads }, ...(service && { service }) });
  return { bucket, world, page: new PartsPage(world) };
}

const shorts = '/clips/tasks/video-to-shorts';

describe('the id of an upload in a bucket', () => {
  it('is of no use to another user', async (t) => {
    const { world, page, bucket } = await open(t);
    const upload = await page.finished();
    const before = bucket.requests.length;
    const path = `/clips/uploads/${upload.id}`;
    const user = 'bob';
    for (const [method, at, body] of [
      ['GET', path, undefined],
      ['DELETE', path, undefined],
      ['GET', `${path}/parts`, undefined],
      ['POST', `${path}/parts`, { numbers: [1] }],
      ['POST', `${path}/complete`, {}],
      ['POST', shorts, { source_video_url: upload.url }],
    ] as const) {
      await world.problem(404, 'upload-not-found', method, at, { user, body, key: 'attempt-1' });
    }
    assert.equal(bucket.requests.length, before, 'the bucket is not asked');
    assert.deepEqual(world.service.sent('POST', /^\/tasks/), []);
  });

  it('cannot be changed, guessed or cut', async (t) => {
    const { world, page } = await open(t);
    const { id } = await page.create();
    const [content = '', tag = ''] = id.split('.');
    const other = JSON.parse(Buffer.from(content, 'base64url').toString()) as unknown[];
    other[0] = 'uploads/of-bob.mp4';
    const forged = Buffer.from(JSON.stringify(other)).toString('base64url');
    for (const wrong of [`${forged}.${tag}`, content, `${content}.`, `${id}A`, 'x', `.${tag}`]) {
      await world.problem(404, 'upload-not-found', 'GET', `/clips/uploads/${wrong}`);
    }
  });

  it('is known to every process with the same secret, and to none with another', async (t) => {
    const { bucket, world, page } = await open(t);
    const { id } = await page.create();
    const at = { client: bucket.client(), bucketUrl: bucket.url };
    const addressOf = () => 'https://site.example';
    assert.equal((await s3Uploads(at).read('ann', id, addressOf)).name, 'My talk.MP4');
    const rotated = s3Uploads({ ...at, secret: 'another' });
    await assert.rejects(rotated.read('ann', id, addressOf), { code: 'upload-not-found' });
    assert.ok(!JSON.stringify(world.log).includes(bucket.secret));
  });

  it('is over after a day, except for removing it', async (t) => {
    let now = Date.parse('2026-01-31T10:00:00Z');
    const { world, page, bucket } = await open(t, { now: () => now });
    const upload = await page.create();
    assert.equal(upload.expires_at, '2026-02-01T10:00:00.000Z');
    now += dayMs + 1;
    const path = `/clips/uploads/${upload.id}`;
    await world.problem(404, 'upload-not-found', 'GET', path);
    await world.problem(404, 'upload-not-found', 'POST', `${path}/parts`, {
      body: { numbers: [1] },
    });
    assert.equal((await world.call('DELETE', path)).status, 204);
    assert.equal(bucket.multiparts.size, 0);
  });
});

describe('a file in a bucket', () => {
  it('has an unguessable key with nothing of its name but the ending', async (t) => {
    const { page, bucket } = await open(t);
    for (const [name, key] of [
      ['../../etc/passwd', /^uploads\/[\da-f-]{36}$/],
      ['a.b/..\\c.mp4?x=<script>', /^uploads\/[\da-f-]{36}$/],
      ['Untertitel.SRT', /^uploads\/[\da-f-]{36}\.srt$/],
    ] as const) {
      bucket.multiparts.clear();
      assert.equal((await page.create(10, name)).name, name);
      assert.match([...bucket.multiparts.values()][0]!.key, key);
    }
  });

  it('is never shown as a page of its origin', async (t) => {
    const { page, bucket } = await open(t);
    await page.create();
    const [headers] = [...bucket.headers.values()];
    assert.deepEqual(
      [headers!['content-type'], headers!['content-disposition']],
      ['application/octet-stream', 'attachment'],
    );
  });

  it('that is too large is refused before a byte is sent', async (t) => {
    const { world, bucket } = await open(t, { maxBytes: 100 });
    const body = { name: 'a', size: 101 };
    const { errors } = await world.problem(413, 'upload-too-large', 'POST', '/clips/uploads', {
      body,
    });
    assert.equal(errors?.[0]?.path, 'size');
    assert.deepEqual(bucket.requests, []);
  });

  it('cannot be checked by a sum, and says so', async (t) => {
    const { world } = await open(t);
    const body = { name: 'a', size: 1, sha256: 'a'.repeat(64) };
    await world.problem(422, 'unprocessable', 'POST', '/clips/uploads', { body });
  });

  it('has only the parts of its size', async (t) => {
    const { world, page } = await open(t);
    const { id } = await page.create();
    for (const numbers of [[4], [0], [], [1.5], Array.from({ length: 101 }, () => 1)]) {
      const body = { numbers };
      await world.problem(400, 'invalid-request', 'POST', `/clips/uploads/${id}/parts`, { body });
    }
  });

  it('of 50 GB has at most 10,000 parts', async (t) => {
    const { page } = await open(t, { maxBytes: 1e12 });
    const { part_size, size } = await page.create(200e9);
    assert.ok(size / part_size! <= 10_000);
  });

  it('that is complete takes no part any more', async (t) => {
    const { page, bucket } = await open(t);
    const upload = await page.create();
    await page.send(upload, threeParts, [1, 2, 3]);
    const [part] = await page.addresses(upload, [1]);
    await page.complete(upload);
    const changed = await fetch(part!.url, { method: 'PUT', body: partOf(threeParts, 2) });
    assert.equal(changed.status, 404);
    assert.ok([...bucket.files.values()][0]!.equals(threeParts));
  });

  it('takes no bytes at the host', async (t) => {
    const { world, page } = await open(t);
    const { id } = await page.create();
    await world.problem(405, 'method-not-allowed', 'PATCH', `/clips/uploads/${id}`, { body: 'x' });
  });
});

describe('a task of a file in a bucket', () => {
  it('is the same request for the service when it is sent again', async (t) => {
    const { world, page } = await open(t);
    const { url } = await page.finished();
    const body = { source_video_url: url };
    const sent = () => world.call('POST', shorts, { key: 'attempt-1', body });
    world.service.order({ method: 'POST', path: /^\/tasks/, how: 'drop' });
    assert.equal((await sent()).status, 503);
    const attempt = (await world.store.attempt('ann', 'attempt-1'))!;
    assert.ok(attempt.request.includes(url) && !attempt.request.includes('X-Amz'));
    await world.store.dropAttempt(attempt);
    assert.equal((await sent()).status, 201);
    const [first, second] = world.service.sent('POST', /^\/tasks/);
    assert.deepEqual(first!.body, second!.body);
  });
});

describe('a bucket that fails', () => {
  for (const [status, code, problem] of [
    [500, 503, 'service-unavailable'],
    [429, 503, 'service-unavailable'],
    [403, 500, 'internal-error'],
  ] as const) {
    it(`with ${status} is told as ${problem}, and why is in the log`, async (t) => {
      const { world, page, bucket } = await open(t);
      const { id } = await page.create();
      const calls = [['POST', '/clips/uploads', { name: 'a', size: 1 }]] as const;
      // A file that may not be looked for is taken for one that is not there.
      const reads = [
        ['GET', `/clips/uploads/${id}`, undefined],
        ['POST', `/clips/uploads/${id}/complete`, {}],
      ] as const;
      for (const [method, path, body] of [...calls, ...(status === 403 ? [] : reads)]) {
        bucket.failNext = status;
        await world.problem(code, problem, method, path, { body });
      }
      const failures = world.log.filter(({ event }) => event === 'failure');
      assert.match(failures[0]!.message, new RegExp(`POST ${status} Ordered`));
      for (const { message } of failures) {
        assert.ok(message.includes(`${status}`) && !message.includes(id), message);
        assert.ok(!message.includes('uploads/'), message);
      }
    });
  }

  it('that cannot be reached is told', async (t) => {
    const { world, bucket } = await open(t);
    await bucket.close();
    await world.problem(503, 'service-unavailable', 'POST', '/clips/uploads', {
      body: { name: 'a', size: 1 },
    });
  });

  it('in the middle of a completion can be asked again', async (t) => {
    const { world, page, bucket } = await open(t);
    const upload = await page.create();
    await page.send(upload, threeParts, [1, 2, 3]);
    bucket.failCompletion = true;
    const path = `/clips/uploads/${upload.id}/complete`;
    await world.problem(500, 'internal-error', 'POST', path, { body: {} });
    const { status } = await world.json<Upload>(200, 'POST', path, { body: {} });
    assert.equal(status, 'finished');
  });
});

describe('the options of a bucket', () => {
  for (const bucketUrl of ['', 'my-bucket', 'ftp://a.example', 'https://a.example/b?c=d']) {
    it(`refuse ${JSON.stringify(bucketUrl)} as an address`, () => {
      const client = { secretAccessKey: 's' } as S3UploadsOptions['client'];
      assert.throws(() => s3Uploads({ client, bucketUrl }), /TypeError: s3Uploads: bucketUrl/);
    });
  }
  for (const prefix of ['', '/a', 'a/', 'a//b', 'a b']) {
    it(`refuse ${JSON.stringify(prefix)} as a prefix`, () => {
      const client = { secretAccessKey: 's' } as S3UploadsOptions['client'];
      assert.throws(() => s3Uploads({ client, bucketUrl: 'https://a.example', prefix }), TypeError);
    });
  }
});
