import assert from 'node:assert/strict';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { exportSchema } from 'clip-kit/contract';
import { assertProblem, type World } from '../support/world.ts';

export function downloadSuite(world: () => World): void {
  describe('GET /projects/{clip_id}/download (4.10)', () => {
    const fetchFile = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
      fetch(`${world().service.url}/v2${path}`, {
        method,
        headers: { Authorization: `Bearer ${world().key}`, ...headers },
      });
    const exportsOf = async (project: string): Promise<{ id: string; src_url: string }[]> =>
      (await world().get(`/exports?project_id=${project}`)).body;

    it('waits for the render and streams the MP4 under the clip’s name', async () => {
      const clip = await world().makeWhole(undefined, { name: 'Top 5: 100% (ok)' });
      const started = await world().post(`/projects/${clip.id}/exports`);
      const response = await fetchFile(
        `/projects/${clip.id}/download?export_id=${started.body.id}`,
      );
      assert.equal(response.status, 200);
      assert.equal(response.headers.get('content-type'), 'video/mp4');
      assert.equal(
        response.headers.get('content-disposition'),
        'attachment; filename="Top_5__100___ok_.mp4"',
      );
      const bytes = new Uint8Array(await response.arrayBuffer());
      assert.equal(String(bytes.length), response.headers.get('content-length'));
      const [made] = await exportsOf(clip.id);
      const linked = await fetch(made?.src_url ?? '');
      assert.deepEqual(bytes, new Uint8Array(await linked.arrayBuffer()));

      const part = await fetchFile(`/projects/${clip.id}/download?export_id=${started.body.id}`, {
        Range: 'bytes=0-9',
      });
      assert.equal(part.status, 206);
      assert.deepEqual(new Uint8Array(await part.arrayBuffer()), bytes.slice(0, 10));
    });

    it('keeps letters of other languages in filename*', async () => {
      const clip = await world().makeWhole(undefined, { name: 'Früh/跑步' });
      const response = await fetchFile(`/projects/${clip.id}/download`);
      await response.arrayBuffer();
      assert.equal(
        response.headers.get('content-disposition'),
        `attachment; filename="Fr_h___.mp4"; filename*=UTF-8''Fr%C3%BCh_%E8%B7%91%E6%AD%A5.mp4`,
      );
    });

    it('without export_id, takes the render under way or starts one', async () => {
      const clip = await world().makeWhole();
      const answers = await Promise.all(
        [1, 2, 3].map(() => fetchFile(`/projects/${clip.id}/download`)),
      );
      for (const answer of answers) {
        assert.equal(answer.status, 200);
        await answer.arrayBuffer();
      }
      assert.equal((await exportsOf(clip.id)).length, 1, 'all three waited for the same render');
      await (await fetchFile(`/projects/${clip.id}/download`)).arrayBuffer();
      assert.equal((await exportsOf(clip.id)).length, 2, 'a finished render is not taken again');
    });

    it('never starts a render for HEAD', async () => {
      const clip = await world().anyWhole();
      const before = (await exportsOf(clip.id)).length;
      assert.equal((await fetchFile(`/projects/${clip.id}/download`, {}, 'HEAD')).status, 405);
      assert.equal((await exportsOf(clip.id)).length, before);
    });

    it('is 404 for what is not there or not one’s own, and 400 by an unknown parameter', async () => {
      const clip = await world().makeWhole();
      const other = await world().anyWhole();
      const started = await world().post(`/projects/${other.id}/exports`);
      const path = `/projects/${clip.id}/download`;
      assertProblem(
        await world().get(`${path}?export_id=${started.body.id}`),
        404,
        'export-not-found',
      );
      assertProblem(await world().get(`${path}?export_id=x`), 404, 'export-not-found');
      assertProblem(await world().get(path, { as: await world().user() }), 404, 'clip-not-found');
      assertProblem(await world().get(`${path}?quality=1`), 400, 'invalid-request');
    });

    it('is 504 where the render fails; a new export works once the cause is gone', async () => {
      const created = await world().post('/tasks/video-to-video', world().whole());
      const task = await world().finishTask(created.body.id);
      const directory = join(world().directory, 'data', 'files', 'sources', task.id);
      await rename(directory, `${directory}-away`);
      const started = exportSchema.parse(
        (await world().post(`/projects/${task.output_id}/exports`)).body,
      );
      const failed = await world().finishExport(started);
      assert.equal(failed.status, 'error');
      assert.equal(failed.src_url, null);
      assert.equal(failed.failure?.code, 'render-failed');
      const path = `/projects/${task.output_id}/download`;
      const answer = await world().get(`${path}?export_id=${started.id}`);
      assertProblem(answer, 504, 'service-timeout');
      assert.equal(answer.body.error, 'Export timed out or failed.');

      await rename(`${directory}-away`, directory);
      const again = await fetchFile(path);
      assert.equal(again.status, 200);
      await again.arrayBuffer();
    });
  });
}
