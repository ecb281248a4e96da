import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { exportSchema, startExportRecordSchema, type Export } from 'clip-kit/contract';
import type { QuietWorld } from '../support/quiet-world.ts';
import { assertProblem, eventually, fieldsOf, type Answer } from 'clip-testkit/world';

export function exportSuite(world: () => QuietWorld): void {
  describe('exports', () => {
    let as: string;
    const folder = crypto.randomUUID();
    /** A clip in the folder. */
    let clip: string;
    /** One without a folder. */
    let whole: string;
    /** The answer to a start in the folder. */
    let inFolder: Answer;
    /** Two exports that were started at once. */
    let direct: Export;
    let second: Export;
    before(async () => {
      as = await world().user();
      clip = (await world().addClip({ userId: as, folderId: folder })).projectId;
      whole = (await world().addClip({ userId: as })).projectId;
      inFolder = await world().post(`/projects/${folder}/${clip}/exports`, {}, { as });
      [direct, second] = await Promise.all([start(), start()]);
    });
    const start = async (body?: unknown): Promise<Export> => {
      const answer = await world().call('POST', `/projects/${whole}/exports`, body, { as });
      assert.equal(answer.status, 201, JSON.stringify(answer.body));
      return exportSchema.parse(answer.body);
    };

    it('start with the record of 4.6, which contains the Export Object too', async () => {
      const { status, body } = await world().post(`/projects/${clip}/exports`, {}, { as });
      assert.equal(status, 201);
      const record = startExportRecordSchema.parse(body);
      assert.equal(record.projectId, clip);
      assert.equal(record.status, 'processing');
      assert.ok(Date.parse(body.estimatedReadyAt) > Date.parse(body.created_at));
      const object = exportSchema.parse(body);
      assert.deepEqual(
        [object.project_id, object.folder_id, object.src_url, object.finished_at, object.name],
        [clip, folder, null, null, 'clip'],
      );
      assert.equal(object.revision, 1);
      assert.match(record.id, /^[0-9a-f]{8}-[0-9a-f]{4}-/);
    });

    it('start with the Export Object inside a folder (4.7)', async () => {
      const { status, body } = inFolder;
      assert.equal(status, 201);
      assert.ok(!('projectId' in body));
      const object = exportSchema.parse(body);
      assert.deepEqual(
        [object.status, object.src_url, object.finished_at, object.folder_id, object.author_id],
        ['processing', null, null, folder, as],
      );
      for (const place of [`${folder}/${clip}`, clip]) {
        const { body: read } = await world().get(`/projects/${place}/exports/${object.id}`, { as });
        assert.equal(read.id, object.id);
      }
    });

    it('are new ones at each start', () => assert.notEqual(direct.id, second.id));

    it('are estimated to be ready after those that are queued before them', async () => {
      // Nobody knows how many are worked on at the same time before one was.
      const { id: settledId } = await start();
      const settled = { status: 'ready', work: 10, finished_at: new Date() } as const;
      await world()
        .jobs.service.db.updateTable('exports')
        .set({ ...settled, started_at: new Date(Date.now() - 10_000) })
        .where('id', '=', settledId)
        .execute();
      await eventually(async () => {
        const [one, other] = [await start(), await start()].map((made) =>
          Date.parse(made.estimated_ready_at!),
        );
        assert.ok(other! > one! + 100, `${other! - one!} ms`);
      });
      await world().call('DELETE', `/projects/${whole}/exports/${settledId}`, undefined, { as });
    });

    it('are not made if the watermark cannot be used', async () => {
      const list = `/exports?project_id=${whole}`;
      const before = (await world().get(list, { as })).body.length;
      const path = `/projects/${whole}/exports`;
      for (const [name, reason] of [
        ['talk.mp4', 'watermark-not-image'],
        ['nothing.png', 'watermark-unreachable'],
      ] as const) {
        const watermark = { src_url: world().sources.at(name) };
        const answer = await world().post(path, { watermark }, { as });
        assertProblem(answer, 422, 'unprocessable');
        assert.equal(answer.body.reason, reason);
        assert.deepEqual(fieldsOf(answer), ['watermark.src_url']);
      }
      assert.equal((await world().get(list, { as })).body.length, before);
    });

    it('are 400 if the body does not fit', async () => {
      const path = `/projects/${whole}/exports`;
      const src_url = world().sources.at('logo.png');
      for (const [body, field] of [
        [{ watermark: { src_url, pos_x: 1.1 } }, 'watermark.pos_x'],
        [{ watermark: { src_url, scale: 0 } }, 'watermark.scale'],
        [{ watermark: src_url }, 'watermark'],
        [{ watermark: {} }, 'watermark.src_url'],
        [{ quality: 'best' }, 'quality'],
        [{ preset_id: 'p', watermark: { src_url } }, 'watermark'],
      ] as const) {
        const answer = await world().post(path, body, { as });
        assertProblem(answer, 400, 'invalid-request');
        assert.deepEqual(fieldsOf(answer), [field]);
      }
    });

    it('are 404 for clips of other users, of other folders, and for unknown clips', async () => {
      const other = await world().user();
      const none = crypto.randomUUID();
      for (const [path, options] of [
        [`/projects/${clip}/exports`, { as: other }],
        [`/projects/${folder}/${clip}/exports`, { as: other }],
        [`/projects/${clip}/exports`, {}],
        [`/projects/${none}/exports`, { as }],
        [`/projects/${none}/${clip}/exports`, { as }],
        [`/projects/${folder}/${whole}/exports`, { as }],
      ] as const) {
        assertProblem(await world().post(path, {}, options), 404, 'clip-not-found');
      }
    });

    it('are read only by their own user, at their own clip (4.8)', async () => {
      const other = await world().user();
      for (const [path, options] of [
        [`/projects/${whole}/exports/${direct.id}`, { as: other }],
        [`/projects/${clip}/exports/${direct.id}`, { as }],
        [`/projects/${folder}/${whole}/exports/${direct.id}`, { as }],
        [`/projects/${whole}/exports/${crypto.randomUUID()}`, { as }],
        [`/projects/${whole}/exports/x`, { as }],
      ] as const) {
        assertProblem(await world().get(path, options), 404, 'export-not-found');
      }
    });

    it('are listed with filters (4.9)', async () => {
      const ids = async (query: string, user = as): Promise<string[]> => {
        const { status, body } = await world().get(`/exports${query}`, { as: user });
        assert.equal(status, 200);
        return body.map((item: unknown) => exportSchema.parse(item).id);
      };
      const all = await ids('');
      assert.ok(all.includes(inFolder.body.id) && all.includes(direct.id));
      const ofFolder = await ids(`?folder_id=${folder}`);
      assert.ok(ofFolder.includes(inFolder.body.id) && !ofFolder.includes(direct.id));
      const ofProject = await ids(`?project_id=${whole}`);
      assert.ok(ofProject.includes(direct.id) && !ofProject.includes(inFolder.body.id));
      assert.deepEqual(await ids(`?folder_id=${folder}&project_id=${whole}`), []);
      assert.deepEqual(await ids('?folder_id=nowhere'), []);
      assert.deepEqual(await ids('', await world().user()), []);
    });

    it('are given in pages to those who ask for them', async () => {
      const all = (await world().get('/exports', { as })).body;
      assert.ok(all.length > 2);
      const pages: { id: string }[][] = [];
      for (let path: string | undefined = '/exports?limit=2'; path !== undefined;) {
        const { status, body, headers } = await world().get(path, { as });
        assert.equal(status, 200, JSON.stringify(body));
        pages.push(body);
        path = /<[^>]*\/v2([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
      }
      const ids = (list: { id: string }[]): string[] => list.map(({ id }) => id);
      assert.deepEqual(ids(pages.flat()), ids(all));
      assert.ok(pages.slice(0, -1).every((page) => page.length === 2));
      const ofProject = await world().get(`/exports?limit=1&project_id=${whole}`, { as });
      assert.match(ofProject.headers.get('link') ?? '', new RegExp(`project_id=${whole}`));
      for (const [query, field] of [
        ['limit=0', 'limit'],
        ['limit=1001', 'limit'],
        ['limit=2&cursor=nowhere', 'cursor'],
        [`limit=2&cursor=${all[0].id}`, 'cursor'],
      ]) {
        const answer = await world().get(`/exports?${query}`, { as });
        assertProblem(answer, 400, 'invalid-request');
        assert.deepEqual(fieldsOf(answer), [field]);
      }
    });

    it('go on after an export that has been deleted since', async () => {
      const user = await world().user();
      const { projectId: mine } = await world().addClip({ userId: user });
      const made: string[] = [];
      for (let count = 0; count < 3; count += 1) {
        const { body } = await world().post(`/projects/${mine}/exports`, {}, { as: user });
        made.unshift(body.id);
      }
      const first = await world().get('/exports?limit=2', { as: user });
      const next = /<[^>]*\/v2([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1];
      const last = `/projects/${mine}/exports/${made[1]}`;
      assert.equal((await world().call('DELETE', last, undefined, { as: user })).status, 204);
      const { body } = await world().get(next!, { as: user });
      assert.deepEqual(
        body.map(({ id }: { id: string }) => id),
        [made[2]],
      );
    });

    it('are 400 for unknown filters', async () => {
      const unknown = await world().get('/exports?status=ready', { as });
      assertProblem(unknown, 400, 'invalid-request');
      assert.deepEqual(fieldsOf(unknown), ['status']);
      const twice = await world().get('/exports?project_id=a&project_id=b', { as });
      assert.deepEqual(fieldsOf(twice), ['project_id']);
    });

    it('hold the answer until one has changed, by Prefer: wait (RFC 7240)', async () => {
      const asked = world().get('/exports', { as, headers: { Prefer: 'wait=20' } });
      await eventually(() => assert.equal(world().jobs.service.changes.waiting, 1));
      await world().finish(direct.id);
      const held = await asked;
      assert.equal(held.headers.get('preference-applied'), 'wait=20');
      const ready = held.body.filter((item: Export) => item.status === 'ready');
      assert.deepEqual(
        ready.map(({ id }: Export) => id),
        [direct.id],
      );
      const plain = await world().get('/exports', { as });
      assert.equal(plain.headers.get('preference-applied'), null);
    });
  });
}
