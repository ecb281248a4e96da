import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { adaptEdit } from '../../src/editing/framed-edit.ts';
import { analysePictures } from '../../src/framing/analyse-pictures.ts';
import { createFaceFinder } from '../../src/framing/faces/face-finder.ts';
import { createPersonFinder } from '../../src/framing/persons/person-finder.ts';
import { createSaliencyFinder } from '../../src/framing/saliency.ts';
import { temporaryDirectory } from 'clip-testkit/media-footage';
import { peopleVideo, type Person } from '../support/people-footage.ts';
import { plainEdit } from 'clip-testkit/plain-edit';

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
before(async () => {
  directory = await temporaryDirectory();
});
after(() => directory.remove());

const size = { width: 640, height: 360 };
const seconds = 3;

async function looked(name: string, people: (second: number) => readonly Person[]) {
  const video = await peopleVideo(join(directory.path, name), {
    ...size,
    seconds,
    at: (second) => ({ scene: 2, people: people(second) }),
  });
  return analysePictures(video, {
    span: { start: 0, end: seconds },
    source: size,
    frameRate: 25,
    shape: 9 / 16,
    finders: [createFaceFinder],
    persons: createPersonFinder,
    otherwise: createSaliencyFinder,
    signal: new AbortController().signal,
  });
}

const back = (x: number, height: number): Person => ({ x, y: 40 + height, height, behind: true });

test('people from behind are found where they are, near and far', async () => {
  for (const { height, ...person } of [back(140, 45), back(500, 36), back(220, 24)]) {
    const { sightings } = await looked('back.mp4', () => [{ ...person, height }]);
    const found = sightings.flatMap(({ subjects }) => subjects);
    assert.ok(found.length >= sightings.length - 1, `${height}: ${found.length}`);
    for (const { kind, box } of found) {
      assert.equal(kind, 'person');
      assert.ok(Math.abs((box.x + box.width / 2) * size.width - person.x) < height / 2);
      const top = person.y - height / 2;
      assert.ok(Math.abs(box.y * size.height - top) < height / 2, `${box.y * size.height}`);
    }
  }
});

test('the window follows a person from behind; a face in the picture comes first', async () => {
  const at = (second: number) => 120 + 110 * second;
  const walk = await looked('walk.mp4', (second) => [back(at(second), 40)]);
  const edit = plainEdit({
    source: { ...size, frameRate: 25, hasAudio: false },
    ranges: [{ start: 0, end: seconds }],
    framing: { mode: 'crop', x: 218, y: 0, width: 202, height: 360 },
    needsAnalysis: true,
  });
  const { framing } = adaptEdit(edit, walk);
  assert.ok(framing.mode === 'shots' && framing.shots.length === 1);
  const [shot] = framing.shots;
  assert.ok(shot?.mode === 'crop');
  for (const { frame, x } of shot.window.keys) {
    const middle: number = x + shot.window.width / 2;
    assert.ok(Math.abs(middle - at(frame / 25)) < 60, `${middle} in frame ${frame}`);
  }

  const face = { x: 520, y: 110, height: 90 };
  const both = await looked('both.mp4', () => [back(140, 40), face]);
  const besides = adaptEdit(edit, both).framing;
  assert.ok(besides.mode === 'crop' && besides.x > 360, JSON.stringify(besides));
});
