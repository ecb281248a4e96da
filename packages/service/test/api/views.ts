import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, beforeEach, describe, it } from 'node:test';
import { projectListSchema, viewReportSchema, type ViewReport } from 'clip-kit/contract';
import { sql } from 'kysely';
import { hostSecrets } from '../../src/operations/commands/organizations.ts';
import { readStoredData } from '../../src/operations/stored-data-queries.ts';
import { deleteEndedVisits } from '../../src/views/queries.ts';
import type { QuietWorld } from '../support/quiet-world.ts';

/** The clips here have five seconds: one mark. */
export function viewSuite(current: () => QuietWorld): void {
  describe('the views of a clip', () => {
    let world: QuietWorld;
    let as: string;
    let clip: string;
    before(() => {
      world = current();
    });
    beforeEach(async () => {
      as = await world.user();
      clip = (await world.addClip({ userId: as })).projectId;
    });

    const record = (more: object = {}) => ({
      ...{ project_id: clip, begins: true, marks: [0], muted: false },
      ...more,
    });
    const send = async (visitor: string | null, ...views: object[]): Promise<void> => {
      const { status, body } = await world.post('/projects/views', { visitor, views });
      assert.equal(status, 204, JSON.stringify(body));
      await world.jobs.service.views.write();
    };
    const report = async (id = clip): Promise<ViewReport> => {
      const { status, body } = await world.get(`/projects/${id}/views`, { as });
      assert.equal(status, 200, JSON.stringify(body));
      return viewReportSchema.parse(body);
    };
    const visits = async (): Promise<number> => {
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from view_visits
          where project_id = ${clip}`.execute(world.jobs.service.db);
      return rows[0]!.count;
    };
    /** As after a minute. */
    const endVisits = () =>
      sql`update view_visits set ends_at = now()`.execute(world.jobs.service.db);

    it('are none until someone watches it', async () => {
      assert.deepEqual(await report(), {
        ...{ project_id: clip, views: 0, muted: 0, watched_seconds: 0, places: {} },
        retention: [{ second: 0, watched: 0, share: 0 }],
      });
    });

    it('are counted, with how far, how and where', async () => {
      await send('one', record({ place: 'home' }));
      await send('two', record({ muted: true, marks: [] }), { ...record(), project_id: 'none' });
      assert.deepEqual(await report(), {
        ...{ project_id: clip, views: 2, muted: 1, watched_seconds: 5, places: { home: 1 } },
        retention: [{ second: 0, watched: 1, share: 0.5 }],
      });
      const csv = await world.get(`/projects/${clip}/views?format=csv`, { as });
      assert.equal(csv.headers.get('Content-Type'), 'text/csv; charset=utf-8');
      assert.equal(
        csv.body,
        `project_id,views,muted,second,watched,share\r\n${clip},2,1,0,1,0.5\r\n`,
      );
    });

    it('are one a minute of an address, however often it sends them, and in whatever batches', async () => {
      await send('one', ...Array.from({ length: 50 }, () => record()));
      await Promise.all(Array.from({ length: 10 }, () => send('one', record())));
      await send('one', record({ begins: false }), record());
      assert.equal((await report()).views, 1);
      assert.equal((await report()).retention[0]!.watched, 1);
      await endVisits();
      await send('one', record());
      await send('one', record());
      assert.equal((await report()).views, 2);
      assert.equal((await report()).retention[0]!.watched, 2);
    });

    it('are one a minute of all visitors whose address is not known', async () => {
      await send(null, record());
      await send(null, record());
      assert.equal((await report()).views, 1);
    });

    it('of a visit that goes on are no further ones', async () => {
      await send('one', record({ marks: [] }));
      await send('one', record({ begins: false }));
      const { views, retention } = await report();
      assert.deepEqual([views, retention[0]!.watched], [1, 1]);
    });

    it('are counted together, if many come at once', async () => {
      const other = (await world.addClip({ userId: as })).projectId;
      await Promise.all(
        Array.from({ length: 20 }, (_, at) => {
          const both = [record(), record({ project_id: other })];
          return send(`visitor-${at}`, ...(at % 2 ? both : both.reverse()));
        }),
      );
      assert.equal((await report()).views, 20);
      assert.equal((await report(other)).views, 20);
    });

    it('are told in the list of a folder', async () => {
      const folderId = randomUUID();
      const { projectId } = await world.addClip({ userId: as, folderId });
      const views = async () => {
        const { body } = await world.get(`/projects/${folderId}`, { as });
        return projectListSchema.parse(body).map((one) => one.views);
      };
      assert.deepEqual(await views(), [0]);
      await send('one', record({ project_id: projectId }));
      await send('two', record({ project_id: projectId }));
      assert.deepEqual(await views(), [2]);
    });

    it('leave nothing of an address after the minute', async () => {
      await send('one', record());
      assert.equal(await visits(), 1);
      await endVisits();
      await send('two', record({ project_id: 'none' }));
      assert.equal(await visits(), 0);
      await send('three', record());
      await endVisits();
      assert.ok((await deleteEndedVisits(world.jobs.service.db)) > 0);
      assert.equal(await visits(), 0);
    });

    it('are only those of the own organization', async () => {
      const { id } = await world.createOrganization('Another');
      const theirs = await world.addClip({ organizationId: id });
      await send('one', record({ project_id: theirs.projectId }));
      const { rows } = await sql`select from clip_views
        where project_id = ${theirs.projectId}`.execute(world.jobs.service.db);
      assert.equal(rows.length, 0);
    });

    it('are read by their user alone, and sent by the organization alone', async () => {
      const stranger = await world.user();
      const hidden = await world.get(`/projects/${clip}/views`, { as: stranger });
      assert.equal(hidden.status, 404);
      const batch = { visitor: 'one', views: [record()] };
      assert.equal((await world.post('/projects/views', batch, { as })).status, 403);
      assert.equal((await world.post('/projects/views', batch, { key: null })).status, 401);
      assert.equal((await report()).views, 0);
    });

    it('are shown to the token of their user, in the embed page', async () => {
      await send('one', record());
      const read = async (user: string): Promise<Response> =>
        world.request(`/embed-api/projects/${clip}/views`, {
          headers: { Authorization: `Bearer ${await world.token(user)}` },
        });
      const own = await read(as);
      assert.equal(own.status, 200);
      assert.deepEqual(viewReportSchema.parse(await own.json()), await report());
      assert.equal((await read(await world.user())).status, 404);
    });

    it('are refused if they do not fit', async () => {
      for (const body of [
        { views: [] },
        { views: [record({ marks: [360] })] },
        { views: [record({ user: 'ann' })] },
        { visitor: 'two words', views: [record()] },
        { visitor: 'one', address: '203.0.113.1', views: [record()] },
      ]) {
        const { status } = await world.post('/projects/views', body);
        assert.equal(status, 400, JSON.stringify(body));
      }
      const query = await world.get(`/projects/${clip}/views?format=xml`, { as });
      assert.equal(query.status, 400);
      assert.equal((await report()).views, 0);
    });

    it('are deleted with the clip, and with its user', async () => {
      const { db } = world.jobs.service;
      const count = async (): Promise<number> => {
        const { rows } = await sql`select from clip_views where project_id = ${clip}
          union all select from view_visits where project_id = ${clip}`.execute(db);
        return rows.length;
      };
      await send('one', record());
      const { tables } = await readStoredData(db, as);
      assert.equal(tables['clip_views']!.length, 1);
      assert.equal(await count(), 2);
      assert.equal(
        (await world.call('DELETE', `/projects/${clip}`, undefined, { as })).status,
        204,
      );
      assert.equal(await count(), 0);
      clip = (await world.addClip({ userId: as })).projectId;
      await send('one', record());
      assert.equal((await world.call('DELETE', `/users/${as}`)).status, 204);
      assert.equal(await count(), 0);
    });

    it('come by way of the host that the service carries, without a session', async () => {
      const { id } = await world.createOrganization('With a site');
      const { db } = world.jobs.service;
      const page = 'https://www.example.com';
      const run = (words: string) =>
        hostSecrets.run(db, { words: words.split(' '), options: {} }, {});
      await run(`create ${id}`);
      await run(`origins ${id} ${page}`);
      const theirs = await world.addClip({ organizationId: id });
      const beacon = (origin: string) =>
        world.fetch(`${world.url}/host/${id}/views`, {
          method: 'POST',
          headers: { Origin: origin, 'Content-Type': 'text/plain;charset=UTF-8' },
          body: JSON.stringify({ views: [record({ project_id: theirs.projectId })] }),
        });
      assert.equal((await beacon('https://other.example')).status, 403);
      assert.equal((await beacon(page)).status, 204);
      await world.jobs.service.views.write();
      const { rows } = await sql<{ views: number }>`select views from clip_views
        where project_id = ${theirs.projectId}`.execute(db);
      assert.deepEqual(rows, [{ views: 1 }]);
    });
  });
}
