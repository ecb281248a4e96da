import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { temporaryDirectory } from 'clip-testkit/media-footage';
import { openDatabase } from '../../src/db/open.ts';
import { prepareDatabase } from 'clip-testkit/prepared-database';

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

describe('clip-service migrate', async () => {
  const directory = await temporaryDirectory();
  await prepareDatabase(directory.path);
  after(() => directory.remove());

  const run = (...flags: string[]) => {
    const env = { PATH: process.env['PATH'] ?? '', DATA_DIR: directory.path };
    const { status, stdout, stderr } = spawnSync(process.execPath, [main, 'migrate', ...flags], {
      env,
      encoding: 'utf8',
    });
    return { status, said: stdout + stderr };
  };
  const change = async (...statements: string[]): Promise<void> => {
    const { db, close } = await openDatabase({ dataDir: directory.path });
    for (const statement of statements) await sql.raw(statement).execute(db);
    await close();
  };

  it('says by its exit code whether anything is to be done, and does it', async () => {
    await change('drop schema public cascade', 'create schema public');
    const behind = run('--check');
    assert.equal(behind.status, 1);
    assert.match(behind.said, /0001-schema is missing/);
    assert.equal(run('--check').status, 1, 'a check changes nothing');
    assert.deepEqual(run(), { status: 0, said: 'The tables of the database are up to date.\n' });
    assert.equal(run('--check').status, 0);
  });

  it('refuses tables that it does not know', async () => {
    await change(
      `insert into kysely_migration values ('9000-tomorrow', '2026-01-01')`,
      `update settings set value = '{"name": "9000-tomorrow"}' where name = 'required-migration'`,
    );
    for (const flags of [[], ['--check']]) {
      const { status, said } = run(...flags);
      assert.equal(status, 1);
      assert.match(said, /newer version \(9000-tomorrow\)/);
    }
    assert.match(run('--chek').said, /^--chek is not one of --check, --json\.\nusage/);
  });
});
