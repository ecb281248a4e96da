import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { exportSchema } from 'clip-kit/contract';
import { testDatabase } from '../support/test-database.ts';
import { eventually, World } from 'clip-testkit/world';

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const execute = promisify(execFile);

describe('the commands of the operator beside a running service', () => {
  let database: Awaited<ReturnType<typeof testDatabase>>;
  let world: World;
  before(async () => {
    database = await testDatabase();
    world = await World.start({ databaseUrl: database.url });
  });
  after(async () => {
    await world?.close();
    await database.close();
  });
  const run = async (...words: string[]) => {
    const env = { PATH: process.env['PATH'] ?? '', DATABASE_URL: database.url };
    const { stdout } = await execute(process.execPath, [main, ...words, '--json'], { env });
    return JSON.parse(stdout);
  };

  it('take effect at once on keys and plans', async () => {
    const [made] = await run('organizations', 'create', 'Second');
    assert.equal((await world.get('/exports', { key: made.api_key })).status, 200);
    const [key] = await run('keys', made.id);
    await run('keys', 'remove', key.id);
    await eventually(async () => {
      assert.equal((await world.get('/exports', { key: made.api_key })).status, 401);
    });
  });

  it('let the workers rest while requests are answered', async () => {
    const clip = await world.makeWhole();
    await run('drain');
    await eventually(() => {
      assert.ok(world.log.some(({ code }) => code === 'drained'));
    });
    assert.equal((await fetch(`${world.service.url}/readyz`)).status, 200);
    const started = await world.post(`/projects/${clip.id}/exports`);
    assert.equal(started.status, 201);
    const exports = async () =>
      (await run('jobs')).find(({ kind }: { kind: string }) => kind === 'export');
    assert.deepEqual([(await exports()).waiting, (await exports()).running], [1, 0]);
    await run('drain', '--end');
    const done = await world.finishExport(exportSchema.parse(started.body));
    assert.equal(done.status, 'ready');
  });
});
