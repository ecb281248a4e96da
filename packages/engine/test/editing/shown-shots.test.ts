import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ManualShot } from '../../src/edit.ts';
import { makeEdit } from '../../src/editing/make-edit.ts';
import { listShownShots } from '../../src/editing/shown-shots.ts';
import { dice } from 'clip-testkit/media-analysis';
import { anyBasis, anyAnalysis } from '../support/random-edits.ts';

test('a shot that a person framed is shown with the windows that they chose', () => {
  const random = dice(5);
  const made = anyBasis(random, { width: 1920, height: 1080, frameRate: 25 });
  const inputs = {
    ...made,
    options: {
      ...made.options,
      dimensions: { width: 1080, height: 1920 },
      editing: { ...made.options.editing, reframe: true, remove_silences: false },
    },
  };
  const { start, end } = inputs.span;
  const seen = (wanted: Omit<ManualShot, 'start' | 'end'>) => {
    const changes = { shots: [{ start, end, ...wanted }] };
    const analysis = anyAnalysis(random, makeEdit(inputs, changes));
    const shots = listShownShots(
      makeEdit(inputs, changes, { analysis: { ...analysis, cuts: [] } }),
      changes,
      {
        ...analysis,
        cuts: [],
      },
    );
    const { mode, x, y, zoom, below } = shots.find((shot) => shot.end - shot.start > 0.5)!;
    return { mode, x, y, zoom, below };
  };
  const near = (one: number | undefined, other: number) =>
    assert.ok(Math.abs(one! - other) < 0.01, `${one}, not ${other}`);
  const stack = seen({
    mode: 'stack',
    x: 0.4,
    y: 0.5,
    zoom: 2,
    below: { x: 0.7, y: 0.4, zoom: 3 },
  });
  assert.equal(stack.mode, 'stack');
  near(stack.x, 0.4);
  near(stack.zoom, 2);
  near(stack.below?.x, 0.7);
  near(stack.below?.y, 0.4);
  near(stack.below?.zoom, 3);
  const screen = seen({ mode: 'screen', x: 0.6, y: 0.6, zoom: 4 });
  assert.equal(screen.mode, 'screen');
  near(screen.x, 0.6);
  near(screen.y, 0.6);
  near(screen.zoom, 4);
  const crop = seen({ mode: 'crop', x: 0.5, y: 0.5, zoom: 1.5 });
  near(crop.x, 0.5);
  near(crop.zoom, 1.5);
  assert.deepEqual(seen({ mode: 'fit' }), {
    mode: 'fit',
    x: undefined,
    y: undefined,
    zoom: undefined,
    below: undefined,
  });
});

test('twice the cuts and the ranges take about twice the work', () => {
  const { source, dimensions, ...rest } = makeEdit(
    anyBasis(dice(5), { width: 1920, height: 1080, frameRate: 25 }),
    {},
  );
  const countReads = (count: number): number => {
    let reads = 0;
    const ranges = Array.from({ length: count }, (_, at) => ({
      start: at,
      get end() {
        reads += 1;
        return at + 0.8;
      },
    }));
    const edit = { ...rest, source, dimensions, ranges, framing: { mode: 'fit' as const } };
    const cuts = ranges.map(({ start }) => start + 0.4);
    const analysis = { span: { start: 0, end: count }, cuts, windows: [] } as never;
    assert.equal(listShownShots(edit, {}, analysis).length, count + 1);
    return reads;
  };
  assert.ok(countReads(2_000) / countReads(1_000) < 3);
});
