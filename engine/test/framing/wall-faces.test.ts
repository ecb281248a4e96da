import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { framedEdit } from '../../src/editing/seen-edit.ts';
import { lookAtClip } from '../../src/framing/clip-look.ts';
import { faceFinder } from '../../src/framing/faces/face-finder.ts';
import { temporaryDirectory } from '../support/media-footage.ts';
import { peopleFilm, type Person } from '../support/people-footage.ts';
import { plainEdit } from '../support/plain-edit.ts';

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
before(async () => {
  directory = await temporaryDirectory();
});
after(() => directory.remove());

const source = { width: 480, height: 270 };
const seconds = 4;
const edit = plainEdit({
  source: { ...source, frameRate: 25, hasAudio: false },
  ranges: [{ start: 0, end: seconds }],
  dimensions: { width: 152, height: 270 },
  framing: { mode: 'crop', x: 164, y: 0, width: 151, height: 270 },
  unseen: true,
});

async function framed(people: (second: number) => Person[]) {
  const film = await peopleFilm(join(directory.path, 'film.mp4'), {
    ...source,
    seconds,
    at: (second) => ({ scene: 2, people: people(second) }),
  });
  const look = await lookAtClip(film, {
    span: { start: 0, end: seconds },
    source,
    frameRate: 25,
    shape: 9 / 16,
    finders: [faceFinder],
    signal: new AbortController().signal,
  });
  return framedEdit(edit, look).framing;
}

const poster: Person = { x: 100, y: 110, height: 110 };
const speaker = (second: number): Person => ({
  x: 360 + 6 * Math.sin(5 * second),
  y: 130,
  height: 70,
});

test('a larger face that never moves is a picture on the wall: the window is on who moves', async () => {
  const framing = await framed((second) => [poster, speaker(second)]);
  assert.ok(framing.mode === 'crop', framing.mode);
  const middle = framing.x + framing.width / 2;
  assert.ok(Math.abs(middle - 360) < 40, String(middle));
});

test('of two who move, both are shown', async () => {
  const framing = await framed((second) => [
    { ...poster, x: 100 + 5 * Math.cos(4 * second) },
    speaker(second),
  ]);
  assert.ok(framing.mode === 'shots' && framing.shots[0]!.mode === 'stack', framing.mode);
});

test('where nobody moves, nobody is a picture', async () => {
  const framing = await framed(() => [poster, speaker(0)]);
  assert.ok(framing.mode === 'shots' && framing.shots[0]!.mode === 'stack', framing.mode);
});
