import assert from 'node:assert/strict';
import { test } from 'node:test';
import { analyseFraming, makeFinders } from '../../src/editing/analyse-framing.ts';
import {
  type PosterCandidate,
  chooseBest,
  chooseOpening,
  findBestTime,
} from '../../src/editing/best-picture.ts';
import { frameEdit } from '../../src/editing/framed-edit.ts';
import { makeMediaInfo, probe } from '../../src/source/probe.ts';
import { plainEdit } from 'clip-testkit/plain-edit';
import { realFootage, withFootage } from '../support/real-footage.ts';

const good = { eyes: 0.3, presence: 30, shown: 1 };
const picture = (
  time: number,
  face: PosterCandidate['face'] | null,
  sharpness = 5,
): PosterCandidate => ({
  time,
  sharpness,
  ...(face && { face }),
});
const chosen = (...candidates: PosterCandidate[]) => chooseBest(candidates)?.time;

test('the best picture has open eyes, no hand before the face, a whole head, and is sharp', () => {
  for (const [worse, sharpness] of [
    [{ ...good, eyes: 0.17 }, 5],
    [{ ...good, presence: 20 }, 5],
    [{ ...good, shown: 0.8 }, 5],
    [good, 2],
  ] as const) {
    assert.equal(chosen(picture(2, worse, sharpness), picture(9, good)), 9);
  }
});

test('a slightly blurred face with open eyes is better than a sharp one with closed eyes', () => {
  assert.equal(chosen(picture(2, { ...good, eyes: 0.15 }, 6), picture(9, good, 4)), 9);
});

test('narrow eyes are open if they are as wide as the clip shows them', () => {
  assert.equal(chosen(picture(1, { ...good, eyes: 0.2 }), picture(3, { ...good, eyes: 0.12 })), 1);
});

test('of pictures that are as good, the first is shown', () => {
  assert.equal(chosen(picture(1, good), picture(3, good), picture(6, good)), 1);
});

const opening = (...shot: PosterCandidate[]) => chooseOpening(shot)?.time;

test('a clip opens with its poster, though another picture is a little better', () => {
  const wide = { ...good, eyes: 0.34 };
  assert.equal(opening(picture(0, good, 4), picture(3, wide, 6)), 0);
  assert.equal(opening(picture(0, null, 4), picture(3, good, 9)), 0);
});

test('the next good picture stands for an opening with closed eyes, a hand or blur', () => {
  for (const [worse, sharpness] of [
    [{ ...good, eyes: 0.17 }, 5],
    [{ ...good, presence: 17 }, 5],
    [{ ...good, shown: 0.6 }, 5],
    [good, 1.5],
  ] as const) {
    assert.equal(opening(picture(0, worse, sharpness), picture(3, good), picture(6, good)), 3);
  }
  assert.equal(opening(picture(0, null, 1), picture(1, null, 5)), 1);
  assert.equal(opening(), undefined);
});

test('a picture with a face is better than one without; of those without, the sharpest is', () => {
  assert.equal(chosen(picture(2, null, 20), picture(9, good)), 9);
  assert.equal(chosen(picture(2, null, 0), picture(5, null, 2), picture(9, null, 8)), 9);
});

test('black pictures and none at all leave it open', () => {
  assert.equal(chosen(picture(1, null, 0), picture(2, null, 0)), undefined);
  assert.equal(chosen(), undefined);
});

test('pictures beside a cut and in parts that are cut out are not shown', () => {
  const edit = plainEdit({
    ranges: [
      { start: 10, end: 12 },
      { start: 15, end: 20 },
    ],
  });
  const sightings = [1, 3, 6, 8].map((time) => ({
    time,
    subjects: [],
    look: { sharpness: 5 + (time % 2) + time / 10 },
  }));
  // Seconds 13 and 18 of the source: the first is cut out, and three seconds lie before the other.
  assert.equal(findBestTime(edit, edit.framing, { sightings, cuts: [1.2, 6.1] }), 5);
});

test(
  'the best picture of a real face is neither of its closed eyes nor of its hand',
  withFootage,
  async () => {
    const { signal } = new AbortController();
    const path = realFootage('close-up-tight.mp4');
    const source = makeMediaInfo(await probe(path, signal), 13)!;
    // The eyes are closed until 6 s, and the hand is before the mouth from 2 to 10 s.
    const edit = plainEdit({
      source,
      ranges: [{ start: 0, end: 13 }],
      framing: { mode: 'crop', x: 200, y: 0, width: 203, height: 360 },
      needsAnalysis: true,
    });
    const onFailed = (error: unknown) => assert.fail(String(error));
    const finders = makeFinders({ faces: true });
    const analysis = await analyseFraming(edit, path, { finders, signal, onFailed });
    const { bestTime } = frameEdit(edit, analysis);
    assert.ok(bestTime !== undefined && bestTime > 10, String(bestTime));
  },
);
