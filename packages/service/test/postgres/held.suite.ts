import assert from 'node:assert/strict';
import { get } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { startPgBouncer } from '../../../../tools/pgbouncer-server.ts';
import { Changes } from '../../src/operations/changes.ts';
import { openDatabase, type OpenDatabase } from '../../src/db/open.ts';
import type { Db } from '../../src/db/schema.ts';
import { isDatabaseGone } from '../../src/db/connections.ts';
import { databaseProxy, type DatabaseProxy } from '../support/database-proxy.ts';
import { insertExports, insertLibrary, settleExport, type Library } from 'clip-testkit/rows';
import { testDatabase } from '../support/test-database.ts';
import { eventually, World } from 'clip-testkit/world';

// What held requests ask of a database server, seen between it and the service.
describe('held requests on a Postgres server', () => {
  let database: Awaited<ReturnType<typeof testDatabase>>;
  let proxy: DatabaseProxy;
  let world: World;
  let own: OpenDatabase;
  let library: Library;
  before(async () => {
    database = await testDatabase();
    proxy = await databaseProxy(database.url);
    world = await World.start({
      databaseUrl: proxy.url,
      // Two thousand connections share a process with their server, on a machine that may be busy.
      requestWaitMs: 3_600_000,
    });
    own = await openDatabase({ dataDir: '', databaseUrl: database.url });
    library = await insertLibrary(own.db);
  });
  after(async () => {
    await world?.close();
    await own?.close();
    await proxy?.close();
    await database.close();
  });

  const listening = (): Promise<void> =>
    eventually(() => assert.ok(proxy.statements.some((text) => text.startsWith('listen'))));
  const reads = (): number =>
    proxy.statements.filter((text) => /from "?exports"?\s+where id = any/.test(text)).length;

  /** On a connection of its own; gives the status. */
  const ask = (path: string) =>
    new Promise<string>((resolve, reject) => {
      get(
        `${world.service.url}/v2${path}`,
        {
          agent: false,
          headers: { Authorization: `Bearer ${world.key}`, Prefer: 'wait=25' },
        },
        (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (part) => (text += part));
          response.on('end', () =>
            response.statusCode === 200
              ? resolve(JSON.parse(text).status)
              : reject(new Error(`${response.statusCode}`)),
          );
        },
      ).on('error', reject);
    });
  /** Until it is settled: a busy machine may take longer than a hold. */
  const hold = async (path: string): Promise<string> => {
    for (;;) {
      // A full backlog refuses connections, and a busy database has none to give for seconds: 503.
      const status = await ask(path).catch(() => null);
      if (status !== null && status !== 'processing') return status;
    }
  };
  const path = (id: string): string => `/projects/${library.projectId}/exports/${id}`;

  it('ask nothing while nothing changes, and once for all of them at a change', async () => {
    await listening();
    const ids = await insertExports(own.db, library, 10);
    const before = reads();
    const held = Array.from({ length: 2000 }, (_, at) => hold(path(ids[at % 10]!)));
    let ended = 0;
    for (const one of held) void one.then(() => (ended += 1));
    await eventually(() => assert.ok(reads() > before));
    for (const id of ids.slice(0, 9)) await settleExport(own.db, id);
    await eventually(() => assert.equal(ended, 1800));
    await settleExport(own.db, ids[9]!);
    for (const status of await Promise.all(held)) assert.equal(status, 'ready');
    // One for each that comes, and for each that a busy machine holds a second time.
    assert.ok(reads() - before < 6000, `${reads() - before} queries for 2,000 requests`);
  });

  it('and a long list is sent in parts, each export once', async () => {
    const ids = new Set(await insertExports(own.db, library, 1200));
    const before = proxy.statements.length;
    const { status, headers, body } = await world.get('/exports');
    assert.equal(status, 200);
    assert.equal(headers.get('content-length'), null);
    const listed: string[] = body.map(({ id }: { id: string }) => id);
    assert.equal(new Set(listed).size, listed.length);
    assert.equal(listed.filter((id) => ids.has(id)).length, 1200);
    const parts = proxy.statements
      .slice(before)
      .filter((text) => /order by "created_at"/.test(text));
    assert.ok(parts.length >= 3);
    await own.db
      .updateTable('exports')
      .set({ status: 'error' })
      .where('status', '=', 'processing')
      .execute();
  });

  it('hear of a change that was made while no connection was there', async () => {
    const [id = ''] = await insertExports(own.db, library, 1);
    const before = reads();
    const held = hold(path(id));
    // It has been answered that nothing has changed: it does not ask again.
    await eventually(() => assert.ok(reads() > before && proxy.isIdle()));
    proxy.cut();
    await settleExport(own.db, id);
    assert.equal(await held, 'ready');
  });
});

describe('changes behind PgBouncer in transaction mode', () => {
  let directory: string;
  let database: Awaited<ReturnType<typeof testDatabase>>;
  let pooler: Awaited<ReturnType<typeof startPgBouncer>>;
  let own: OpenDatabase;
  let library: Library;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'clip-pgbouncer-'));
    database = await testDatabase();
    pooler = await startPgBouncer(directory, database.url);
    own = await openDatabase({ dataDir: '', databaseUrl: database.url });
    library = await insertLibrary(own.db);
  });
  after(async () => {
    await own?.close();
    await pooler?.stop();
    await database.close();
    await rm(directory, { recursive: true, force: true });
  });

  const heardBy = async (databaseListenUrl?: string) => {
    const opened = await openDatabase({ dataDir: '', databaseUrl: pooler.url, databaseListenUrl });
    const changes = new Changes(opened.db);
    const states: boolean[] = [];
    const notices: string[] = [];
    const stop = opened.listen({
      notify(notice) {
        notices.push(notice);
        changes.notify(notice);
      },
      listening(state) {
        states.push(state);
        changes.listening(state);
      },
    });
    const close = async () => {
      await stop();
      changes.close();
      await opened.close();
    };
    return { changes, states, notices, close };
  };
  const wait = { ms: 3_600_000, signal: new AbortController().signal };

  it('are looked for: LISTEN there hears nothing', async () => {
    const { changes, states, close } = await heardBy();
    const ids = await insertExports(own.db, library, 2);
    const held = ids.map((id) => changes.exports.settled(id, () => true, wait));
    await changes.exports.settled(ids[0]!, () => true, { ...wait, ms: 0 });
    for (const id of ids) await settleExport(own.db, id);
    for (const row of await Promise.all(held)) assert.equal(row?.status, 'ready');
    assert.ok(!states.includes(true));
    await close();
  });

  it('are heard of with an address that goes past it', async () => {
    const { changes, states, notices, close } = await heardBy(database.url);
    await eventually(() => assert.ok(states.includes(true)));
    const [id = ''] = await insertExports(own.db, library, 1);
    const before = notices.length;
    const held = changes.exports.settled(id, () => true, wait);
    await settleExport(own.db, id);
    assert.equal((await held)?.status, 'ready');
    // The row may have been read for the first time when it was settled already.
    await eventually(() => assert.ok(notices.length > before));
    await close();
  });

  it('do not wait for a process that stands still in a transaction', async (t) => {
    const stopped = await openDatabase({ dataDir: '', databaseUrl: pooler.url });
    t.after(() => stopped.close());
    const [id = ''] = await insertExports(own.db, library, 1);
    const lock = (db: Db) =>
      db.selectFrom('exports').select('id').where('id', '=', id).forUpdate().execute();
    const held = Promise.withResolvers<void>();
    const resumed = Promise.withResolvers<void>();
    const ended = assert.rejects(
      stopped.db.transaction().execute(async (trx) => {
        await lock(trx);
        held.resolve();
        await resumed.promise;
        await lock(trx);
      }),
      isDatabaseGone,
    );
    await held.promise;
    try {
      await own.db.transaction().execute(async (trx) => {
        await sql`set local lock_timeout = '3min'`.execute(trx);
        await lock(trx);
      });
    } finally {
      resumed.resolve();
    }
    await ended;
  });
});
