import assert from 'node:assert/strict';
import { test } from 'node:test';
import { analyseFraming, makeFinders } from '../../src/editing/analyse-framing.ts';
import { frameEdit } from '../../src/editing/framed-edit.ts';
import { makeEdit } from '../../src/editing/make-edit.ts';
import { makeWholeInputs } from '../../src/editing/make-inputs.ts';
import { listDrawnParts } from '../../src/framing/drawn-parts.ts';
import { makeMediaInfo, probe, readStatedDuration } from '../../src/source/probe.ts';
import { quietAnalysis } from 'clip-testkit/media-analysis';
import { editingWith } from 'clip-testkit/plain-edit';
import { realFootage, withFootage } from '../support/real-footage.ts';

/** The parts of a real video that an upright clip of it shows, in shares, at source seconds. */
async function frameVideo(name: string, { start, end }: { start: number; end: number }) {
  const path = realFootage(name);
  const signal = new AbortController().signal;
  const probed = await probe(path, signal);
  const media = makeMediaInfo(probed, readStatedDuration(probed))!;
  const inputs = makeWholeInputs(quietAnalysis(end, { media: { ...media, duration: end } }), {
    editing: editingWith('reframe'),
    dimensions: { width: 540, height: 960 },
    title: '',
  });
  const guess = makeEdit(inputs, { start, end });
  const finders = makeFinders({ faces: true });
  const analysis = await analyseFraming(guess, path, {
    finders,
    signal,
    onFailed: (error) => assert.fail(String(error)),
  });
  const edit = frameEdit(guess, analysis);
  return (time: number) => {
    const frame = Math.round((time - edit.ranges[0]!.start) * edit.frameRate);
    const parts = listDrawnParts(edit, edit.dimensions, frame).filter(({ ground }) => !ground);
    return parts.map(({ from }) => ({
      left: from.x / edit.source.width,
      right: (from.x + from.width) / edit.source.width,
      top: from.y / edit.source.height,
      bottom: (from.y + from.height) / edit.source.height,
    }));
  };
}

test('a face that fills the height of a picture keeps its ears', withFootage, async () => {
  const shown = await frameVideo('close-up-tight.mp4', { start: 9, end: 14 });
  for (const time of [9.5, 11, 13]) {
    const [part] = shown(time);
    assert.ok(part!.left < 0.5 && part!.right > 0.89, JSON.stringify({ time, part }));
  }
});

test(
  'people who come and go are shown from entry to exit; the window rests between',
  withFootage,
  async () => {
    const shown = await frameVideo('people-come-and-go.mp4', { start: 85, end: 139 });
    // A woman is at the table, leaves to the right at 120 s; a man comes from the left at 124 s.
    for (const time of [96, 110, 117, 127, 131]) {
      const [part] = shown(time);
      assert.ok(part!.left < 0.5 && part!.right > 0.68, JSON.stringify({ time, part }));
    }
    for (const [from, to] of [
      [121, 122.5],
      [137.5, 138.5],
    ] as const) {
      assert.deepEqual(shown(from), shown(to), `at ${from} s`);
    }
  },
);

test('the back of a turned head is shown', withFootage, async () => {
  const shown = await frameVideo('woman-rises.mp4', { start: 0, end: 6 });
  for (const [time, right] of [
    [2.8, 0.655],
    [4, 0.66],
  ] as const) {
    const [part] = shown(time);
    assert.ok(part!.right > right, JSON.stringify({ time, part }));
  }
});

test('framing changes at cuts in the dark, and at no other time', withFootage, async () => {
  const shown = await frameVideo('stage-dark-cuts.mp4', { start: 0, end: 10 });
  const parts = (time: number) => shown(time).length;
  assert.deepEqual([parts(1.4), parts(1.55), parts(3.5), parts(3.6)], [2, 1, 1, 1]);
  for (const time of [3.7, 5, 6.5, 7.8]) {
    const [part] = shown(time);
    assert.ok(part!.right - part!.left < 0.32, `one window on the singer at ${time} s`);
  }
  const [audience] = shown(9);
  assert.ok(audience!.right - audience!.left > 0.6, 'the group is shown together');
});

test(
  'subtitles are whole below the person, and shots without them have no band',
  withFootage,
  async () => {
    const shown = await frameVideo('burnt-in-subtitles.mp4', { start: 0, end: 13.4 });
    for (const time of [0.2, 1.5, 1.9, 2.9, 3.1, 5.3, 5.5, 7.1]) {
      const [window, band, ...others] = shown(time);
      assert.equal(others.length, 0);
      assert.ok(window!.right - window!.left < 0.3 && window!.bottom < 0.84, `at ${time} s`);
      assert.deepEqual([band!.left, band!.right], [0, 1]);
      assert.ok(band!.top < 0.84 && band!.bottom > 0.91, JSON.stringify({ time, band }));
    }
    for (const time of [7.5, 9, 10.5, 13]) {
      const [window, ...others] = shown(time);
      assert.equal(others.length, 0, `at ${time} s`);
      assert.ok(window!.right - window!.left < 0.35 && window!.bottom === 1);
    }
  },
);
