import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { postgresStore, redisStore, sqliteStore, type HostStore } from '../../src/index.ts';
import { openSqlite, temporaryDirectory } from '../support/host-stores.ts';
import { HostWorld } from 'clip-testkit/host-world';
import { start } from 'clip-testkit/store-attempt';

const ann = { kind: 'user', hostUser: 'ann', id: '' } as const;

describe('a name that is not plain', () => {
  const pool = { query: () => Promise.reject(new Error('asked')) };
  for (const name of ['', 'a b', 'a"b', 'a;b', '1a', 'ä', "a'", 'a.b', 'a'.repeat(41)]) {
    it(`${JSON.stringify(name)} is refused as a schema and a prefix of tables`, () => {
      assert.throws(() => postgresStore(pool, { schema: name }), TypeError);
      assert.throws(() => postgresStore(pool, { prefix: name }), TypeError);
    });
  }
  for (const name of ['', 'a b', '{a}', 'a}', 'ä', 'a\n', 'a'.repeat(101)]) {
    it(`${JSON.stringify(name)} is refused as a prefix of keys`, () => {
      assert.throws(() => redisStore(() => Promise.resolve(), { prefix: name }), TypeError);
    });
  }
});

describe('a Redis client', () => {
  it('is refused where a function belongs that sends a command', () => {
    const client = { sendCommand: () => Promise.resolve() };
    assert.throws(() => redisStore(client as never), {
      name: 'TypeError',
      message: /needs a function that sends a command/,
    });
  });
});

describe('a server that cannot be reached', () => {
  const refused = () => Promise.reject(new AggregateError([], ''));
  const coded = () => Promise.reject(Object.assign(new Error(''), { code: 'ECONNREFUSED' }));
  const broken: Readonly<Record<string, HostStore>> = {
    Postgres: postgresStore({ query: coded }),
    Redis: redisStore(coded),
  };
  for (const [server, store] of Object.entries(broken)) {
    it(`is told by every method of the ${server} store, even where its driver says but a code`, async () => {
      const message = `the ${server} store failed: ECONNREFUSED`;
      const name = { kind: 'attempt', hostUser: 'ann', id: 'attempt-1' } as const;
      const record = { at: start, value: JSON.stringify(['request', 'open', null]) };
      for (const call of [
        () => store.read(name),
        () => store.replace(name, null, record),
        () => store.replace(name, record, record),
        () => store.replace(name, record, null),
        () => store.list({ ...name, since: start, after: null, limit: 10 }),
      ]) {
        await assert.rejects(call, { message });
      }
    });
  }

  it('is told where the driver says nothing at all', async () => {
    await assert.rejects(redisStore(refused).read(ann), {
      message: 'the Redis store failed: no reason given',
    });
  });

  it('is asked again: a failed creation of the tables is not remembered', async () => {
    const answers = [new Error('starting up'), null, null];
    const store = postgresStore({
      async query() {
        const answer = answers.shift();
        if (answer) throw answer;
        return { rows: [] };
      },
    });
    await assert.rejects(store.read(ann), /starting up/);
    assert.equal(await store.read(ann), null);
    assert.deepEqual(answers, []);
  });
});

describe('what is written down', () => {
  it('holds no key, no token and nothing of the page', async (t) => {
    const file = join(temporaryDirectory(t), 'host.db');
    const world = await HostWorld.open(t, { store: openSqlite(t, file) });
    const { external_access_token } = await world.json<{ external_access_token: string }>(
      200,
      'POST',
      '/clips/token',
      { body: {} },
    );
    const project_id = await world.clip();
    await world.json(201, 'POST', '/clips/exports', { key: 'attempt-1', body: { project_id } });
    const written = readFileSync(file, 'latin1');
    assert.ok(written.includes('attempt-1') && written.includes(project_id));
    assert.ok(!written.includes(world.service.apiKey));
    assert.ok(!written.includes(external_access_token));
    assert.ok(!/Cookie|user=ann/.test(written));
  });
});

describe('sqliteStore: a file', () => {
  it('is waited for when another process writes, unless the site has said how long', () => {
    const busyTimeoutOf = (database: DatabaseSync) => {
      sqliteStore(database);
      return { ...database.prepare('PRAGMA busy_timeout').get() };
    };
    assert.deepEqual(busyTimeoutOf(new DatabaseSync(':memory:')), { timeout: 5000 });
    assert.deepEqual(busyTimeoutOf(new DatabaseSync(':memory:', { timeout: 70 })), { timeout: 70 });
  });

  it('is kept over a restart', async (t) => {
    const file = join(temporaryDirectory(t), 'host.db');
    const first = new DatabaseSync(file);
    const user = { at: 0, value: 'u-1' };
    await sqliteStore(first, () => start).replace(ann, null, user);
    first.close();
    assert.deepEqual(await openSqlite(t, file, () => start).read(ann), user);
  });
});
