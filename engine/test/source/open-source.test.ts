/**
 * Picture, sound, captions and cuts are within a frame of what a player shows and sounds, whatever
 * the container, its first times, its frames and its keyframes. In a long run, all pairs of them.
 */
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { longRun } from '../../../test/support/long-run.ts';
import { checkClock } from '../support/clock-checks.ts';
import { clockFilm, clockKinds, type ClockKind } from '../support/clock-footage.ts';
import { temporaryDirectory } from '../support/media-footage.ts';

const directory = await temporaryDirectory();
const clock = join(directory.path, 'clock.mkv');
before(() => clockFilm(clock));
after(() => directory.remove());

/** What is hardest of each axis, in one. */
const one: ClockKind = {
  ...{ container: 'ts', start: 'late sound', rate: 'sparse' },
  ...{ keyframeSeconds: 4, order: 'B-frames', depth: 10 },
};

describe('a film with a clock is at the right time everywhere', () => {
  for (const kind of longRun ? clockKinds() : [one]) {
    const { container, start, rate, keyframeSeconds, order, depth } = kind;
    const name = `${container}, ${start}, ${rate}, a keyframe each ${keyframeSeconds} s, ${order}, ${depth} bits`;
    it(name, () => checkClock(directory.path, clock, kind));
  }
});
