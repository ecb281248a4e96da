import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nextShown } from '../../src/worker/progress.ts';
import { computeTaskShare, taskStages } from '../../src/tasks/rules.ts';
import { randomFrom } from 'clip-testkit/random';

describe('the progress that is shown', () => {
  it('begins with what is told first', () => {
    assert.deepEqual(nextShown(null, { stage: 'scan', share: 0.2 }), { stage: 'scan', share: 0.2 });
  });

  it('takes every new stage, and no step too small to be seen', () => {
    const before = { stage: 'scan', share: 0.3 };
    assert.deepEqual(nextShown(before, { stage: 'preview', share: 0.3 }), {
      stage: 'preview',
      share: 0.3,
    });
    assert.equal(nextShown(before, { stage: 'scan', share: 0.3005 }), null);
    assert.equal(nextShown(before, before), null);
    const download = { ...before, detail: { bytes: 4, totalBytes: 161 } };
    assert.deepEqual(nextShown(before, download), download);
  });

  it('never goes back and stays between 0 and 1, whatever is told', () => {
    const random = randomFrom(11);
    let share = 0;
    let shown = nextShown(null, { stage: 'a', share });
    for (let round = 0; round < 500; round += 1) {
      const reported = [random(), -1, 2, NaN][Math.floor(random() * 4)]!;
      const next = nextShown(shown, { stage: random() < 0.5 ? 'a' : 'b', share: reported });
      if (!next) continue;
      assert.ok(next.share >= share && next.share <= 1);
      shown = next;
      share = next.share;
    }
  });
});

describe('the stages of a task', () => {
  it('join without a gap from 0 to 1', () => {
    assert.equal(computeTaskShare(taskStages[0][0], 0), 0);
    taskStages.forEach(([stage], index) => {
      const next = taskStages[index + 1];
      assert.equal(computeTaskShare(stage, 1), next ? computeTaskShare(next[0], 0) : 1);
      assert.ok(computeTaskShare(stage, 0) < computeTaskShare(stage, 0.5));
    });
  });
});
