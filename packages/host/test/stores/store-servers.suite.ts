import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { postgresStore, redisStore, type SendRedisCommand } from '../../src/index.ts';
import { d1Store } from '../../src/stores/d1-store.ts';
import { HostWorld } from 'clip-testkit/host-world';
import { hourMs } from 'clip-testkit/store-attempt';
import {
  d1Database,
  newName,
  nodeRedis,
  postgresPool,
  serverAddresses,
} from '../support/server-stores.ts';

// Not part of the usual tests, because it needs servers: npm run test:stores.
const urls = serverAddresses();
assert.ok(urls, 'TEST_DATABASE_URL and TEST_REDIS_URL are set');

const ann = { kind: 'user', hostUser: 'ann', id: '' } as const;
const user = { at: 0, value: 'u-1' };
const name = { kind: 'attempt', hostUser: 'ann', id: 'attempt-1' } as const;
const attempt = { at: Date.now(), value: JSON.stringify(['request', 'open', null]) };

/** The connections of this name that wait for another transaction. */
const waitingAt = `SELECT pid FROM pg_stat_activity
  WHERE application_name = $1 AND wait_event_type = 'Lock'`;

/** Starts an export and gets a token; returns what must not be found in the store. */
async function useHost(world: HostWorld): Promise<string[]> {
  const answer = await world.json<{ external_access_token: string }>(200, 'POST', '/clips/token', {
    body: {},
  });
  const body = { project_id: await world.clip() };
  await world.json(201, 'POST', '/clips/exports', { key: 'attempt-1', body });
  return [world.service.apiKey, answer.external_access_token];
}

describe('postgresStore on a server', () => {
  const admin = postgresPool({ after }, urls.postgres);

  it('whose connection is lost in the middle of a claim: an error, and nothing is written', async (t) => {
    const schema = newName();
    const application = newName();
    const store = postgresStore(
      postgresPool(t, urls.postgres, { max: 1, application_name: application }),
      { schema },
    );
    assert.equal(await store.read(name), null);
    const lock = await admin.connect();
    t.after(() => lock.release());
    await lock.query('BEGIN');
    await lock.query(`LOCK TABLE "${schema}".clip_host_attempt IN EXCLUSIVE MODE`);
    const claim = store.replace(name, null, attempt);
    claim.catch(() => {});
    for (let cut = 0; !cut;) {
      const { rowCount } = await admin.query(
        `SELECT pg_terminate_backend(pid) FROM (${waitingAt}) AS waiting`,
        [application],
      );
      cut = rowCount ?? 0;
    }
    await assert.rejects(claim, /the Postgres store failed: .*terminat/);
    await lock.query('ROLLBACK');
    assert.equal(await store.read(name), null);
    assert.equal(await store.replace(name, null, attempt), true);
  });

  for (const isolation of ['read committed', 'repeatable read', 'serializable']) {
    it(`whose transactions are ${isolation} by default: who comes second is told of the first`, async (t) => {
      const schema = newName();
      const application = newName();
      const options = `-c default_transaction_isolation=${isolation.replace(' ', '\\ ')}`;
      const pool = postgresPool(t, urls.postgres, { options, application_name: application });
      const store = postgresStore(pool, { schema });
      await store.read(ann);
      const first = await admin.connect();
      t.after(() => first.release());
      await first.query('BEGIN');
      await first.query(
        `INSERT INTO "${schema}".clip_host_attempt VALUES ('ann', 'attempt-1', 'first', $1, 'open')`,
        [attempt.at],
      );
      await first.query(`INSERT INTO "${schema}".clip_host_user VALUES ('ann', 'u-1')`);
      const second = Promise.all([
        store.replace(name, null, attempt),
        store.replace(ann, null, { at: 0, value: 'u-2' }),
      ]);
      second.catch(() => {});
      for (let waiting = 0; waiting < 2;) {
        const { rowCount } = await admin.query(waitingAt, [application]);
        waiting = rowCount ?? 0;
      }
      await first.query('COMMIT');
      assert.deepEqual(await second, [false, false]);
      assert.deepEqual(await store.read(ann), { at: 0, value: 'u-1' });
    });
  }

  it('where it may make no tables: it says so, and uses those that are there', async (t) => {
    const [schema, role] = [newName(), newName()];
    await admin.query(`CREATE SCHEMA "${schema}"`);
    await admin.query(`CREATE ROLE "${role}" LOGIN PASSWORD 'secret'`);
    await admin.query(`GRANT USAGE ON SCHEMA "${schema}" TO "${role}"`);
    const url = new URL(urls.postgres);
    [url.username, url.password] = [role, 'secret'];
    const store = postgresStore(postgresPool(t, url.href), { schema });
    await assert.rejects(store.replace(name, null, attempt), {
      message: `the Postgres store failed: permission denied for schema ${schema}`,
    });
    await postgresStore(admin, { schema }).read(ann);
    await admin.query(
      `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA "${schema}" TO "${role}"`,
    );
    assert.equal(await store.replace(name, null, attempt), true);
    assert.equal(await store.replace(ann, null, user), true);
  });

  it('keeps two prefixes apart in one schema, capital letters included', async () => {
    const schema = newName();
    const [one, two] = ['Shop', 'shop'].map((prefix) => postgresStore(admin, { schema, prefix }));
    await one!.replace(ann, null, user);
    assert.equal(await two!.replace(ann, null, user), true);
  });

  it('has no key and no token in its tables', async (t) => {
    const schema = newName();
    const world = await HostWorld.open(t, { store: postgresStore(admin, { schema }) });
    const secrets = await useHost(world);
    const tables = await Promise.all(
      ['user', 'attempt'].map((name) => admin.query(`SELECT * FROM "${schema}".clip_host_${name}`)),
    );
    assert.deepEqual(
      tables.map(({ rowCount }) => rowCount),
      [1, 1],
    );
    const written = JSON.stringify(tables.map(({ rows }) => rows as unknown));
    for (const secret of secrets) assert.ok(!written.includes(secret));
  });
});

describe('redisStore on a server', () => {
  const admin = nodeRedis({ after }, urls.redis);
  const send: SendRedisCommand = (command) => admin.sendCommand(command);
  const keysOf = async (prefix: string) =>
    ((await admin.sendCommand(['KEYS', `*${prefix}*`])) as string[]).sort();

  it('expires attempts after 24 hours, and managed users never', async () => {
    const prefix = newName();
    const store = redisStore(send, { prefix });
    await store.replace(ann, null, user);
    await store.replace(name, null, attempt);
    await store.replace(name, attempt, { ...attempt, value: 'settled' });
    const left = new Map<string, number>();
    for (const key of await keysOf(prefix)) {
      left.set(key, Number(await admin.sendCommand(['PTTL', key])));
    }
    assert.deepEqual([...left.keys()].sort(), [`${prefix}:attempt:ann`, `${prefix}:user:ann`]);
    assert.equal(left.get(`${prefix}:user:ann`), -1);
    const time = left.get(`${prefix}:attempt:ann`)!;
    assert.ok(time > 24 * hourMs && time <= 25 * hourMs, `${time}`);
  });

  it('whose connection is lost in the middle of a claim: an error, and nothing is written', async (t) => {
    const prefix = newName();
    const client = nodeRedis(t, urls.redis);
    const store = redisStore((command) => client.sendCommand(command), { prefix });
    const id = String(await client.sendCommand(['CLIENT', 'ID']));
    // Writes wait on the server, for every client, until it continues.
    await admin.sendCommand(['CLIENT', 'PAUSE', '60000', 'WRITE']);
    const claim = store.replace(name, null, attempt);
    claim.catch(() => {});
    for (let waits = false; !waits;) {
      const clients = String(await admin.sendCommand(['CLIENT', 'LIST', 'ID', id]));
      waits = clients.includes('cmd=eval');
    }
    await admin.sendCommand(['CLIENT', 'KILL', 'ID', id]);
    await assert.rejects(claim, /^Error: the Redis store failed: .*[Ss]ocket/);
    await admin.sendCommand(['CLIENT', 'UNPAUSE']);
    assert.deepEqual(await keysOf(prefix), []);
    assert.equal(await store.replace(name, null, attempt), true);
  });

  it('keeps an attempt whose key is claimed again while the expired one is deleted', async () => {
    const prefix = newName();
    const store = redisStore(send, { prefix });
    const expired = { ...attempt, at: 0 };
    await store.replace(name, null, expired);
    let isClaimed = false;
    const slow: SendRedisCommand = async (command) => {
      const answer = await send(command);
      if (command[0] === 'HVALS') isClaimed = await store.replace(name, expired, attempt);
      return answer;
    };
    await redisStore(slow, { prefix }).list({ ...name, since: 0, after: null, limit: 10 });
    assert.ok(isClaimed);
    assert.equal((await store.read(name))?.at, attempt.at);
  });

  it('has no key and no token in what it keeps', async (t) => {
    const prefix = newName();
    const world = await HostWorld.open(t, { store: redisStore(send, { prefix }) });
    const secrets = await useHost(world);
    const keys = await keysOf(prefix);
    assert.deepEqual(keys, [`${prefix}:attempt:ann`, `${prefix}:user:ann`]);
    const dumps = await Promise.all(keys.map((key) => admin.sendCommand(['DUMP', key])));
    for (const secret of secrets) assert.ok(!JSON.stringify([keys, dumps]).includes(secret));
  });
});

describe('d1Store on workerd', () => {
  it('makes its tables again that were removed, and loses nothing else', async () => {
    const database = await d1Database();
    const store = d1Store(database);
    await store.replace(ann, null, user);
    await database.prepare('DROP TABLE clip_host_attempt').bind().all();
    assert.equal(await store.replace(name, null, attempt), true);
    assert.deepEqual(await store.read(ann), user);
  });

  it('that refuses a statement: an error, and nothing is written', async () => {
    const database = await d1Database();
    const store = d1Store(database);
    await store.read(ann);
    await database.prepare('ALTER TABLE clip_host_attempt RENAME export_id TO x').bind().all();
    await assert.rejects(
      store.replace(name, null, attempt),
      /^Error: the D1 store failed: .*export_id/,
    );
    const { results } = await database.prepare('SELECT * FROM clip_host_attempt').bind().all();
    assert.deepEqual(results, []);
  });

  it('has no key and no token in its tables', async (t) => {
    const database = await d1Database();
    const world = await HostWorld.open(t, { store: d1Store(database) });
    const secrets = await useHost(world);
    const tables = await Promise.all(
      ['user', 'attempt'].map((name) =>
        database.prepare(`SELECT * FROM clip_host_${name}`).bind().all(),
      ),
    );
    assert.deepEqual(
      tables.map(({ results }) => results.length),
      [1, 1],
    );
    for (const secret of secrets) assert.ok(!JSON.stringify(tables).includes(secret));
  });
});
