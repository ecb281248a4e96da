import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  coresOf,
  maxKept,
  overheadSeconds,
  weightedMedian,
  withRender,
  workFactors,
  type MeasuredRender,
  type RenderKind,
} from '../../src/estimates/machine-speed.ts';
import { RunningLoad } from '../../src/estimates/running-load.ts';
import { randomFrom } from '../support/random.ts';

const render = (more: Partial<MeasuredRender> = {}): MeasuredRender => ({
  ...{ source: 'talk', quality: 'export', work: 10, cpu: 20, seconds: 10, concurrency: 1 },
  ...more,
});
const factor = (renders: readonly MeasuredRender[], of: RenderKind): number =>
  workFactors(renders)(of);
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const near = (actual: number, wanted: number, share: number) =>
  assert.ok(Math.abs(actual / wanted - 1) <= share, `${actual} is not about ${wanted}`);

describe('what the renders of this machine tell', () => {
  const asked = { source: 'other', quality: 'export' } as const;

  it('is nothing before the first: work counts as it is', () => {
    assert.equal(factor([], asked), 1);
  });

  it('is the usual ratio of processor seconds to work', () => {
    near(
      factor(
        times(5, () => render()),
        asked,
      ),
      2,
      0.001,
    );
  });

  it('is not thrown off by a few that were out of the way', () => {
    const odd = times(20, (index) => render(index % 5 === 2 ? { cpu: 500 } : {}));
    near(factor(odd, asked), 2, 0.001);
  });

  it('follows when the machine has changed', () => {
    const changed = [...times(20, () => render()), ...times(25, () => render({ cpu: 40 }))];
    near(factor(changed, asked), 4, 0.001);
  });

  it('keeps exports and previews apart, and takes the one for the other while it is the only one', () => {
    const previews = times(5, () => render({ quality: 'preview', cpu: 5, source: 'a' }));
    near(factor(previews, asked), 0.5, 0.001);
    near(factor([...previews, ...times(5, () => render())], asked), 2, 0.001);
  });

  it('knows footage again that is dearer than its bits say', () => {
    const usual = times(20, (index) => render({ source: `talk ${index}` }));
    const grain = { source: 'grain', quality: 'export' } as const;
    const one = factor([...usual, render({ ...grain, cpu: 60 })], grain);
    const three = factor([...usual, ...times(3, () => render({ ...grain, cpu: 60 }))], grain);
    assert.ok(one > 3.5 && one <= three && three <= 6.001);
    near(factor([...usual, render({ ...grain, cpu: 60 })], asked), 2, 0.001);
  });

  it('keeps exports when a task makes many previews, and little of any one task', () => {
    let renders: MeasuredRender[] = [];
    const take = (count: number, more: (index: number) => Partial<MeasuredRender>) => {
      for (const one of times(count, (index) => render(more(index))))
        renders = withRender(renders, one);
    };
    take(30, (index) => ({ source: `talk ${index}` }));
    take(20, (index) => ({ quality: 'preview', source: `talk ${index}` }));
    take(100, () => ({ quality: 'preview', source: 'many clips', cpu: 90 }));
    const of = (quality: string) => renders.filter((one) => one.quality === quality);
    assert.equal(of('export').length, 30);
    assert.equal(
      of('preview').filter(({ source }) => source === 'many clips').length,
      maxKept.ofSource,
    );
    near(factor(renders, asked), 2, 0.001);
    near(factor(renders, { ...asked, quality: 'preview' }), 2, 0.001);
    take(200, (index) => ({ source: `new ${index}` }));
    assert.equal(of('export').length, maxKept.ofQuality);
    assert.equal(of('export').at(-1)?.source, 'new 199', 'the newest stay, in their order');
  });

  it('knows footage by its previews, if there are more than one or two', () => {
    const usual = times(20, (index) => render({ source: `talk ${index}` }));
    const previews = (count: number) =>
      times(count, () => render({ source: 'grain', quality: 'preview', cpu: 60 }));
    const plain = times(20, (index) => render({ source: `talk ${index}`, quality: 'preview' }));
    const grain = { source: 'grain', quality: 'export' } as const;
    near(factor([...usual, ...plain, ...previews(1)], grain), 2, 0.001);
    near(factor([...usual, ...plain, ...previews(4)], grain), 6, 0.001);
  });

  it('is a positive number whatever was measured', () => {
    const random = randomFrom(3);
    const any = () => [0, -1, NaN, Infinity, random() * 100][Math.floor(random() * 5)]!;
    for (let round = 0; round < 300; round += 1) {
      const renders = times(Math.floor(random() * 8), () =>
        render({ work: any(), cpu: any(), seconds: any(), concurrency: random() * 4 }),
      );
      const { single, aggregate } = coresOf(renders, 2);
      for (const value of [factor(renders, asked), single, aggregate]) {
        assert.ok(Number.isFinite(value) && value > 0, JSON.stringify(renders));
      }
    }
  });
});

describe('the processors that renders keep busy', () => {
  it('are guessed from the machine’s own at first', () => {
    const { single, aggregate } = coresOf([], 2);
    assert.ok(single > 1 && single <= 2 && aggregate >= single && aggregate <= 2);
  });

  it('are told apart by what ran beside them', () => {
    const renders = [
      ...times(4, () => render({ cpu: 17, seconds: 10 + overheadSeconds, concurrency: 1 })),
      ...times(4, () => render({ cpu: 9.5, seconds: 10 + overheadSeconds, concurrency: 2 })),
    ];
    const { single, aggregate } = coresOf(renders, 2);
    near(single, 1.7, 0.001);
    near(aggregate, 1.9, 0.001);
  });

  it('soon follow a machine that gets other things to do', () => {
    const busy = [
      ...times(20, () => render()),
      ...times(4, () => render({ seconds: 20 + overheadSeconds })),
    ];
    near(coresOf(busy, 2).single, 1, 0.001);
    assert.ok(coresOf(busy, 2).aggregate < 1.3);
  });
});

describe('a weighted median', () => {
  it('has half of the weight on either side', () => {
    const values = [
      { value: 5, weight: 1 },
      { value: 1, weight: 1 },
      { value: 9, weight: 3 },
    ];
    assert.equal(weightedMedian(values), 9);
    assert.equal(weightedMedian(values.slice(0, 2)), 1);
    assert.equal(weightedMedian([]), null);
  });
});

describe('the load of the own jobs', () => {
  it('is the mean number of those that ran at the time', () => {
    let now = 0;
    const load = new RunningLoad(() => now);
    const first = load.begin();
    now = 4;
    const second = load.begin();
    now = 8;
    assert.deepEqual(second.end(), { seconds: 4, concurrency: 2 });
    assert.deepEqual(second.end(), { seconds: 4, concurrency: 2 }, 'ended once');
    now = 12;
    near(first.end().concurrency, (4 + 8 + 4) / 12, 1e-9);
  });

  it('leaves out what waits for another machine', async () => {
    let now = 0;
    const load = new RunningLoad(() => now);
    const task = load.begin();
    const render = load.begin();
    await task.elsewhere(async () => {
      now = 9;
    });
    now = 10;
    near(render.end().concurrency, (9 + 2) / 10, 1e-9);
    await assert.rejects(task.elsewhere(() => Promise.reject(new Error('refused'))));
    const after = load.begin();
    now = 12;
    near(after.end().concurrency, 2, 1e-9);
  });
});
