import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { QuietWorld } from '../support/quiet-world.ts';
import { assertProblem, eventually } from 'clip-testkit/world';

export function downloadSuite(world: () => QuietWorld): void {
  describe('GET /projects/{clip_id}/download (4.10)', () => {
    let clip: string;
    let path: string;
    before(async () => {
      clip = (await world().addClip()).projectId;
      path = `/projects/${clip}/download`;
      const { db } = world().jobs.service;
      await db.updateTable('projects').set({ name: 'Früh/跑步' }).where('id', '=', clip).execute();
    });
    const start = async (of = clip): Promise<string> =>
      (await world().post(`/projects/${of}/exports`)).body.id;
    const fetchFile = (query = '', headers: Record<string, string> = {}, method = 'GET') =>
      world().fetch(`/v2${path}${query}`, {
        method,
        headers: { Authorization: `Bearer ${world().key}`, ...headers },
      });
    const exports = async (): Promise<{ id: string; src_url: string; status: string }[]> =>
      (await world().get(`/exports?project_id=${clip}`)).body;
    const waiting = (count: number) =>
      eventually(() => assert.equal(world().jobs.service.changes.waiting, count));

    it('waits for the render and streams the MP4 under the clip’s name', async () => {
      const id = await start();
      const asked = fetchFile(`?export_id=${id}`);
      await waiting(1);
      await world().finish(id);
      const response = await asked;
      assert.equal(response.status, 200);
      assert.equal(response.headers.get('content-type'), 'video/mp4');
      assert.equal(
        response.headers.get('content-disposition'),
        `attachment; filename="Fr_h___.mp4"; filename*=UTF-8''Fr%C3%BCh_%E8%B7%91%E6%AD%A5.mp4`,
      );
      const bytes = new Uint8Array(await response.arrayBuffer());
      assert.equal(String(bytes.length), response.headers.get('content-length'));
      const [made] = await exports();
      const linked = await world().fetch(made!.src_url);
      assert.deepEqual(bytes, new Uint8Array(await linked.arrayBuffer()));
      const part = await fetchFile(`?export_id=${id}`, { Range: 'bytes=0-9' });
      assert.equal(part.status, 206);
      assert.deepEqual(new Uint8Array(await part.arrayBuffer()), bytes.slice(0, 10));
    });

    it('without export_id, waits for the current render or starts one', async () => {
      const before = (await exports()).length;
      const asked = [1, 2, 3].map(() => fetchFile());
      await waiting(3);
      const [only, ...others] = (await exports()).slice(0, -before);
      assert.deepEqual(others, [], 'one render for all three');
      await world().finish(only!.id);
      for (const answer of await Promise.all(asked)) {
        assert.equal(answer.status, 200);
        await answer.arrayBuffer();
      }
      const again = fetchFile();
      await waiting(1);
      const [newest] = await exports();
      assert.notEqual(newest!.id, only!.id, 'a finished one is not reused');
      await world().finish(newest!.id);
      await (await again).arrayBuffer();
    });

    it('never starts a render for HEAD', async () => {
      const before = (await exports()).length;
      assert.equal((await fetchFile('', {}, 'HEAD')).status, 405);
      assert.equal((await exports()).length, before);
    });

    it('is 404 for an unknown or another user’s clip or export, and 400 for an unknown parameter', async () => {
      const other = await start((await world().addClip()).projectId);
      for (const id of [other, 'x']) {
        assertProblem(await world().get(`${path}?export_id=${id}`), 404, 'export-not-found');
      }
      assertProblem(await world().get(path, { as: await world().user() }), 404, 'clip-not-found');
      assertProblem(await world().get(`${path}?quality=1`), 400, 'invalid-request');
    });

    it('is 504 if the render fails, and another start is possible', async () => {
      const id = await start();
      const { db } = world().jobs.service;
      const failed = { status: 'error' as const, finished_at: new Date() };
      await db.updateTable('exports').set(failed).where('id', '=', id).execute();
      const answer = await world().get(`${path}?export_id=${id}`);
      assertProblem(answer, 504, 'service-timeout');
      assert.equal(answer.body.error, 'Export timed out or failed.');
      await world().finish(await start());
    });

    it('is 504 if the render takes too long, and the render goes on (rule 4)', async () => {
      const hasty = world().calls({ downloadWaitMs: 0 });
      const answer = await hasty.get(path);
      assertProblem(answer, 504, 'service-timeout');
      assert.equal((await exports())[0]!.status, 'processing');
    });
  });
}
