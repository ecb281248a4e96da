import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openDatabase } from '../../src/db/open.ts';
import { startService } from '../../src/service.ts';
import { changePlan, createOrganization } from '../../src/users/queries.ts';
import { testDatabase } from '../support/test-database.ts';
import { World } from 'clip-testkit/world';

// Not among the usual tests, as it needs a server: TEST_DATABASE_URL is an address that may create
// databases. node --test packages/service/test/postgres/postgres.suite.ts
describe('the service on a Postgres server', () => {
  let database: Awaited<ReturnType<typeof testDatabase>>;
  let world: World;
  before(async () => {
    database = await testDatabase();
    world = await World.start({ databaseUrl: database.url, concurrency: 2 });
  });
  after(async () => {
    await world?.close();
    await database.close();
  });

  it('keeps to the allowance with many starts on many connections', async () => {
    const { db, close } = await openDatabase({ dataDir: '', databaseUrl: database.url });
    const { id, apiKey: key } = await createOrganization(db, 'On a plan');
    const made = await world.post('/tasks/video-to-video', world.whole(), { key });
    const path = `/tasks/${made.body.id}`;
    for (let status = 'processing'; status === 'processing';) {
      status = (await world.get(path, { key, headers: { Prefer: 'wait=25' } })).body.status;
    }
    await changePlan(db, { plan: 'free', exportAllowance: 3 }, id);
    await close();
    const project = made.body.output_id;
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => world.post(`/projects/${project}/exports`, {}, { key })),
    );
    assert.equal(answers.filter(({ status }) => status === 201).length, 3);
    assert.equal(answers.filter(({ status }) => status === 402).length, 9);
  });

  it('refuses another data directory, and says why', async () => {
    const start = startService({
      port: 0,
      dataDir: `${world.directory}/other`,
      databaseUrl: database.url,
      allowPrivateSources: true,
    });
    // Where it has started after all, it does not stay.
    start.then((service) => service.close()).catch(() => {});
    await assert.rejects(start, (error: Error) => {
      assert.equal(error.name, 'StorageMismatch');
      assert.match(error.message, /other are not those of this database[\s\S]*DATA_DIR/);
      return true;
    });
  });
});
