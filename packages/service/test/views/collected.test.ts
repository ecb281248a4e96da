import assert from 'node:assert/strict';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { openDatabase } from '../../src/db/open.ts';
import { startService } from '../../src/service.ts';
import { readViews } from '../../src/views/queries.ts';
import { CollectedViews } from '../../src/views/collected.ts';
import { jobWorld } from '../support/job-world.ts';
import { insertLibrary } from 'clip-testkit/rows';
import { watchStatements } from '../support/statements.ts';
import { prepareDatabase } from 'clip-testkit/prepared-database';

const record = (project_id: string) => ({ project_id, begins: true, marks: [0], muted: false });

describe('what was watched in a second', () => {
  const world = jobWorld();

  it('is written with the same few statements, however many visitors and clips there are', async () => {
    const { db, views } = world().service;
    const organizationId = world().user.organization_id;
    const clips = await Promise.all(Array.from({ length: 5 }, () => insertLibrary(db)));
    const ids = clips.map(({ projectId }) => projectId);
    await views.write();
    const watched = watchStatements();
    for (let at = 0; at < 50; at++) {
      await views.add(organizationId, { visitor: `v${at}`, views: ids.map(record) });
    }
    await views.write();
    watched.stop();
    assert.ok(watched.texts.length <= 9, watched.texts.join('\n'));
    for (const id of ids) {
      const { views: count, marks } = await readViews(db, id);
      assert.deepEqual([count, marks], [50, [50]]);
    }
  });

  it('is written automatically, a second later', async (t) => {
    const { db } = world().service;
    const { projectId, organizationId } = await insertLibrary(db);
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const views = new CollectedViews(db, () => {});
    await views.add(organizationId, { visitor: 'one', views: [record(projectId)] });
    const write = t.mock.method(views, 'write');
    t.mock.timers.tick(1_000);
    await write.mock.calls[0]!.result;
    assert.equal((await readViews(db, projectId)).views, 1);
  });

  it('does not wait without end: a thousand visits are written before more are taken', async () => {
    const { db, log } = world().service;
    const { projectId, organizationId } = await insertLibrary(db);
    const views = new CollectedViews(db, log);
    for (let at = 0; at <= 1_000; at++) {
      await views.add(organizationId, { visitor: `v${at}`, views: [record(projectId)] });
    }
    assert.equal((await readViews(db, projectId)).views, 1_000);
    await views.write();
  });

  it('is lost if the database refuses it, which is logged, and what comes next is counted', async () => {
    const { db, views } = world().service;
    const { projectId, organizationId } = await insertLibrary(db);
    const batch = { visitor: 'one', views: [record(projectId)] };
    await sql`alter table view_visits rename to others`.execute(db);
    await views.add(organizationId, batch);
    await views.write();
    await sql`alter table others rename to view_visits`.execute(db);
    assert.equal(world().log.filter(({ event }) => event === 'views-lost').length, 1);
    await views.add(organizationId, batch);
    await views.write();
    assert.equal((await readViews(db, projectId)).views, 1);
  });
});

it('what was watched before a service stops is counted', async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'clip-views-'));
  const dataDir = directory.path;
  await prepareDatabase(dataDir);
  const first = await openDatabase({ dataDir });
  const { projectId } = await insertLibrary(first.db);
  await first.close();
  const apiKey = 'a-key-of-at-least-thirty-two-characters';
  const service = await startService({ port: 0, dataDir, apiKey, allowPrivateSources: true });
  const { status } = await fetch(`${service.url}/v2/projects/views`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ visitor: 'one', views: [record(projectId)] }),
  });
  assert.equal(status, 204);
  await service.close();
  const second = await openDatabase({ dataDir });
  assert.equal((await readViews(second.db, projectId)).views, 1);
  await second.close();
});
