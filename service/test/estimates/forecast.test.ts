import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  forecast,
  remainingCost,
  type ForecastJob,
  type Machine,
} from '../../src/estimates/forecast.ts';
import { randomFrom } from '../support/random.ts';

const each = (slots: number) => ({ scan: slots, preview: slots, export: slots });
const machine: Machine = { slots: each(1), single: 1, aggregate: 1 };
const job = (id: string, more: Partial<ForecastJob> = {}): ForecastJob => ({
  ...{ id, kind: 'export', running: false, idle: 0, cpu: 10 },
  ...more,
});
const near = (actual: number | undefined, wanted: number) =>
  assert.ok(Math.abs((actual ?? NaN) - wanted) < 1e-6, `${actual} is not ${wanted}`);

describe('the forecast of the queue', () => {
  it('is a job’s processor seconds on the processors that it keeps busy', () => {
    near(forecast([job('a')], { ...machine, single: 2 }).get('a'), 5);
  });

  it('waits for its turn: what runs has its place until it is done', () => {
    const done = forecast([job('late'), job('first', { running: true, cpu: 4 })], machine);
    near(done.get('first'), 4);
    near(done.get('late'), 14);
  });

  it('fills every place, and no more', () => {
    const wide = { slots: each(2), single: 1, aggregate: 2 };
    const done = forecast([job('a'), job('b', { cpu: 4 }), job('c', { cpu: 4 })], wide);
    assert.deepEqual(
      ['a', 'b', 'c'].map((id) => Math.round(done.get(id)!)),
      [10, 4, 8],
    );
  });

  it('shares the processors with the previews of a task, though those stand in another queue', () => {
    const done = forecast([job('task', { kind: 'scan', cpu: 2 }), job('a')], machine);
    near(done.get('task'), 4);
    near(done.get('a'), 12);
  });

  it('counts time that needs no processor', () => {
    near(forecast([job('a', { idle: 3, cpu: 2 })], machine).get('a'), 5);
  });

  it('begins the next of each kind when one is done: a copy hardly keeps the queue', () => {
    const done = forecast([job('copy', { idle: 1, cpu: 0 }), job('a')], machine);
    near(done.get('copy'), 1);
    near(done.get('a'), 11);
  });

  const random = randomFrom(5);
  const anyJobs = (): ForecastJob[] =>
    Array.from({ length: 1 + Math.floor(random() * 12) }, (_, index) => ({
      id: String(index),
      kind: random() < 0.7 ? 'export' : 'preview',
      running: index < 2 && random() < 0.5,
      idle: random() < 0.5 ? 0 : random() * 3,
      cpu: random() < 0.1 ? 0 : random() * 30,
    }));
  const anyMachine = (): Machine => {
    const single = 0.3 + random() * 4;
    return {
      slots: each(1 + Math.floor(random() * 4)),
      single,
      aggregate: single * (1 + random()),
    };
  };

  it('has every job end, none before its own work could be done', () => {
    for (let round = 0; round < 300; round += 1) {
      const [jobs, on] = [anyJobs(), anyMachine()];
      const done = forecast(jobs, on);
      assert.equal(done.size, jobs.length);
      for (const { id, idle, cpu } of jobs) {
        const end = done.get(id)!;
        assert.ok(Number.isFinite(end) && end >= idle + cpu / on.single - 1e-6);
      }
      const all = jobs.reduce(
        (sum, { idle, cpu }) => sum + idle + cpu / Math.min(on.single, on.aggregate),
        0,
      );
      assert.ok(Math.max(...done.values()) <= all * jobs.length + 1e-6);
    }
  });

  it('never foretells an earlier end where work is added behind, or made more', () => {
    for (let round = 0; round < 300; round += 1) {
      const [jobs, on] = [anyJobs(), { ...anyMachine(), slots: each(1) }];
      const before = forecast(jobs, on);
      const changed = jobs.map((one) => ({ ...one, cpu: one.cpu * (1 + random()) }));
      const after = forecast([...changed, job('more', { cpu: random() * 20 })], on);
      // With one place a kind nobody overtakes; only sharing can shift, and work that waits takes
      // none.
      for (const { id } of jobs) assert.ok(after.get(id)! >= before.get(id)! - 1e-6);
    }
  });
});

describe('what is left of a running job', () => {
  it('is what was estimated while nothing is known of its pace', () => {
    assert.equal(remainingCost(10, 0, 0), 10);
  });

  it('follows its own pace the more, the further it is', () => {
    // Twice as dear as estimated.
    const left = [0.1, 0.5, 0.9].map(
      (share) => remainingCost(10, share, 20 * share) / (20 * (1 - share)),
    );
    assert.ok(left[0]! < left[1]! && left[1]! < left[2]!, left.join());
    assert.ok(left[2]! > 0.9 && left[2]! <= 1, left.join());
  });

  it('is true all the way where the foretelling was', () => {
    for (let share = 0; share <= 1; share += 0.05) {
      assert.ok(Math.abs(remainingCost(10, share, 10 * share) - 10 * (1 - share)) < 1e-6);
    }
  });

  it('is nothing at the end, and never below nothing', () => {
    assert.equal(remainingCost(10, 1, 30), 0);
    const random = randomFrom(7);
    for (let round = 0; round < 500; round += 1) {
      assert.ok(remainingCost(random() * 50, random() * 1.1, random() * 100) >= 0);
    }
  });
});
