import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findSpeakers } from '../../../src/framing/speakers/who-speaks.ts';

const rate = 12.5;
const seconds = 12;
const times = Array.from({ length: seconds * rate }, (_, at) => at / rate);

/** Syllables of changing length and loudness, 0 to 1. */
const syllables = (second: number, voice: number) =>
  Math.abs(Math.sin((9 + voice) * second) * Math.sin(4 * second + Math.sin((3 + voice) * second)));

type Part = readonly [from: number, to: number];
const within = (second: number, parts: readonly Part[]) =>
  parts.some(([from, to]) => second >= from && second < to);

/** Levels of speech in some parts of the shot; otherwise there is the noise of a room. */
const speech = (parts: readonly Part[]) =>
  Float32Array.from({ length: seconds * 100 }, (_, frame) =>
    within(frame / 100, parts) ? -45 + 27 * syllables(frame / 100, 0) : -60,
  );

/** A mouth that speaks in some parts of the shot, with these syllables. */
const speaking = (parts: readonly Part[], voice = 0) =>
  times.map((time) => 0.03 + (within(time, parts) ? 0.15 * syllables(time, voice) : 0));
const still = times.map((_, at) => 0.03 + 0.003 * Math.sin(at * 2.3));
const chewing = times.map((time) => 0.03 + 0.12 * Math.max(0, Math.sin(9.4 * time)));

const first: Part = [0.5, 5.6];
const second: Part = [6, 11.5];
const talksOf = (openings: (number | null)[][], levels = speech([first, second])) =>
  findSpeakers({ times, openings }, levels, seconds).map(({ start, end, face }) => ({
    start: Math.round(start * 10) / 10,
    end: Math.round(end * 10) / 10,
    face,
  }));

test('each turn belongs to the face whose mouth goes with the sound; it changes in the pause', () => {
  const [before, after, ...rest] = talksOf([speaking([first]), speaking([second])]);
  assert.equal(rest.length, 0);
  assert.deepEqual([before!.start, before!.face, after!.end, after!.face], [0, 0, seconds, 1]);
  assert.ok(before!.end >= 5.6 && before!.end <= 6 && after!.start === before!.end);
});

test('a turn that ends without a pause is shown to its end, not to the pause before it', () => {
  const levels = speech([
    [0.5, 4.6],
    [5, 11.5],
  ]);
  const [before, after, ...rest] = talksOf(
    [
      speaking([
        [0.5, 4.6],
        [5, 5.7],
      ]),
      speaking([[5.9, 11.5]]),
    ],
    levels,
  );
  assert.equal(rest.length, 0);
  assert.deepEqual([before!.face, after!.face], [0, 1]);
  assert.ok(before!.end >= 5.5 && before!.end <= 6.2, String(before!.end));
});

test('a mouth that chews while the other one speaks is not shown', () => {
  const talks = talksOf([chewing, speaking([first, second])]);
  assert.deepEqual(talks, [{ start: 0, end: seconds, face: 1 }]);
});

test('sound that is late by a fifth of a second is still of its mouth', () => {
  const late = speaking([first, second]).map(
    (_, at, all) => all[Math.min(all.length - 1, at + 2)]!,
  );
  assert.deepEqual(talksOf([still, late]), [{ start: 0, end: seconds, face: 1 }]);
});

const noOne = [{ start: 0, end: seconds, face: null }];

test('no one is shown alone if both speak, if the voice is of none of them, or without speech', () => {
  const both = speaking([first, second]);
  assert.deepEqual(talksOf([both, both]), noOne);
  assert.deepEqual(talksOf([still, still]), noOne);
  const moving = [speaking([first]), still];
  assert.deepEqual(talksOf(moving, new Float32Array(seconds * 100).fill(-90)), noOne);
  assert.deepEqual(talksOf(moving, new Float32Array(0)), noOne);
});

/** Lips that open and close as often as real speech does, but not with its loudness. */
const apart = (parts: readonly Part[]) =>
  times.map((time) => 0.05 + (within(time, parts) ? 0.05 * Math.sin(13 * time + 5) : 0));

test('lips that move as often as in speech speak, though not with the loudness, beside lips that rest', () => {
  const [before, after, ...rest] = talksOf([apart([first]), apart([second])]);
  assert.equal(rest.length, 0);
  assert.deepEqual([before!.face, after!.face], [0, 1]);
  assert.ok(before!.end >= 5.6 && before!.end <= 6);
});

test('who speaks on without a pause is shown alone after the other one has stopped', () => {
  const talk: Part = [0.2, 11.8];
  const talks = talksOf([apart([[0.2, 5]]), apart([[5, 11.8]])], speech([talk]));
  assert.deepEqual(
    talks.map(({ face }) => face),
    [0, 1],
  );
  assert.ok(Math.abs(talks[0]!.end - 5) <= 1.5, String(talks[0]!.end));
});

test('a laugh is no speech: it opens the lips once', () => {
  const laughing = times.map((time) => 0.03 + (time > 2 && time < 5 ? 0.2 : 0));
  assert.deepEqual(talksOf([laughing, still]), noOne);
});

test('a silent pianist is not beside the singer, not even in the interlude', () => {
  const verses: Part[] = [
    [0.5, 4],
    [7, 11.5],
  ];
  const music = speech([[0.2, 11.8]]);
  assert.deepEqual(talksOf([still, apart(verses)], music), [{ start: 0, end: seconds, face: 1 }]);
});

test('a face that is lost says nothing', () => {
  const lost = times.map(() => null);
  assert.deepEqual(talksOf([lost, lost]), noOne);
  assert.deepEqual(talksOf([lost, speaking([first, second])])[0]!.face, 1);
});

test('a moment of the other mouth does not change the picture', () => {
  const said: Part[] = [
    [0.5, 4],
    [4.3, 4.8],
    [5.1, 11.5],
  ];
  const talks = talksOf([speaking([said[0]!, said[2]!]), speaking([said[1]!])], speech(said));
  assert.deepEqual(talks, [{ start: 0, end: seconds, face: 0 }]);
});

test('in a long silence, the one who spoke last stays', () => {
  const said: Part = [0.5, 6];
  const talks = talksOf([speaking([said]), still], speech([said]));
  assert.deepEqual(talks, [{ start: 0, end: seconds, face: 0 }]);
});
