import assert from 'node:assert/strict';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { exportSchema, type Task } from 'clip-kit/contract';
import { assertProblem, type World } from '../support/world.ts';

export function downloadSuite(world: () => World): void {
  describe('GET /projects/{clip_id}/download (4.10)', () => {
    let task: Task;
    let clip: string;
    before(async () => {
      const body = world().whole({ name: 'Früh/跑步' });
      const created = await world().post('/tasks/video-to-video', body);
      task = await world().finishTask(created.body.id);
      clip = task.output_id;
    });
    const fetchFile = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
      fetch(`${world().service.url}/v2${path}`, {
        method,
        headers: { Authorization: `Bearer ${world().key}`, ...headers },
      });
    const exportsOf = async (project: string): Promise<{ id: string; src_url: string }[]> =>
      (await world().get(`/exports?project_id=${project}`)).body;

    it('waits for the render and streams the MP4 under the clip’s name', async () => {
      const started = await world().post(`/projects/${clip}/exports`);
      const response = await fetchFile(`/projects/${clip}/download?export_id=${started.body.id}`);
      assert.equal(response.status, 200);
      assert.equal(response.headers.get('content-type'), 'video/mp4');
      assert.equal(
        response.headers.get('content-disposition'),
        `attachment; filename="Fr_h___.mp4"; filename*=UTF-8''Fr%C3%BCh_%E8%B7%91%E6%AD%A5.mp4`,
      );
      const bytes = new Uint8Array(await response.arrayBuffer());
      assert.equal(String(bytes.length), response.headers.get('content-length'));
      const [made] = await exportsOf(clip);
      const linked = await fetch(made?.src_url ?? '');
      assert.deepEqual(bytes, new Uint8Array(await linked.arrayBuffer()));

      const part = await fetchFile(`/projects/${clip}/download?export_id=${started.body.id}`, {
        Range: 'bytes=0-9',
      });
      assert.equal(part.status, 206);
      assert.deepEqual(new Uint8Array(await part.arrayBuffer()), bytes.slice(0, 10));
    });

    it('without export_id, waits for the current render or starts one', async () => {
      const before = (await exportsOf(clip)).length;
      const answers = await Promise.all(
        [1, 2, 3].map(() => fetchFile(`/projects/${clip}/download`)),
      );
      for (const answer of answers) {
        assert.equal(answer.status, 200);
        await answer.arrayBuffer();
      }
      assert.equal((await exportsOf(clip)).length, before + 1, 'one render for all three');
      await (await fetchFile(`/projects/${clip}/download`)).arrayBuffer();
      assert.equal((await exportsOf(clip)).length, before + 2, 'a finished one is not reused');
    });

    it('never starts a render for HEAD', async () => {
      const before = (await exportsOf(clip)).length;
      assert.equal((await fetchFile(`/projects/${clip}/download`, {}, 'HEAD')).status, 405);
      assert.equal((await exportsOf(clip)).length, before);
    });

    it('is 404 for an unknown or another user’s clip or export, and 400 for an unknown parameter', async () => {
      const other = await world().anyWhole();
      const started = await world().post(`/projects/${other.id}/exports`);
      const path = `/projects/${clip}/download`;
      assertProblem(
        await world().get(`${path}?export_id=${started.body.id}`),
        404,
        'export-not-found',
      );
      assertProblem(await world().get(`${path}?export_id=x`), 404, 'export-not-found');
      assertProblem(await world().get(path, { as: await world().user() }), 404, 'clip-not-found');
      assertProblem(await world().get(`${path}?quality=1`), 400, 'invalid-request');
    });

    it('is 504 if the render fails; a new export works once the cause is gone', async () => {
      const directory = join(world().directory, 'data', 'files', 'sources', task.id);
      await rename(directory, `${directory}-away`);
      const started = exportSchema.parse((await world().post(`/projects/${clip}/exports`)).body);
      const failed = await world().finishExport(started);
      assert.equal(failed.status, 'error');
      assert.equal(failed.src_url, null);
      assert.equal(failed.failure?.code, 'render-failed');
      const path = `/projects/${clip}/download`;
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
