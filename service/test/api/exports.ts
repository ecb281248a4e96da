import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import {
  exportSchema,
  startExportRecordSchema,
  type Export,
  type Project,
} from 'clip-kit/contract';
import { probe } from '../support/footage.ts';
import { assertProblem, fieldsOf, type Answer, type World } from '../support/world.ts';

export function exportSuite(world: () => World): void {
  describe('exports', () => {
    let as: string;
    let clip: Project;
    let whole: Project;
    /** The answer to a start in a folder. */
    let inFolder: Answer;
    /** Two exports that were started at once. */
    let direct: Export;
    let second: Export;
    before(async () => {
      ({ as, clip, whole } = await world().library());
      const path = `/projects/${clip.folder_id}/${clip.id}/exports`;
      inFolder = await world().post(path, {}, { as });
      [direct, second] = await Promise.all([start(), start()]);
    });
    const start = async (body?: unknown): Promise<Export> => {
      const answer = await world().call('POST', `/projects/${whole.id}/exports`, body, { as });
      assert.equal(answer.status, 201, JSON.stringify(answer.body));
      return exportSchema.parse(answer.body);
    };

    it('start with the record of 4.6, which contains the Export Object too', async () => {
      const { status, body } = await world().post(`/projects/${clip.id}/exports`, {}, { as });
      assert.equal(status, 201);
      const record = startExportRecordSchema.parse(body);
      assert.equal(record.projectId, clip.id);
      assert.equal(record.status, 'processing');
      assert.ok(Date.parse(body.estimatedReadyAt) > Date.parse(body.created_at));
      const object = exportSchema.parse(body);
      assert.deepEqual(
        [object.project_id, object.folder_id, object.src_url, object.finished_at, object.name],
        [clip.id, clip.folder_id, null, null, clip.name],
      );
      assert.match(record.id, /^[0-9a-f]{8}-[0-9a-f]{4}-/);
    });

    it('start with the Export Object inside a folder (4.7)', async () => {
      const { status, body } = inFolder;
      assert.equal(status, 201);
      assert.ok(!('projectId' in body));
      const object = exportSchema.parse(body);
      assert.deepEqual(
        [object.status, object.src_url, object.finished_at, object.folder_id, object.author_id],
        ['processing', null, null, clip.folder_id, as],
      );
      for (const place of [`${clip.folder_id}/${clip.id}`, clip.id]) {
        const { body: read } = await world().get(`/projects/${place}/exports/${object.id}`, { as });
        assert.equal(read.id, object.id);
      }
    });

    it('are new ones at each start', () => assert.notEqual(direct.id, second.id));

    it('become ready with a public file of the requested size', async () => {
      const ready = await world().finishExport(direct, as);
      assert.equal(ready.status, 'ready', JSON.stringify(ready.failure));
      assert.equal(ready.watermarked, false);
      assert.equal(ready.folder_id, null);
      assert.ok(ready.finished_at !== null && ready.src_url !== null);
      const response = await fetch(ready.src_url);
      assert.equal(response.status, 200);
      const file = join(world().directory, `${ready.id}.mp4`);
      await writeFile(file, new Uint8Array(await response.arrayBuffer()));
      const { width, height, codecs, seconds } = await probe(file);
      assert.deepEqual([width, height, codecs.sort()], [108, 192, ['aac', 'h264']]);
      assert.ok(Math.abs(seconds - 3) < 0.2, `${seconds} s`);
    });

    it('take a watermark', async () => {
      const watermark = { src_url: world().sources.at('logo.png'), pos_x: 0.9, pos_y: 0.1 };
      const started = await start({ watermark });
      assert.equal(started.watermarked, true);
      const ready = await world().finishExport(started, as);
      assert.equal(ready.status, 'ready', JSON.stringify(ready.failure));
    });

    it('are not made if the watermark cannot be used', async () => {
      const list = `/exports?project_id=${whole.id}`;
      const before = (await world().get(list, { as })).body.length;
      const path = `/projects/${whole.id}/exports`;
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
      const path = `/projects/${whole.id}/exports`;
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
        [`/projects/${clip.id}/exports`, { as: other }],
        [`/projects/${clip.folder_id}/${clip.id}/exports`, { as: other }],
        [`/projects/${clip.id}/exports`, {}],
        [`/projects/${none}/exports`, { as }],
        [`/projects/${none}/${clip.id}/exports`, { as }],
        [`/projects/${clip.folder_id}/${whole.id}/exports`, { as }],
      ] as const) {
        assertProblem(await world().post(path, {}, options), 404, 'clip-not-found');
      }
    });

    it('are read only by their own user, at their own clip (4.8)', async () => {
      const other = await world().user();
      for (const [path, options] of [
        [`/projects/${whole.id}/exports/${direct.id}`, { as: other }],
        [`/projects/${clip.id}/exports/${direct.id}`, { as }],
        [`/projects/${clip.folder_id}/${whole.id}/exports/${direct.id}`, { as }],
        [`/projects/${whole.id}/exports/${crypto.randomUUID()}`, { as }],
        [`/projects/${whole.id}/exports/x`, { as }],
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
      const ofFolder = await ids(`?folder_id=${clip.folder_id}`);
      assert.ok(ofFolder.includes(inFolder.body.id) && !ofFolder.includes(direct.id));
      const ofProject = await ids(`?project_id=${whole.id}`);
      assert.ok(ofProject.includes(direct.id) && !ofProject.includes(inFolder.body.id));
      assert.deepEqual(await ids(`?folder_id=${clip.folder_id}&project_id=${whole.id}`), []);
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
      const ofProject = await world().get(`/exports?limit=1&project_id=${whole.id}`, { as });
      assert.match(ofProject.headers.get('link') ?? '', new RegExp(`project_id=${whole.id}`));
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
      const mine = await world().makeWhole(user);
      const made: string[] = [];
      for (let count = 0; count < 3; count += 1) {
        const { body } = await world().post(`/projects/${mine.id}/exports`, {}, { as: user });
        made.unshift(body.id);
      }
      const first = await world().get('/exports?limit=2', { as: user });
      const next = /<[^>]*\/v2([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1];
      const last = `/projects/${mine.id}/exports/${made[1]}`;
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
      await start();
      const held = await world().get('/exports', { as, headers: { Prefer: 'wait=20' } });
      assert.equal(held.headers.get('preference-applied'), 'wait=20');
      const open = held.body.filter((item: Export) => item.status === 'processing').length;
      assert.ok(open < held.body.length);
      const plain = await world().get('/exports', { as });
      assert.equal(plain.headers.get('preference-applied'), null);
    });
  });
}
