import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { lookAtClip } from '../../src/media/framing/clip-look.ts';
import { faceFinder } from '../../src/media/framing/face-finder.ts';
import { framedPlan } from '../../src/media/framing/framed-plan.ts';
import { installedFinders } from '../../src/media/framing/finders.ts';
import type { OpenFinder } from '../../src/media/framing/subject-finder.ts';
import { framingSuite } from '../support/framing-suite.ts';
import { temporaryDirectory } from '../support/media-footage.ts';
import { peopleFilm, type Person } from '../support/people-footage.ts';

const installed = async (): Promise<OpenFinder> => {
  const finder = await faceFinder();
  assert.ok(finder, 'python3-opencv and opencv-data are installed');
  return finder;
};

framingSuite('faces', installed);

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
before(async () => {
  directory = await temporaryDirectory();
});
after(() => directory.remove());

const size = { width: 480, height: 270 };
const looked = async (name: string, people: readonly Person[], finders?: OpenFinder[]) => {
  const film = await peopleFilm(join(directory.path, name), {
    ...size,
    seconds: 2,
    at: () => ({ scene: 0, people }),
  });
  return lookAtClip(film, {
    span: { start: 0, end: 2 },
    source: size,
    shape: 9 / 16,
    finders: finders ?? [await installed()],
    signal: AbortSignal.timeout(60_000),
  });
};

test('each face is found where it is, small ones and large ones', async () => {
  const people = [
    { x: 90, y: 130, height: 40 },
    { x: 320, y: 120, height: 130 },
  ];
  const { sightings } = await looked('sizes.mp4', people);
  assert.ok(sightings.length >= 7);
  for (const { subjects } of sightings) {
    assert.equal(subjects.length, 2);
    const middles = subjects
      .map(({ box }) => (box.x + box.width / 2) * size.width)
      .toSorted((a, b) => a - b);
    assert.ok(Math.abs(middles[0]! - 90) < 8 && Math.abs(middles[1]! - 320) < 12, middles.join());
  }
});

test('two people who do not fit in one window stand above each other', async () => {
  const look = await looked('two.mp4', [
    { x: 110, y: 120, height: 70 },
    { x: 370, y: 125, height: 72 },
  ]);
  const { framing } = framedPlan(
    {
      version: 1,
      source: { ...size, frameRate: 25, hasAudio: false },
      ranges: [{ start: 0, end: 2 }],
      duration: 2,
      frameRate: 25,
      dimensions: { width: 1080, height: 1920 },
      framing: { mode: 'fit' },
      captions: [],
      emojis: [],
      title: null,
    },
    look,
  );
  assert.ok(framing.mode === 'shots');
  assert.equal(framing.shots[0]?.mode, 'stack');
});

test('faces come first where both finders are installed; without OpenCV, or turned off, there is the other', async () => {
  const people = [{ x: 240, y: 120, height: 80 }];
  const both = await looked('both.mp4', people, await installedFinders({ faces: true }));
  assert.ok(both.sightings.every(({ subjects }) => subjects[0]?.kind === 'face'));
  assert.equal((await installedFinders({ faces: false })).length, 1);
});
