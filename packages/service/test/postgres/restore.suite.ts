import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { type Export, exportSchema, type Project } from 'clip-kit/contract';
import { openDatabase, type OpenDatabase } from '../../src/db/open.ts';
import { drain } from '../../src/operations/commands/run.ts';
import { findOrphans } from '../../src/operations/garbage-collection.ts';
import { createDiskStorage } from '../../src/storage/disk.ts';
import { listPlans } from '../../src/users/queries.ts';
import { testDatabase } from '../support/test-database.ts';
import { eventually, World } from 'clip-testkit/world';

const execute = promisify(execFile);
const apiKey = 'key-of-the-restored-service';

/** As docs/restore.md says: a dump of the running service, then a copy of its files. */
describe('a service that is restored from a dump and a copy of the files', () => {
  let database: Awaited<ReturnType<typeof testDatabase>>;
  let fresh: Awaited<ReturnType<typeof testDatabase>>;
  let first: World;
  let restored: World | undefined;
  let opened: OpenDatabase;
  let copy: string;

  let user: string;
  let clip: Project;
  let ready: Export;
  let waiting: Export;
  let counted: Awaited<ReturnType<typeof listPlans>>;
  const attempt = { headers: { 'Idempotency-Key': 'waits-during-the-dump' } };
  const listOf = (): string => `/projects/${clip.id}/exports`;

  before(async () => {
    [database, fresh] = [await testDatabase(), await testDatabase()];
    first = await World.start({ databaseUrl: database.url, apiKey });
    copy = join(first.directory, 'copy');
    user = await first.user();
    clip = await first.makeWhole(user);
    const { body } = await first.post(listOf(), {}, { as: user });
    ready = await first.finishExport(exportSchema.parse(body), user);
    opened = await openDatabase({ dataDir: '', databaseUrl: database.url });
    // One that no worker takes up before the dump.
    await drain.run(opened.db, { words: [], options: {} }, {});
    await eventually(() => assert.ok(first.log.some(({ code }) => code === 'drained')));
    const queued = await first.post(listOf(), {}, { as: user, ...attempt });
    waiting = exportSchema.parse(queued.body);
    assert.equal(waiting.status, 'processing');
    counted = await listPlans(opened.db);

    const dump = join(first.directory, 'clips.dump');
    await execute('pg_dump', ['--format=custom', '--no-owner', '--file', dump, database.url]);
    // What is made and deleted between dump and copy.
    const later = await first.post(listOf(), {}, { as: user });
    assert.equal(later.status, 201);
    await first.call('DELETE', `${listOf()}/${later.body.id}`, undefined, { as: user });
    await mkdir(copy);
    await cp(join(first.directory, 'data', 'files'), join(copy, 'files'), {
      recursive: true,
      preserveTimestamps: true,
    });
    await execute('pg_restore', ['--no-owner', '--exit-on-error', '--dbname', fresh.url, dump]);
    await opened.close();
    opened = await openDatabase({ dataDir: '', databaseUrl: fresh.url });
    restored = await World.start({ databaseUrl: fresh.url, dataDir: copy, apiKey });
  });
  after(async () => {
    await opened?.close();
    await restored?.close();
    await first?.close();
    await database?.close();
    await fresh?.close();
    if (copy) await rm(copy, { recursive: true, force: true });
  });

  const play = async (path: string): Promise<void> => {
    const source = restored!.service.url + path;
    await execute('ffmpeg', ['-v', 'error', '-xerror', '-i', source, '-f', 'null', '-']);
  };

  it('shows and plays what it had', async () => {
    const list = await restored!.get('/exports', { as: user });
    assert.deepEqual(
      list.body.map(({ id, status }: Export) => [id, status]),
      [
        [waiting.id, 'processing'],
        [ready.id, 'ready'],
      ],
    );
    await play(new URL(ready.src_url!).pathname);
    const { preview_key } = await opened.db
      .selectFrom('projects')
      .select('preview_key')
      .where('id', '=', clip.id)
      .executeTakeFirstOrThrow();
    await play(`/files/${preview_key}`);
  });

  it('counts each export once, and the same call starts none again', async () => {
    assert.deepEqual(await listPlans(opened.db), counted);
    const again = await restored!.post(listOf(), {}, { as: user, ...attempt });
    assert.equal(again.body.id, waiting.id);
    assert.deepEqual(await listPlans(opened.db), counted);
  });

  it('does what waited, once it is told to work again', async () => {
    await drain.run(opened.db, { words: [], options: { end: true } }, {});
    const done = await restored!.finishExport(waiting, user);
    assert.equal(done.status, 'ready');
    await play(new URL(done.src_url!).pathname);
    assert.deepEqual(await listPlans(opened.db), counted);
  });

  it('has the files that its rows name, and a sweep finds the others', async () => {
    const storage = createDiskStorage(join(copy, 'files'));
    const orphans: string[] = [];
    const tomorrow = Date.now() + 2 * 24 * 60 * 60 * 1000;
    for await (const { key } of findOrphans({ db: opened.db, storage }, tomorrow)) {
      orphans.push(key);
    }
    const exported = await readdir(join(copy, 'files', 'exports'));
    for (const { id } of [ready, waiting]) {
      assert.ok(exported.includes(id));
      assert.ok(!orphans.some((key) => key.includes(id)));
    }
  });
});
