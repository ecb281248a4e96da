import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Export, Project } from 'clip-kit/contract';
import { waitFor } from 'clip-testkit/wait-for';
import { keptFootage } from 'clip-testkit/footage';
import { hangingPatch, makeUpload, offsetOf, patch, patchStream } from '../support/uploads.ts';
import { assertProblem, World } from 'clip-testkit/world';

/**
 * A file system of its own, whose size can be changed; null where this may not be made (it takes
 * root, on Linux).
 */
function mounted(directory: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2g', 'tmpfs', directory], {
      stdio: 'ignore',
    });
    return true;
  } catch {
    return false;
  }
}

const megabyte = 1024 ** 2;

describe('a disk that is really full', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'clip-full-'));
  const disk = join(directory, 'disk');
  await mkdir(disk);
  const skip = !mounted(disk) && 'no file system can be mounted here';
  let world: World;
  let project: Project;
  let scene: Buffer;

  const resize = (bytes: number) =>
    execFileSync('mount', ['-o', `remount,size=${Math.ceil(bytes / 1024)}k`, disk]);
  /** Leaves `bytes` of room; tries again if more was written meanwhile. */
  const leave = async (bytes: number, attempts = 20): Promise<void> => {
    const { blocks, bfree, bsize } = await statfs(disk);
    try {
      resize((blocks - bfree) * bsize + bytes);
    } catch (error) {
      if (attempts === 1) throw error;
      await leave(bytes, attempts - 1);
    }
  };
  const roomy = () => resize(2 * 1024 ** 3);
  const exported = async (): Promise<Export> => {
    const { status, body } = await world.post(`/projects/${project.id}/exports`);
    assert.equal(status, 201, JSON.stringify(body));
    return world.finishExport({ ...body, project_id: project.id });
  };
  const ready = async () => (await fetch(`${world.service.url}/readyz`)).status;
  const kept = (path: string) => readdir(join(disk, 'data', path)).catch(() => []);

  before(async () => {
    if (skip) return;
    scene = await readFile(join(await keptFootage(), 'scene.mp4'));
    world = await World.start({ dataDir: join(disk, 'data') });
    project = await world.makeWhole(undefined, { dimensions: { width: 360, height: 640 } });
  });
  after(async () => {
    await world?.close();
    if (!skip) execFileSync('umount', ['-l', disk]);
    await rm(directory, { recursive: true, force: true });
  });

  it('refuses a source with 503 and the reason, and leaves nothing', { skip }, async () => {
    await leave(300_000);
    const answer = await world.post('/tasks/video-to-video', world.whole());
    assertProblem(answer, 503, 'service-unavailable');
    assert.equal(answer.body.reason, 'disk-full');
    assert.match(answer.body.detail, /disk of the service is full/);
    assert.deepEqual(await kept('work'), []);
    assert.equal((await kept('files/sources')).length, 1, 'that of the project');
    roomy();
    await waitFor('it is ready again', async () => (await ready()) === 200 || null);
  });

  it('lets exports wait, not fail, and is not ready meanwhile', { skip }, async () => {
    // Enough for the rows, and less than a clip takes.
    await leave(250_000);
    const started = await Promise.all(
      [1, 2, 3].map(() => world.post(`/projects/${project.id}/exports`)),
    );
    for (const { status, body } of started) assert.equal(status, 201, JSON.stringify(body));
    await waitFor('it is not ready', async () => (await ready()) === 503 || null);
    for (const { body } of started) {
      const { body: now } = await world.get(`/projects/${project.id}/exports/${body.id}`);
      assert.equal(now.status, 'processing', JSON.stringify(now));
      assert.deepEqual(await kept(`files/exports/${body.id}`), []);
    }
    assert.ok(
      world.log.some(({ event, code }) => event === 'no-jobs-taken' && code === 'disk-full'),
    );
    roomy();
    for (const { body } of started) {
      const made = await world.finishExport({ ...body, project_id: project.id });
      assert.equal(made.status, 'ready', JSON.stringify(made.failure));
    }
    assert.equal(await ready(), 200);
  });

  it(
    'refuses an upload with 507 and the reason, before and in its midst, and keeps nothing of it',
    {
      skip,
    },
    async () => {
      const bytes = Buffer.concat([scene.subarray(0, 4096), Buffer.alloc(100 * megabyte)]);
      const asked = { name: 'scene.mp4', size: bytes.length };
      const of = (id: string): string => `files/uploads/${id}`;
      await leave(520 * megabyte);
      const refused = await world.post('/uploads', asked);
      assertProblem(refused, 507, 'no-room');
      assert.match(refused.body.detail, /no room for this file: 105 MB are still to come, and/);
      roomy();
      const upload = await makeUpload(world, asked);
      const half = hangingPatch(upload.url, 0, bytes.subarray(0, 20 * megabyte));
      await waitFor('a part of it', async () => (await kept('files/uploads')).length > 0);
      await half.end();
      const offset = await offsetOf(upload.url);
      await leave(520 * megabyte);
      const full = await patch(upload.url, offset, bytes.subarray(offset));
      assertProblem(full, 507, 'no-room');
      roomy();
      const late = await makeUpload(world, asked);
      const body = new ReadableStream<Uint8Array>({
        async start(controller) {
          controller.enqueue(bytes.subarray(0, megabyte));
          await waitFor('its first bytes', async () => (await kept(of(late.id))).length > 0);
          await leave(300_000);
          controller.enqueue(bytes.subarray(megabyte));
          controller.close();
        },
      });
      // The answer comes while the client still sends: not each client reads it.
      const broken = await patchStream(late.url, body).catch(() => null);
      if (broken) assert.equal(broken.status, 507);
      await waitFor('nothing of it', async () => (await kept(of(late.id))).length === 0);
      roomy();
      assert.equal(await offsetOf(late.url), 0);
      await waitFor('it is ready again', async () => (await ready()) === 200 || null);
      for (const { id } of [upload, late]) await world.call('DELETE', `/uploads/${id}`);
    },
  );

  it('answers 503 if the database finds no room, and continues later', { skip }, async () => {
    await leave(0);
    let answer = await world.post('/users');
    // There is room in the pages that it has already.
    for (let tries = 0; tries < 1000 && answer.status === 201; tries += 1) {
      // Files of the tests before may still be on their way out: they leave room.
      if (tries % 50 === 49) await leave(0);
      answer = await world.post('/users');
    }
    assertProblem(answer, 503, 'service-unavailable');
    assert.equal(answer.body.reason, 'disk-full');
    roomy();
    assert.equal((await world.post('/users')).status, 201);
    const made = await exported();
    assert.equal(made.status, 'ready', JSON.stringify(made.failure));
  });
});
