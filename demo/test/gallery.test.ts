import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import {
  type Export,
  videoToShortsRequestSchema,
  videoToVideoRequestSchema,
} from 'clip-kit/contract';
import type { Hono } from 'hono';
import { entries, type GalleryEntry } from '../gallery/entries.ts';
import { videos } from '../gallery/videos.ts';
import {
  exportOptions,
  fingerprint,
  Gallery,
  requestOf,
  type Made,
} from '../server/gallery/gallery.ts';
import { GalleryFiles } from '../server/gallery/gallery-files.ts';
import { galleryEndpoints, type EntryAnswer } from '../server/gallery/gallery-routes.ts';
import { HostCalls } from '../server/gallery/host-calls.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { processorSeconds } from '../server/gallery/processor-seconds.ts';

let directory: string;
let gallery: Gallery;
let app: Hono;

const entry = (id: string, source: string): GalleryEntry => ({
  id,
  source,
  title: id,
  says: 'What it does.',
  inStep: true,
  task: { type: 'video-to-video', body: { editing_options: {} } },
  exports: [{ label: 'Clip' }],
  stills: { source: 0, clip: 0 },
});

const own = { 'Sec-Fetch-Site': 'same-origin' };

const listed = async (): Promise<EntryAnswer[]> =>
  (await (await app.request('/api/gallery')).json()) as EntryAnswer[];

/**
 * Polls until no entry is waiting or in progress; nothing here takes longer than a refused
 * connection.
 */
const settled = (): Promise<EntryAnswer[]> =>
  waitFor(
    'all entries settled',
    async () => {
      const all = await listed();
      return all.every(({ state }) => ['ready', 'error'].includes(state.status)) && all;
    },
    listed,
  );

before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'demo-gallery-'));
  await mkdir(join(directory, 'videos'));
  await writeFile(join(directory, 'videos/walk.mp4'), '0123456789');
  await writeFile(join(directory, 'secret.mp4'), 'not for anybody');
});

beforeEach(() => {
  // Nothing listens there.
  const calls = new HostCalls('http://127.0.0.1:9/host', String);
  const files = new GalleryFiles(join(directory, 'videos'), directory);
  const sourceUrl = (name: string) => `http://127.0.0.1:4300/gallery-files/${name}.mp4`;
  const watermarkUrl = () => 'http://127.0.0.1:4300/watermark.png';
  gallery = new Gallery({
    calls,
    files,
    directory,
    sourceUrl,
    watermarkUrl,
    pause: 1,
    entries: [entry('unknown', 'no-such-video'), entry('other', 'neither')],
    durationOf: () => Promise.resolve(1),
  });
  app = galleryEndpoints({ gallery, files, sourceUrl, watermarkUrl });
});

after(() => rm(directory, { recursive: true, force: true }));

describe('what the gallery asks for', () => {
  for (const one of entries) {
    test(`${one.id}: requests that keep the specification, of a source that there is`, () => {
      const schema =
        one.task.type === 'video-to-video' ? videoToVideoRequestSchema : videoToShortsRequestSchema;
      const parsed = schema.safeParse(requestOf(one, 'http://127.0.0.1/a.mp4'));
      assert.ok(parsed.success, JSON.stringify(parsed.error?.issues));
      assert.ok(one.source === 'sample' || Object.hasOwn(videos, one.source));
    });
  }

  test('each has an id of its own, and an export at least', () => {
    assert.equal(new Set(entries.map(({ id }) => id)).size, entries.length);
    assert.ok(entries.every(({ exports }) => exports.length > 0));
  });

  test('an export carries a style or a watermark where it is said, else nothing', () => {
    assert.deepEqual(exportOptions({ label: 'A' }, 'http://w'), {});
    assert.deepEqual(exportOptions({ label: 'A', preset_id: 'card' }, 'http://w'), {
      preset_id: 'card',
    });
    assert.equal(
      JSON.stringify(exportOptions({ label: 'A', watermark: true }, 'http://w')).includes(
        '"src_url":"http://w"',
      ),
      true,
    );
  });
});

describe('the gallery', () => {
  test('waits until it is asked for', async () => {
    const all = await listed();
    assert.deepEqual(
      all.map(({ state, clips }) => [state.status, clips.length]),
      [
        ['waiting', 0],
        ['waiting', 0],
      ],
    );
  });

  test('one that fails says why, and the next one has its turn', async () => {
    assert.equal((await app.request('/api/gallery', { method: 'POST', headers: own })).status, 202);
    const all = await settled();
    assert.deepEqual(
      all.map(({ state }) => state),
      ['no-such-video', 'neither'].map((name) => ({
        status: 'error',
        message: `The gallery has no video called “${name}”.`,
      })),
    );
  });

  test('what has failed is tried again where it is named, and not otherwise', async () => {
    gallery.start();
    await settled();
    gallery.start();
    assert.equal(gallery.state('unknown').status, 'error');
    gallery.start('unknown');
    assert.notEqual(gallery.state('unknown').status, 'error');
    assert.equal(gallery.state('other').status, 'error');
    assert.equal((await settled())[0]?.state.status, 'error');
  });

  test('is begun by a page of this site alone', async () => {
    for (const headers of [{}, { 'Sec-Fetch-Site': 'cross-site' }] as Record<string, string>[]) {
      assert.equal((await app.request('/api/gallery', { method: 'POST', headers })).status, 403);
    }
    assert.equal(gallery.state('unknown').status, 'waiting');
  });
});

test('the files of all entries are asked for by one call, however many entries there are', async () => {
  const many = Array.from({ length: 20 }, (_, index) => entry(`one-${index}`, 'walk'));
  const kept: Record<string, Made> = Object.fromEntries(
    many.map((one) => [
      one.id,
      {
        request: fingerprint(one),
        clip: { id: 'clip', name: one.id, score: null, explanation: null },
        exports: [{ label: 'Clip', id: `export-${one.id}`, duration: 1 }],
        sourceDuration: 1,
        took: 1,
        processor: null,
      },
    ]),
  );
  const own = await mkdtemp(join(tmpdir(), 'demo-gallery-kept-'));
  await writeFile(join(own, 'gallery.json'), JSON.stringify(kept));
  const asked: (readonly string[])[] = [];
  const calls = new HostCalls('http://127.0.0.1:9/host', String);
  calls.readExports = (ids) => {
    asked.push(ids);
    // The last one was removed at the service.
    return Promise.resolve(
      ids.slice(0, -1).map((id) => ({ id, src_url: `http://localhost/${id}` }) as Export),
    );
  };
  const ready = await new Gallery({
    calls,
    files: new GalleryFiles(own, own),
    directory: own,
    sourceUrl: String,
    watermarkUrl: String,
    entries: many,
    durationOf: () => Promise.resolve(1),
  }).read(many);
  assert.equal(asked.length, 1);
  assert.equal(ready.size, 19);
  assert.deepEqual(ready.get('one-3')?.urls, ['http://localhost/export-one-3']);
  await rm(own, { recursive: true });
});

describe('files of the gallery', () => {
  const get = (name: string, headers: Record<string, string> = {}) =>
    app.request(`/gallery-files/${name}`, { headers });

  test('come whole, or the range that a player asks for', async () => {
    const whole = await get('walk.mp4');
    assert.equal(whole.headers.get('Content-Type'), 'video/mp4');
    assert.equal(await whole.text(), '0123456789');
    const part = await get('walk.mp4', { Range: 'bytes=2-4' });
    assert.equal(part.status, 206);
    assert.equal(part.headers.get('Content-Range'), 'bytes 2-4/10');
    assert.equal(await part.text(), '234');
    assert.equal((await get('walk.mp4', { Range: 'bytes=99-' })).status, 416);
  });

  for (const name of ['secret.mp4', '..%2Fsecret.mp4', 'talk.mp4', 'walk.json', 'gallery.json']) {
    test(`${name} is not one of them`, async () => {
      assert.equal((await get(name)).status, 404);
    });
  }
});

test(
  'processor time only grows, and counts what is spent',
  { skip: process.platform !== 'linux' },
  async () => {
    const first = await processorSeconds();
    const { user } = process.cpuUsage();
    while (process.cpuUsage().user - user < 50_000);
    const second = await processorSeconds();
    assert.ok(second! - first! >= 0.04, `${first} to ${second}`);
  },
);
