import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { QuietWorld } from '../support/quiet-world.ts';
import { assertProblem, fieldsOf } from 'clip-testkit/world';

export function presetSuite(world: () => QuietWorld): void {
  describe('style presets (sections 4.1, 4.2 and variant B of 4.7)', () => {
    let clip: string;
    before(async () => {
      clip = (await world().addClip()).projectId;
    });

    it('are listed beside /v2, for anyone', async () => {
      const response = await world().fetch('/presets');
      assert.equal(response.status, 200);
      const list = (await response.json()) as { id: string; name: string; style: object }[];
      assert.ok(list.length >= 8);
      assert.deepEqual(
        list.map(({ id }) => id),
        list.map(({ id }) => id).sort(),
      );
      assert.ok(list.every(({ name, style }) => name && style));
    });

    it('are 422 where there is no such one, with the ids that there are', async () => {
      const tasks = '/tasks/video-to-shorts';
      for (const [path, body, field] of [
        [tasks, world().shorts({ style_preset_id: 'bold' }), 'style_preset_id'],
        [`/projects/${clip}/exports`, { preset_id: 'bold' }, 'preset_id'],
      ] as const) {
        const answer = await world().post(path, body);
        assertProblem(answer, 422, 'unprocessable');
        assert.equal(answer.body.reason, 'preset-unknown');
        assert.deepEqual(fieldsOf(answer), [field]);
        assert.match(answer.body.detail, /"bold".*classic, .*punch/);
      }
    });
  });
}
