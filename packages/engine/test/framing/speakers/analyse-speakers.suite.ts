import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { makeFinders, analyseAndFrame } from '../../../src/editing/analyse-framing.ts';
import { temporaryDirectory } from 'clip-testkit/media-footage';
import { peopleVideo } from '../../support/people-footage.ts';
import { plainEdit } from 'clip-testkit/plain-edit';

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
before(async () => {
  directory = await temporaryDirectory();
});
after(() => directory.remove());

const size = { width: 640, height: 360 };
const seconds = 9;
/** The left person speaks, then the right one. */
const turns = [
  { from: 0.5, to: 4.3 },
  { from: 4.8, to: 8.7 },
] as const;

/** How loud it is: about four syllables a second, of which no two are alike. */
const loudness = (second: number) =>
  turns.some(({ from, to }) => second >= from && second < to)
    ? Math.abs(Math.sin(11 * second) * Math.sin(5 * second + Math.sin(3 * second)))
    : 0;
const heard = `aevalsrc='0.5*sin(2*PI*220*t)*abs(sin(11*t)*sin(5*t+sin(3*t)))*(between(t,0.5,4.3)+between(t,4.8,8.7))':s=48000`;

async function framingOf(name: string, moving: (person: number, second: number) => boolean) {
  const video = await peopleVideo(join(directory.path, name), {
    ...size,
    seconds,
    sound: heard,
    at: (second) => ({
      scene: 0,
      people: [150, 490].map((x, person) => ({
        x,
        y: 150,
        height: 120,
        opening: moving(person, second) ? 0.16 * loudness(second) : 0,
      })),
    }),
  });
  const edit = plainEdit({
    source: { ...size, frameRate: 25, hasAudio: true },
    ranges: [{ start: 0, end: seconds }],
    dimensions: { width: 360, height: 640 },
    framing: { mode: 'crop', x: 219, y: 0, width: 202, height: 360 },
    needsAnalysis: true,
  });
  const { framing } = await analyseAndFrame(edit, video, {
    finders: makeFinders({ faces: true }),
    signal: new AbortController().signal,
    onFailed: (error) => {
      throw error;
    },
  });
  return framing;
}

test('the window is on the one who speaks, and goes to the other in the pause', async () => {
  const framing = await framingOf(
    'turns.mp4',
    (person, second) => second >= turns[person]!.from && second < turns[person]!.to,
  );
  assert.ok(framing.mode === 'shots' && framing.shots[0]?.mode === 'crop', framing.mode);
  const { window } = framing.shots[0];
  const places = window.keys.map(({ frame, x }) => ({
    second: frame / 25,
    middle: x + window.width / 2,
  }));
  for (const { second, middle } of places) {
    if (second < 4.3) assert.ok(middle < 320, `${middle} at ${second}`);
    if (second > 4.8) assert.ok(middle > 320, `${middle} at ${second}`);
  }
  assert.ok(places.some(({ second }) => second > 4.3 && second < 4.8));
});

test('two people above each other, if neither mouth goes with the voice', async () => {
  const framing = await framingOf('narrator.mp4', () => false);
  assert.ok(framing.mode === 'shots');
  assert.deepEqual(
    framing.shots.map(({ mode }) => mode),
    ['stack'],
  );
});
