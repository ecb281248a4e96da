import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { exportSchema, taskSchema, type Export, type Task } from 'clip-kit/contract';
import { freePort } from '../../../../tools/free-port.ts';
import { waitFor } from 'clip-testkit/wait-for';
import { openDatabase } from '../../src/db/open.ts';
import { lockDataDirectory } from '../../src/storage/data-lock.ts';
import {
  processesWith,
  refusedStart,
  startChild,
  type ChildService,
} from '../support/child-service.ts';
import { makeFootage } from 'clip-testkit/footage';
import { heldPrograms, type HeldPrograms } from 'clip-testkit/held-programs';
import { settled } from 'clip-testkit/settled';
import { startSourceServer, type SourceServer } from 'clip-testkit/source-server';
import { eventually } from 'clip-testkit/world';

// One story, step by step, on one data directory: each step begins with what the step before left.
// Every start of the service is a process with a database, so the steps share them.
describe('the service as a process', () => {
  let directory: string;
  let dataDir: string;
  let sources: SourceServer;
  let programs: HeldPrograms;
  let service: ChildService;
  let key: string;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'clip-recovery-'));
    dataDir = join(directory, 'data');
    await mkdir(join(directory, 'footage'));
    await makeFootage(join(directory, 'footage'));
    sources = await startSourceServer(join(directory, 'footage'));
    programs = await heldPrograms(join(directory, 'programs'));
  });
  after(async () => {
    service?.process.kill('SIGKILL');
    await sources?.close();
    await rm(directory, { recursive: true, force: true });
  });

  const start = async (more: Record<string, string> = {}): Promise<ChildService> =>
    (service = await startChild({
      DATA_DIR: dataDir,
      PATH: programs.path,
      CLIP_ALLOW_PRIVATE_SOURCES: '1',
      ...more,
    }));
  /** The next render stands still until its process is killed: it cannot end before that. */
  const holdRender = () => programs.pause('render', '-b:a 160k');
  const renderHeld = () => programs.reached('render');
  const call = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${service.url}/v2${path}`, {
      method,
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() };
  };
  const until = <T extends Task | Export>(
    path: string,
    schema: { parse(body: unknown): T },
    holds: (body: T) => boolean,
  ): Promise<T> =>
    settled(
      path,
      async () => {
        const { status, body } = await call('GET', path);
        assert.equal(status, 200);
        return schema.parse(body);
      },
      holds,
    );
  const finished = (body: Task | Export): boolean => body.status !== 'processing';
  const ended = (exported: string): Promise<Export> => until(exported, exportSchema, finished);
  const endedTask = (id: string): Promise<Task> => until(`/tasks/${id}`, taskSchema, finished);
  const rendering = (exported: string): Promise<Export> =>
    until(exported, exportSchema, ({ progress }) => progress?.stage === 'render');
  const videoTask = (name: string) => ({
    source_video_url: sources.at(name),
    editing_options: {},
    // Of another size than the source, which is not copied then.
    dimensions: { width: 320, height: 180 },
  });
  const startExport = async (project: string): Promise<string> => {
    const { status, body } = await call('POST', `/projects/${project}/exports`, {});
    assert.equal(status, 201);
    return `/projects/${project}/exports/${body.id}`;
  };

  let project: string;
  let running: string;

  it('makes a key at its first start, in a file of its owner and in no line of the log', async () => {
    await start();
    assert.match(service.apiKey ?? '', /^ck_[A-Za-z0-9_-]{43}$/);
    key = service.apiKey ?? '';
    assert.equal((await stat(join(dataDir, 'api-key'))).mode & 0o777, 0o600);
    // Every line of the output is an entry: `log` reads them all.
    assert.ok(service.log().some(({ event, url }) => event === 'started' && url === service.url));
    assert.ok(!JSON.stringify(service.log()).includes(key));
    assert.equal((await call('GET', '/exports')).status, 200);
  });

  it('refuses a second process on its data directory', async () => {
    const { code, said } = await refusedStart({ DATA_DIR: dataDir });
    assert.equal(code, 1);
    assert.match(said, new RegExp(`in use by process ${service.process.pid}`));
    assert.match(said, /DATA_DIR/);
    assert.equal((await call('GET', '/exports')).status, 200, 'the first goes on');
  });

  it('says what is wrong with its environment, and with a port that is in use', async () => {
    const wrong = await refusedStart({ DATA_DIR: dataDir, PORT: 'http' });
    assert.equal(wrong.code, 1);
    assert.match(wrong.said, /^PORT must be/);
    const other = join(directory, 'other');
    const taken = await refusedStart({ DATA_DIR: other, PORT: new URL(service.url).port });
    assert.equal(taken.code, 1);
    assert.match(taken.said, /Port \d+ is taken/);
    const elsewhere = await refusedStart({ DATA_DIR: other, HOST: '192.0.2.1' });
    assert.equal(elsewhere.code, 1);
    assert.match(elsewhere.said, /^192\.0\.2\.1 is not an address of this machine\. Set HOST/);
    lockDataDirectory(other)();
  });

  it('says in one sentence which server it cannot reach, without its password or key', async () => {
    const nobody = `127.0.0.1:${await freePort()}`;
    const database = { DATABASE_URL: `postgres://clips:not-told@${nobody}/clips` };
    const noDatabase = await refusedStart({ DATA_DIR: join(directory, 'none'), ...database });
    assert.equal(noDatabase.code, 1);
    assert.match(noDatabase.said, /^The database cannot be reached: .*\. Start it, or .*\.$/);
    const noStore = await refusedStart({
      DATA_DIR: join(directory, 'without-store'),
      STORAGE: 's3',
      S3_ENDPOINT: `http://${nobody}`,
      S3_BUCKET: 'clips',
      S3_ACCESS_KEY_ID: 'clips',
      S3_SECRET_ACCESS_KEY: 'not-told',
    });
    assert.equal(noStore.code, 1);
    assert.match(
      noStore.said,
      /^The object storage does not answer\. Start it, or check S3_ENDPOINT\.$/,
    );
    for (const { said } of [noDatabase, noStore]) assert.ok(!said.includes('not-told'), said);
  });

  it('continues after a kill -9 with what it was working on', async () => {
    const made = await call('POST', '/tasks/video-to-video', videoTask('talk.mp4'));
    assert.equal(made.status, 201, JSON.stringify(made.body));
    project = made.body.output_id;
    assert.equal((await endedTask(made.body.id)).status, 'ready');
    await holdRender();
    const exported = await startExport(project);
    const task = await call('POST', '/tasks/video-to-video', videoTask('scene.mp4'));
    assert.equal(task.status, 201);
    await renderHeld();
    await service.end('SIGKILL');
    await waitFor(
      'no ffmpeg outlives the service',
      () => processesWith(dataDir).length === 0,
      () => processesWith(dataDir),
    );

    await start();
    assert.equal(service.apiKey, null, 'the key is made once');
    const ready = await ended(exported);
    assert.equal(ready.status, 'ready', JSON.stringify(ready.failure));
    // The address of a file is told by PUBLIC_URL, which is another port now.
    assert.ok(ready.src_url);
    assert.ok(ready.src_url.startsWith(service.url));
    assert.equal((await fetch(ready.src_url, { method: 'HEAD' })).status, 200);
    const done = await endedTask(task.body.id);
    assert.equal(done.status, 'ready', JSON.stringify(done.failure));
    // Unfinished files go after the row is ready.
    await eventually(async () => assert.deepEqual(await readdir(join(dataDir, 'work')), []));
  });

  it('stops on SIGTERM in the middle of a render, and leaves no process and no lock', async () => {
    running = await startExport(project);
    await rendering(running);
    assert.equal(await service.end('SIGTERM'), 0);
    assert.deepEqual(processesWith(dataDir), []);
    lockDataDirectory(dataDir)();
    assert.deepEqual(await readdir(join(dataDir, 'work')), []);
    const { db, close } = await openDatabase({ dataDir });
    const id = running.split('/').at(-1)!;
    const row = await db.selectFrom('exports').selectAll().where('id', '=', id).executeTakeFirst();
    // For the last step: as if two attempts had ended the process.
    const attempts = row!.attempts + 2;
    await db.updateTable('exports').set({ attempts }).where('id', '=', id).execute();
    await close();
    const { status, stage } = row!;
    assert.deepEqual([status, stage], ['processing', 'queued'], 'put back, not finished');
  });

  it('refuses files that do not belong to its database, and says why', async () => {
    const [files, away] = [join(dataDir, 'files'), join(directory, 'files-away')];
    await rename(files, away);
    const { code, said } = await refusedStart({ DATA_DIR: dataDir });
    assert.equal(code, 1);
    assert.match(said, /^The files in .* are not those of this database: they have no id/);
    assert.match(said, /finished exports would be missing[\s\S]*DATA_DIR/);
    lockDataDirectory(dataDir)();
    await rm(files, { recursive: true, force: true });
    await rename(away, files);
  });

  it('fetches nothing from private addresses unless it is allowed to', async () => {
    await holdRender();
    await start({ CLIP_ALLOW_PRIVATE_SOURCES: '0' });
    const asked = sources.requests.length;
    const answer = await call('POST', '/tasks/video-to-video', videoTask('scene.mp4'));
    assert.equal(answer.status, 422);
    assert.equal(answer.body.reason, 'source-private-address');
    const watermark = { src_url: sources.at('logo.png') };
    const marked = await call('POST', `/projects/${project}/exports`, { watermark });
    assert.equal(marked.status, 422);
    assert.equal(marked.body.reason, 'watermark-private-address');
    assert.equal(sources.requests.length, asked);
  });

  it('gives up an export that has ended the process three times', async () => {
    await renderHeld();
    await service.end('SIGKILL');
    await start();
    const failed = await ended(running);
    assert.equal(failed.status, 'error');
    assert.equal(failed.failure?.code, 'interrupted');
    assert.equal(failed.src_url, null);
    assert.equal(await service.end('SIGINT'), 0);
  });
});
