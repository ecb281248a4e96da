import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { exportSchema, taskSchema, type Export, type Project } from 'clip-kit/contract';
import type { World } from '../support/world.ts';

export function estimateSuite(world: () => World): void {
  describe('estimates and progress', () => {
    let as: string;
    let clip: Project;
    before(async () => {
      ({ as, whole: clip } = await world().library());
    });
    const start = async (): Promise<Export> => {
      const { status, body } = await world().post(`/projects/${clip.id}/exports`, {}, { as });
      assert.equal(status, 201, JSON.stringify(body));
      return exportSchema.parse(body);
    };
    const all = async (): Promise<Export[]> =>
      (await world().get(`/exports?project_id=${clip.id}`, { as })).body.map((one: unknown) =>
        exportSchema.parse(one),
      );
    const estimate = (one: Export): number => Date.parse(one.estimated_ready_at ?? '');

    it('count the queue before them, and come nearer as it gets shorter', async () => {
      const started: Export[] = [];
      for (let index = 0; index < 5; index += 1) started.push(await start());
      const first = started.map(estimate);
      assert.ok(first.at(-1)! > first[0]! + 500, 'the last waits for those before it');
      const shares = new Map<string, number>();
      for (;;) {
        const asked = Date.now();
        const found = await all();
        const open = found.filter(({ status }) => status === 'processing');
        for (const one of open) {
          assert.ok(estimate(one) > asked, 'never in the past while it is not ready');
          const share = one.progress?.share ?? 0;
          assert.ok(share >= (shares.get(one.id) ?? 0), 'never back');
          shares.set(one.id, share);
          assert.ok(['queued', 'render'].includes(one.progress?.stage ?? ''));
        }
        if (open.length === 0) break;
        await setTimeout(20);
      }
      for (const one of await all()) {
        assert.equal(one.status, 'ready');
        assert.equal(one.estimated_ready_at, one.finished_at, 'the actual time, once it is known');
      }
    });

    it('of a task go through its stages, never back', async () => {
      const created = await world().post('/tasks/video-to-shorts', world().shorts(), { as });
      assert.equal(created.status, 201);
      const seen: { stage: string; share: number; left: number | null | undefined }[] = [];
      for (;;) {
        const { body } = await world().get(`/tasks/${created.body.id}`, { as });
        const { status, progress } = taskSchema.parse(body);
        if (status !== 'processing' || !progress) break;
        seen.push({ stage: progress.stage, share: progress.share, left: progress.seconds_left });
        await setTimeout(5);
      }
      const order = ['queued', 'ingest', 'scan', 'transcript', 'candidates', 'preview'];
      seen.forEach(({ stage, share, left }, index) => {
        const before = seen[index - 1];
        if (before) {
          assert.ok(order.indexOf(stage) >= order.indexOf(before.stage), stage);
          assert.ok(share >= before.share);
        }
        if (stage === 'preview') assert.ok(typeof left === 'number' && left >= 0);
        else assert.equal(left, null, 'not known before the clips are');
      });
      const stages = new Set(seen.map(({ stage }) => stage));
      assert.ok(stages.has('scan') && stages.has('preview'), [...stages].join());
    });
  });
}
