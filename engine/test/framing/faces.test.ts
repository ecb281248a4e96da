import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { lookAtClip } from '../../src/framing/clip-look.ts';
import { faceFinder } from '../../src/framing/faces/face-finder.ts';
import { framedEdit } from '../../src/editing/seen-edit.ts';
import { findersWith } from '../../src/framing/finders.ts';
import type { OpenFinder } from '../../src/framing/subject-finder.ts';
import type { Edit } from '../../src/edit.ts';
import { render } from '../../src/render/render.ts';
import { framingSuite } from '../support/framing-suite.ts';
import { temporaryDirectory } from '../support/media-footage.ts';
import { nosesIn } from '../support/nose.ts';
import { peopleFilm, type Person } from '../support/people-footage.ts';
import { plainEdit } from '../support/plain-edit.ts';

framingSuite('faces', () => Promise.resolve(faceFinder));

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
before(async () => {
  directory = await temporaryDirectory();
});
after(() => directory.remove());

const size = { width: 480, height: 270 };
const edit = plainEdit({
  source: { ...size, frameRate: 25, hasAudio: false },
  ranges: [{ start: 0, end: 2 }],
  dimensions: { width: 152, height: 270 },
  framing: { mode: 'crop', x: 164, y: 0, width: 151, height: 270 },
  unseen: true,
});
async function looked(name: string, people: readonly Person[], otherwise?: OpenFinder) {
  const film = await peopleFilm(join(directory.path, name), {
    ...size,
    seconds: 2,
    at: () => ({ scene: 0, people }),
  });
  return lookAtClip(film, {
    span: { start: 0, end: 2 },
    source: size,
    frameRate: 25,
    shape: 9 / 16,
    finders: [faceFinder],
    ...(otherwise && { otherwise }),
    signal: new AbortController().signal,
  });
}

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
  const { framing } = framedEdit({ ...edit, dimensions: { width: 1080, height: 1920 } }, look);
  assert.ok(framing.mode === 'shots');
  assert.equal(framing.shots[0]?.mode, 'stack');
});

test('captions keep clear of a face that is where they would stand', async () => {
  // The style places captions at two thirds of the height.
  const look = await looked('low.mp4', [{ x: 240, y: 191, height: 80 }]);
  const words = ['over', 'the', 'face'].map((text, index) => ({
    text,
    start: index * 0.6,
    end: index * 0.6 + 0.5,
  }));
  const spoken = { ...edit, captions: [{ start: 0, end: 1.8, words }] };
  const kept = framedEdit(spoken, look);
  assert.equal(kept.faces?.length, 1);
  assert.ok(kept.captions[0]?.position && kept.captions[0].position !== 'lower');

  const output = join(directory.path, 'low-out.mp4');
  const source = join(directory.path, 'low.mp4');
  const options = { source, output, quality: 'export' as const };
  await render(kept, { ...options, signal: new AbortController().signal });
  const covered = async (name: string, edit: Edit) => {
    const path = join(directory.path, name);
    await render(edit, { ...options, output: path, signal: new AbortController().signal });
    return nosesIn(path, edit.dimensions);
  };
  const without = await covered('bare.mp4', { ...kept, captions: [] });
  const noses = await nosesIn(output, edit.dimensions);
  // How much of the nose the captions would have covered.
  const over = await covered('over.mp4', { ...kept, captions: spoken.captions });
  const same = (seen: typeof noses) =>
    seen.filter((nose, frame) => {
      const bare = without[frame];
      return nose && bare && Math.hypot(nose.x - bare.x, nose.y - bare.y) < 1;
    }).length;
  assert.equal(same(noses), noses.length);
  assert.ok(same(over) < over.length / 2);
});

test('faces come first; if they are turned off, there is what draws the eye', async () => {
  const people = [{ x: 240, y: 120, height: 80 }];
  const { faces, salient } = findersWith({ faces: true });
  assert.equal(faces, faceFinder);
  const both = await looked('both.mp4', people, salient);
  assert.ok(both.sightings.every(({ subjects }) => subjects[0]?.kind === 'face'));
  assert.equal(findersWith({ faces: false }).faces, null);
});
