import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Project } from 'clip-kit/contract';
import type { Browser } from 'puppeteer-core';
import type { S3Config } from '../../src/config/config.ts';
import { startService } from '../../src/service.ts';
import { DataDirectoryInUse } from '../../src/storage/data-lock.ts';
import { StorageMismatch } from '../../src/storage/open.ts';
import { Bucket } from '../../src/storage/s3/bucket.ts';
import { launchBrowser, openPage, playUntilFramesAdvance } from 'clip-testkit/browser';
import { keptFootage } from 'clip-testkit/footage';
import { newBucket } from '../support/s3-server.ts';
import { cuttingProxy, makeUpload, offsetOf, patch, sendFile } from '../support/uploads.ts';
import { eventually, World } from 'clip-testkit/world';

/** Swift's own address of a container, which serves it to everyone if its ACL says so. */
const openAddress = ({ endpoint, bucket }: S3Config): string =>
  `${endpoint}/v1/AUTH_test/${bucket}`;

const makeOpen = (s3: S3Config): Promise<Response> =>
  new Bucket(s3).call('PUT', '', { headers: { 'x-amz-acl': 'public-read' }, accept: [409] });

/** Another name of the same host, as browsers may know it by another one than the service. */
const otherHost = (endpoint: string): string => endpoint.replace('127.0.0.1', 'localhost');

describe('the service with its files in a bucket', () => {
  let browser: Browser;
  before(async () => {
    browser = await launchBrowser();
  });
  after(() => browser.close());

  /** The `src_url` of an export. */
  async function exported(world: World, clip: Project): Promise<string> {
    const started = await world.post(`/projects/${clip.id}/exports`);
    assert.equal(started.status, 201, JSON.stringify(started.body));
    const done = await world.finishExport(started.body);
    assert.equal(done.status, 'ready', JSON.stringify(done.failure));
    assert.ok(done.src_url);
    return done.src_url;
  }

  /** The addresses that the player page's video really comes from. */
  async function played(world: World, id: string): Promise<string[]> {
    const { page, problems, close } = await openPage(browser);
    try {
      const media: string[] = [];
      page.on('response', (response) => {
        if (response.request().resourceType() === 'media') media.push(response.url());
      });
      await page.goto(`${world.service.url}/player/${id}`);
      await playUntilFramesAdvance(page);
      assert.deepEqual(problems, []);
      return media;
    } finally {
      await close();
    }
  }

  async function range(url: string): Promise<[number, string | null, number]> {
    const answer = await fetch(url, { headers: { Range: 'bytes=4-7' } });
    const text = await answer.text();
    return [answer.status, answer.headers.get('content-type'), text === 'ftyp' ? 4 : -1];
  }

  it('makes clips, and sends them itself, with ranges', async () => {
    const s3 = await newBucket();
    const world = await World.start({ s3 });
    try {
      const clip = await world.makeWhole();
      const url = await exported(world, clip);
      assert.ok(url.startsWith(`${world.service.url}/files/exports/`));
      assert.deepEqual(await range(url), [206, 'video/mp4', 4]);
      const urls = await played(world, clip.id);
      assert.ok(urls.every((one) => one.startsWith(world.service.url)));
      const download = await world.get(`/projects/${clip.id}/download`);
      assert.equal(download.status, 200);
      assert.deepEqual(await world.kept('files'), [], 'nothing is stored on the disk');
      await eventually(async () => assert.deepEqual(await world.kept('work'), []));
      const cached = await world.kept('cache');
      assert.deepEqual(cached, ['segments', 'sources'], 'only what is read again is kept');
    } finally {
      await world.close();
    }
  });

  it('takes uploads in parts, over a connection that is cut, and keeps nothing of them', async () => {
    const s3 = await newBucket();
    const world = await World.start({ s3 });
    const stored = async (): Promise<string[]> => {
      const list = await new Bucket(s3).call('GET', '', { query: { prefix: 'uploads/' } });
      return [...(await list.text()).matchAll(/<Key>([^<]*)/g)].map(([, key = '']) => key);
    };
    try {
      const scene = await readFile(join(await keptFootage(), 'scene.mp4'));
      const bytes = Buffer.concat([scene, randomBytes(20 * 1024 ** 2)]);
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      const asked = { name: 'scene.mp4', size: bytes.length };
      const upload = await makeUpload(world, { ...asked, sha256 });
      const proxy = await cuttingProxy(upload.url, 3 * 1024 ** 2);
      await sendFile(proxy.url, bytes);
      assert.ok(proxy.cuts() > 4, String(proxy.cuts()));
      proxy.close();
      assert.equal((await stored()).length, 1, 'the file, and no rest of a connection');
      const begun = await makeUpload(world, asked);
      assert.equal((await patch(begun.url, 0, bytes.subarray(0, 10_000_000))).status, 204);
      assert.equal(await offsetOf(begun.url), 10_000_000);
      assert.equal((await world.call('DELETE', `/uploads/${begun.id}`)).status, 204);
      const body = world.whole({ source_video_url: upload.url });
      const created = await world.post('/tasks/video-to-video', body);
      assert.equal(created.status, 201, JSON.stringify(created.body));
      const task = await world.finishTask(created.body.id);
      assert.equal(task.status, 'ready', JSON.stringify(task.failure));
      assert.deepEqual(await world.kept('files'), [], 'nothing is stored on the disk');
      await world.call('DELETE', `/tasks/${task.id}`);
      await eventually(async () => assert.deepEqual(await stored(), []));
      const open = await new Bucket(s3).call('GET', '', { query: { uploads: '' } });
      assert.doesNotMatch(await open.text(), /<Upload>/);
      await eventually(async () => assert.deepEqual(await world.kept('work'), []));
    } finally {
      await world.close();
    }
  });

  it('refuses another bucket, and a data directory that another process uses', async () => {
    const s3 = await newBucket();
    const world = await World.start({ s3 });
    const dataDir = join(world.directory, 'data');
    const config = { port: 0, dataDir, allowPrivateSources: true, faces: 'off' } as const;
    await assert.rejects(startService({ ...config, s3 }), DataDirectoryInUse);
    await world.service.close();
    const other = await newBucket();
    await assert.rejects(startService({ ...config, s3: other }), (error: Error) => {
      assert.ok(error instanceof StorageMismatch);
      assert.match(error.message, new RegExp(`^The files in the bucket ${other.bucket} at http`));
      return true;
    });
    const again = await startService({ ...config, s3 });
    await again.close();
    await world.close();
  });

  it('gives addresses in a bucket that everyone can read', async () => {
    const s3 = await newBucket();
    await makeOpen(s3);
    const world = await World.start({ s3: { ...s3, publicUrl: openAddress(s3) } });
    try {
      const clip = await world.makeWhole();
      const url = await exported(world, clip);
      assert.ok(url.startsWith(`${openAddress(s3)}/exports/`));
      assert.deepEqual(await range(url), [206, 'video/mp4', 4]);
      const urls = await played(world, clip.id);
      assert.ok(urls.length > 0 && urls.every((one) => one.startsWith(openAddress(s3))));
    } finally {
      await world.close();
    }
  });

  it('leads to signed addresses of a closed bucket, by the host that browsers know', async () => {
    const s3 = await newBucket();
    const publicUrl = `${otherHost(s3.endpoint)}/${s3.bucket}`;
    const world = await World.start({ s3: { ...s3, publicUrl, publicAccess: 'signed' } });
    try {
      const clip = await world.makeWhole();
      const url = await exported(world, clip);
      assert.ok(url.startsWith(`${world.service.url}/files/exports/`), 'this one stays valid');
      const answer = await fetch(url, { redirect: 'manual' });
      assert.equal(answer.status, 307);
      assert.equal(answer.headers.get('cache-control'), 'no-store');
      const signed = answer.headers.get('location') ?? '';
      assert.ok(signed.startsWith(`${publicUrl}/exports/`));
      assert.doesNotMatch(signed, new RegExp(s3.secretAccessKey));
      assert.deepEqual(await range(url), [206, 'video/mp4', 4]);
      assert.equal(
        (await fetch(signed.replace(/.$/, (last) => (last === '0' ? '1' : '0')))).status,
        403,
      );
      assert.equal((await fetch(signed.split('?')[0]!)).ok, false);
      assert.equal((await fetch(url, { method: 'HEAD' })).status, 200);
      const urls = await played(world, clip.id);
      assert.ok(urls.some((one) => one.startsWith(publicUrl)));
    } finally {
      await world.close();
    }
  });
});
