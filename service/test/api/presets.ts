import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { exportSchema, type Project } from 'clip-kit/contract';
import { assertProblem, fieldsOf, type World } from '../support/world.ts';

export function presetSuite(world: () => World): void {
  describe('style presets (sections 4.1, 4.2 and variant B of 4.7)', () => {
    let as: string;
    let clip: Project;
    before(async () => {
      as = await world().user();
      clip = await world().makeWhole(as, {
        style_preset_id: 'punch',
        editing_options: { captions: true, intro_title: true },
      });
    });
    const exported = async (body: object): Promise<Uint8Array> => {
      const answer = await world().post(`/projects/${clip.id}/exports`, body, { as });
      assert.equal(answer.status, 201, JSON.stringify(answer.body));
      const done = await world().finishExport(exportSchema.parse(answer.body), as);
      assert.equal(done.status, 'ready');
      return new Uint8Array(await (await fetch(done.src_url!)).arrayBuffer());
    };

    it('are listed beside /v2, for anyone', async () => {
      const response = await fetch(`${world().service.url}/presets`);
      assert.equal(response.status, 200);
      const list = (await response.json()) as { id: string; name: string; style: object }[];
      assert.ok(list.length >= 8);
      assert.deepEqual(
        list.map(({ id }) => id),
        list.map(({ id }) => id).sort(),
      );
      assert.ok(list.every(({ name, style }) => name && style));
    });

    it('change the picture: the clip’s own, and another by preset_id', async () => {
      const own = await exported({});
      const same = await exported({ preset_id: 'punch' });
      const other = await exported({ preset_id: 'card' });
      assert.deepEqual(same, own, 'the same style is the same file');
      assert.notDeepEqual(other, own);
    });

    it('are 422 where there is no such one, with the ids that there are', async () => {
      const tasks = '/tasks/video-to-shorts';
      for (const [path, body, field] of [
        [tasks, world().shorts({ style_preset_id: 'bold' }), 'style_preset_id'],
        [`/projects/${clip.id}/exports`, { preset_id: 'bold' }, 'preset_id'],
      ] as const) {
        const answer = await world().post(path, body, { as });
        assertProblem(answer, 422, 'unprocessable');
        assert.equal(answer.body.reason, 'preset-unknown');
        assert.deepEqual(fieldsOf(answer), [field]);
        assert.match(answer.body.detail, /"bold".*classic, .*punch/);
      }
    });

    it('are 400 together with a watermark (4.7)', async () => {
      const watermark = { src_url: world().sources.at('logo.png') };
      const body = { preset_id: 'card', watermark };
      const answer = await world().post(`/projects/${clip.id}/exports`, body, { as });
      assertProblem(answer, 400, 'invalid-request');
    });
  });
}
