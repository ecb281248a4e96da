import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { analysePictures } from '../../src/framing/analyse-pictures.ts';
import { createFaceFinder } from '../../src/framing/faces/face-finder.ts';
import type { PictureAnalysis } from '../../src/framing/subject-finder.ts';
import { withoutWallFaces } from '../../src/framing/output-faces.ts';
import { temporaryDirectory } from 'clip-testkit/media-footage';
import { peopleVideo } from '../support/people-footage.ts';

/** A look at a poster and a speaker; a face is still where it is named. */
const analysisWith = (still: { poster: boolean; speaker: boolean }): PictureAnalysis => ({
  cuts: [],
  sightings: Array.from({ length: 16 }, (_, index) => ({
    time: index / 4,
    subjects: (['poster', 'speaker'] as const).map((who, at) => ({
      kind: 'face' as const,
      box: { x: 0.1 + 0.5 * at, y: 0.3, width: 0.15, height: 0.3 },
      ...(index > 0 && { still: still[who] }),
    })),
  })),
});

test('a face that never moves is a picture on the wall, where another one does', () => {
  for (const [still, left] of [
    [{ poster: true, speaker: false }, [0.6]],
    [{ poster: false, speaker: false }, [0.1, 0.6]],
    [{ poster: true, speaker: true }, [0.1, 0.6]],
  ] as const) {
    const { sightings } = withoutWallFaces(analysisWith(still), 4);
    for (const { subjects } of sightings) {
      const places = subjects.map(({ box }) => box.x);
      assert.deepEqual(places, left, JSON.stringify(still));
    }
  }
});

test('an analysis shows which face has moved', async () => {
  const directory = await temporaryDirectory();
  try {
    const size = { width: 480, height: 270 };
    const video = await peopleVideo(join(directory.path, 'video.mp4'), {
      ...size,
      seconds: 3,
      at: (second) => ({
        scene: 2,
        people: [
          { x: 100, y: 110, height: 110 },
          { x: 360 + 6 * Math.sin(5 * second), y: 130, height: 70 },
        ],
      }),
    });
    const analysisWith = await analysePictures(video, {
      span: { start: 0, end: 3 },
      source: size,
      frameRate: 25,
      shape: 9 / 16,
      finders: [createFaceFinder],
      signal: new AbortController().signal,
    });
    const { sightings } = withoutWallFaces(analysisWith, 3);
    for (const { subjects } of sightings) {
      assert.equal(subjects.length, 1);
      assert.ok(subjects[0]!.box.x > 0.5);
    }
  } finally {
    await directory.remove();
  }
});
