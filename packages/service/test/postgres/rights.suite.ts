import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { testDatabase } from '../support/test-database.ts';
import { World } from 'clip-testkit/world';

const execute = promisify(execFile);
const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

/** The roles of docs/service-database.md, by other names: they belong to the whole server. */
const suffix = randomBytes(4).toString('hex');
const [owner, role] = [`clips_owner_${suffix}`, `clips_${suffix}`];

describe('the rights of a role in Postgres', () => {
  let database: Awaited<ReturnType<typeof testDatabase>>;
  let admin: pg.Client;
  before(async () => {
    database = await testDatabase();
    admin = new pg.Client(database.url);
    await admin.connect();
    for (const name of [owner, role]) await admin.query(`create role ${name} login password 'x'`);
    await admin.query(
      `alter database ${new URL(database.url).pathname.slice(1)} owner to ${owner}`,
    );
  });
  after(async () => {
    for (const name of [role, owner]) {
      await admin.query(`drop owned by ${name} cascade`);
      // The database itself is dropped below.
      await admin.query(`reassign owned by ${name} to current_user`);
      await admin.query(`drop role ${name}`);
    }
    await admin.end();
    await database.close();
  });

  const urlOf = (name: string): string => {
    const url = new URL(database.url);
    [url.username, url.password] = [name, 'x'];
    return url.href;
  };
  const run = (name: string, ...words: string[]) =>
    execute(process.execPath, [main, ...words], {
      env: { PATH: process.env['PATH'] ?? '', DATABASE_URL: urlOf(name) },
    });

  it('are asked for in a sentence if they are missing', async () => {
    const refused = (word: string, said: RegExp) =>
      assert.rejects(run(role, word), ({ stderr }: { stderr: string }) => {
        assert.match(stderr, said);
        assert.match(stderr, /Rights in Postgres/);
        assert.equal(stderr.trim().split('\n').length, 1);
        return true;
      });
    await refused('migrate', /the role clips_\w+ may not create any\. Let it own the database/);
    await run(owner, 'migrate');
    await refused('plans', /^The database refuses: permission denied for table/);
  });

  it('are those of the docs: with them, a role that owns nothing makes clips', async () => {
    const docs = await readFile(
      new URL('../../../../docs/service-database.md', import.meta.url),
      'utf8',
    );
    const [, section = ''] = docs.split('### Rights in Postgres');
    const [, , grants = ''] = section.split('```sql\n');
    const statements = grants.slice(0, grants.indexOf('```'));
    assert.match(statements, /grant select/);
    const client = new pg.Client(urlOf(owner));
    await client.connect();
    await client.query(
      statements.replaceAll(/\bclips_owner\b/g, owner).replaceAll(/\bclips\b/g, role),
    );
    await client.end();
    const world = await World.start({ databaseUrl: urlOf(role) });
    try {
      const user = await world.user();
      const clip = await world.makeWhole(user);
      const started = await world.post(`/projects/${clip.id}/exports`, {}, { as: user });
      const done = await world.finishExport(started.body, user);
      assert.equal(done.status, 'ready');
      assert.equal((await world.call('DELETE', `/users/${user}`)).status, 204);
    } finally {
      await world.close();
    }
  });
});
