import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PictureAnalysis } from '../../src/framing/subject-finder.ts';
import type { FramedClip } from '../../src/framing/layout.ts';
import type { Framing } from '../../src/edit.ts';
import { mapFacesToOutput } from '../../src/framing/output-faces.ts';

const clip: FramedClip = {
  source: { width: 1600, height: 900 },
  dimensions: { width: 900, height: 1600 },
  ranges: [{ start: 4, end: 8 }],
  frameRate: 25,
};
const box = { x: 0.45, y: 0.3, width: 0.1, height: 0.2 };
const analysis: PictureAnalysis = {
  cuts: [],
  sightings: Array.from({ length: 16 }, (_, index) => ({
    time: index / 4,
    subjects: [{ kind: 'face' as const, box }],
  })),
};
const near = (value: number, wanted: number) =>
  assert.ok(Math.abs(value - wanted) < 0.005, `${value}, not ${wanted}`);

test('a face that rests is one box, in shares of the output, for as long as it is there', () => {
  const framing: Framing = { mode: 'crop', x: 550, y: 0, width: 506, height: 900 };
  const faces = mapFacesToOutput(clip, framing, analysis);
  assert.equal(faces.length, 1);
  const [{ start, end, x, y, width, height }] = faces as [(typeof faces)[0]];
  assert.deepEqual([start, end], [0, 4.05]);
  near(x, (720 - 550) / 506);
  near(y, 0.3);
  near(width, 160 / 506);
  near(height, 0.2);
});

test('in a picture that is shown whole it is as small as that', () => {
  const [face] = mapFacesToOutput(clip, { mode: 'fit' }, analysis);
  near(face!.width, 0.1);
  near(face!.height, (0.2 * 900 * (900 / 1600)) / 1600);
  near(face!.y, 0.5 + (0.3 - 0.5) * ((900 * (900 / 1600)) / 1600));
});

test('with two windows above each other it is in the half that shows it', () => {
  const window = (x: number) => ({ width: 500, height: 444, keys: [{ frame: 0, x, y: 200 }] });
  const framing: Framing = {
    mode: 'shots',
    shots: [{ from: 0, to: 100, mode: 'stack', windows: [window(0), window(600)] }],
  };
  const faces = mapFacesToOutput(clip, framing, analysis);
  assert.equal(faces.length, 1);
  assert.ok(faces[0]!.y > 0.5);
});

test('a hair above the window it begins at 0, as JSON writes it', () => {
  const framing: Framing = { mode: 'crop', x: 550, y: 0, width: 506, height: 900 };
  const high = analysis.sightings.map(({ time }) => ({
    time,
    subjects: [{ kind: 'face' as const, box: { ...box, y: -0.0002 } }],
  }));
  const [face] = mapFacesToOutput(clip, framing, { ...analysis, sightings: high });
  assert.ok(Object.is(face!.y, 0));
});

test('out of the window it is nowhere, and in removed segments as well', () => {
  const framing: Framing = { mode: 'crop', x: 0, y: 0, width: 506, height: 900 };
  assert.deepEqual(mapFacesToOutput(clip, framing, analysis), []);
  const ranges = [
    { start: 4, end: 5 },
    { start: 7, end: 8 },
  ];
  const shown: Framing = { mode: 'crop', x: 550, y: 0, width: 506, height: 900 };
  const faces = mapFacesToOutput({ ...clip, ranges }, shown, analysis);
  assert.ok(Math.max(...faces.map(({ end }) => end)) <= 2.1);
});

test('what merely draws the eye is no face', () => {
  const salient: PictureAnalysis = {
    cuts: [],
    sightings: [{ time: 0, subjects: [{ kind: 'salient', box }] }],
  };
  assert.deepEqual(mapFacesToOutput(clip, { mode: 'fit' }, salient), []);
});

test('of a slide with its speaker: the text above, and the face in both parts', () => {
  const inset = { x: 0.75, y: 0.7, width: 0.2, height: 0.3 };
  const face = { x: 0.82, y: 0.75, width: 0.06, height: 0.12 };
  const text = { x: 0.1, y: 0.1, width: 0.6, height: 0.4 };
  const slide: PictureAnalysis = {
    cuts: [],
    sightings: [
      {
        time: 0,
        subjects: [
          { kind: 'face', box: face, inset },
          { kind: 'text', box: text },
        ],
      },
    ],
  };
  const speaker = { width: 200, height: 243, keys: [{ frame: 0, x: 1260, y: 640 }] };
  const framing: Framing = {
    mode: 'shots',
    shots: [{ from: 0, to: 100, mode: 'screen', speaker }],
  };
  const seen = mapFacesToOutput(clip, framing, slide).toSorted((a, b) => a.y - b.y);
  assert.equal(seen.length, 3);
  // The slide is as wide as the output, so 506 of its 1600 rows.
  near(seen[0]!.width, 0.6);
  near(seen[0]!.y, (0.1 * 506) / 1600);
  near(seen[1]!.width, 0.06);
  near(seen[2]!.width, (0.06 * 1600) / 200);
  assert.ok(seen[2]!.y > 506 / 1600);
});
