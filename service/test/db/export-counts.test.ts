import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { sql, type Kysely } from 'kysely';
import { readUsage } from '../../src/db/exports.ts';
import { exportCounts } from '../../src/db/migrations/0023-export-counts.ts';
import type { ProjectRow } from '../../src/db/schema.ts';
import { JobWorld, stretchEdit } from '../support/job-world.ts';

describe('the counts of an organization’s exports', () => {
  let world: JobWorld;
  let project: ProjectRow;
  before(async () => {
    world = await JobWorld.open();
    const film = join(world.directory, 'film.mp4');
    await writeFile(film, 'film');
    project = (await world.addTask(film, [stretchEdit(0, 1)])).projects[0]!;
  });
  after(() => world?.close());

  it('are taken over from databases that counted rows, deleted ones too', async () => {
    const { db } = world.service;
    for (let count = 0; count < 3; count += 1) await world.addExport(project);
    const { id } = await db.selectFrom('organizations').select('id').executeTakeFirstOrThrow();
    await db.transaction().execute(async (trx) => {
      await sql`drop table exported_clips`.execute(trx);
      await sql`drop table export_counts`.execute(trx);
      await sql`create table deleted_exports (
        organization_id text, project_id text, exports integer)`.execute(trx);
      await sql`insert into deleted_exports values
        (${id}, ${project.id}, 2), (${id}, 'a deleted clip', 4)`.execute(trx);
      await exportCounts.up(trx as unknown as Kysely<unknown>);
    });
    const usage = { exports: 9, clips: 2 };
    assert.deepEqual(await readUsage(db, id, project.id), { ...usage, clipCounted: true });
    assert.deepEqual(await readUsage(db, id, 'a deleted clip'), { ...usage, clipCounted: true });
    assert.deepEqual(await readUsage(db, id, 'another'), { ...usage, clipCounted: false });
  });

  it('are zero where nothing was exported', async () => {
    const usage = await readUsage(world.service.db, 'nobody', project.id);
    assert.deepEqual(usage, { exports: 0, clips: 0, clipCounted: false });
  });
});
