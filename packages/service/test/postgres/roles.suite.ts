import assert from 'node:assert/strict';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { temporaryDirectory } from 'clip-testkit/media-footage';
import { startChild, type ChildService } from '../support/child-service.ts';
import { makeFootage } from 'clip-testkit/footage';
import { startSourceServer, type SourceServer } from 'clip-testkit/source-server';
import { testDatabase } from '../support/test-database.ts';
import { eventually } from 'clip-testkit/world';

const key = 'key-of-the-test-of-roles';

/** The local addresses (hexadecimal) that a process listens on. */
function listening(pid: number): string[] {
  const sockets = new Set(
    readdirSync(`/proc/${pid}/fd`).map((fd) => {
      try {
        return /socket:\[(\d+)\]/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1];
      } catch {
        return undefined;
      }
    }),
  );
  return ['tcp', 'tcp6'].flatMap((family) =>
    readFileSync(`/proc/${pid}/net/${family}`, 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter((fields) => fields[3] === '0A' && sockets.has(fields[9]))
      .map((fields) => fields[1] ?? ''),
  );
}

// One of each on a database and a shared disk. The API has no programs on its path.
describe('an API and a worker', async () => {
  const directory = await temporaryDirectory();
  let database: Awaited<ReturnType<typeof testDatabase>>;
  let sql: pg.Client;
  let sources: SourceServer;
  let api: ChildService;
  let worker: ChildService;
  let shared: Record<string, string>;

  const call = async (
    method: string,
    path: string,
    body?: object,
    { signal, attempt }: { signal?: AbortSignal; attempt?: string } = {},
  ) => {
    const answer = await fetch(`${api.url}/v2${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${key}`,
        'Content-Type': 'application/json',
        Prefer: 'wait=25',
        ...(attempt && { 'Idempotency-Key': attempt }),
      },
      ...(body && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
    return { status: answer.status, body: await answer.json() };
  };
  const whole = (name: string) => ({
    source_video_url: sources.at(name),
    editing_options: {},
    dimensions: { width: 96, height: 54 },
  });
  const settled = async (path: string) => {
    for (;;) {
      const { body } = await call('GET', path);
      if (body.status !== 'processing') return body;
    }
  };
  const count = async (table: string): Promise<number> =>
    (await sql.query(`select count(*)::int as n from ${table}`)).rows[0].n;

  before(async () => {
    const footage = join(directory.path, 'footage');
    await mkdir(footage);
    database = await testDatabase();
    sql = new pg.Client(database.url);
    await Promise.all([sql.connect(), makeFootage(footage)]);
    sources = await startSourceServer(footage);
    shared = {
      DATA_DIR: join(directory.path, 'data'),
      DATABASE_URL: database.url,
      CLIP_ALLOW_PRIVATE_SOURCES: '1',
    };
    const noPrograms = join(directory.path, 'empty');
    api = await startChild({ ...shared, ROLE: 'api', PATH: noPrograms, CLIP_API_KEY: key });
    worker = await startChild({ ...shared, ROLE: 'worker' });
  });
  after(async () => {
    for (const child of [api, worker]) if (child) await child.end('SIGTERM');
    await sql.end();
    await sources.close();
    await database.close();
    await directory.remove();
  });

  it('make a clip together: the API starts no program, the worker opens no port', async () => {
    const created = await call('POST', '/tasks/video-to-video', whole('scene.mp4'));
    assert.equal(created.status, 201, JSON.stringify(created.body));
    const { rows } = await sql.query('select source from tasks where id = $1', [created.body.id]);
    assert.ok(rows[0].source, 'the answer waits until a worker has the source');
    const task = await settled(`/tasks/${created.body.id}`);
    assert.equal(task.status, 'ready', JSON.stringify(task.failure));
    const exported = await call('POST', `/projects/${task.output_id}/exports`);
    assert.equal(exported.status, 201, JSON.stringify(exported.body));
    const done = await settled(`/projects/${task.output_id}/exports/${exported.body.id}`);
    assert.equal(done.status, 'ready', JSON.stringify(done.failure));
    const clip = await fetch(done.src_url);
    assert.equal(clip.headers.get('content-type'), 'video/mp4');
    await clip.body?.cancel();
    assert.deepEqual(listening(worker.process.pid!), []);
    assert.equal(listening(api.process.pid!).length, 1);
    const events = (child: ChildService) => new Set(child.log().map(({ event }) => event));
    // Lines are written together, a moment later.
    await eventually(() => {
      assert.ok(events(worker).has('export-ready') && events(api).has('request'));
    });
    assert.ok(!events(worker).has('request') && !events(api).has('export-ready'));
  });

  it('refuse a bad source while the client waits, and keep nothing of it', async () => {
    const before = [await count('tasks'), await count('folders')];
    for (const [name, reason] of [
      ['page.mp4', 'source-not-video'],
      ['gone.mp4', 'source-unreachable'],
    ] as const) {
      const refused = await call('POST', '/tasks/video-to-shorts', {
        source_video_url: sources.at(name),
      });
      assert.equal(refused.status, 422, JSON.stringify(refused.body));
      assert.equal(refused.body.reason, reason);
      assert.equal(refused.body.errors[0].path, 'source_video_url');
    }
    assert.deepEqual([await count('tasks'), await count('folders')], before);
  });

  it('free the key of a request whose source is refused, also for calls at the same time', async () => {
    const attempt = 'key-of-a-bad-source';
    const bad = { source_video_url: sources.at('page.mp4') };
    const before = await count('tasks');
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => call('POST', '/tasks/video-to-shorts', bad, { attempt })),
    );
    answers.push(await call('POST', '/tasks/video-to-shorts', bad, { attempt }));
    for (const { status, body } of answers) {
      assert.deepEqual([status, body.reason], [422, 'source-not-video'], JSON.stringify(body));
    }
    assert.equal(await count('tasks'), before);
    const good = await call('POST', '/tasks/video-to-video', whole('scene.mp4'), { attempt });
    assert.equal(good.status, 201, 'nothing was made by it');
  });

  it('keep nothing for a client that goes away before the source is here', async () => {
    const before = await count('tasks');
    const kept = await readdir(join(directory.path, 'data/files/sources'));
    const asked = sources.asked('held/talk.mp4');
    const gone = new AbortController();
    const request = call('POST', '/tasks/video-to-video', whole('held/talk.mp4'), {
      signal: gone.signal,
    });
    await asked;
    gone.abort(new Error('gone'));
    await assert.rejects(request, /gone/);
    await eventually(async () => assert.equal(await count('tasks'), before));
    sources.release('held/talk.mp4');
    await eventually(async () => {
      assert.deepEqual(await readdir(join(directory.path, 'data/files/sources')), kept);
      assert.deepEqual(await readdir(join(directory.path, 'data/work')), []);
    });
  });

  it('of which an API stays open for its load balancer, and no longer than a second signal', async () => {
    const draining = await startChild({ ...shared, ROLE: 'api', DRAIN_SECONDS: '3000' });
    const ended = draining.end('SIGTERM');
    await eventually(async () => {
      const answer = await fetch(`${draining.url}/readyz`);
      assert.equal(answer.status, 503);
      assert.equal((await answer.json()).reason, 'stopping');
    });
    draining.process.kill('SIGINT');
    assert.equal(await ended, 0);
  });
});
