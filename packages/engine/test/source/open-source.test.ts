/**
 * Picture, sound, captions and cuts are within a frame of what a player shows and sounds, whatever
 * the container, its first times, its frames and its keyframes: all pairs of them.
 */
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { inLongRun } from 'clip-testkit/long-run';
import { checkClock } from '../support/clock-checks.ts';
import { clockVideo, clockKinds } from '../support/clock-footage.ts';
import { temporaryDirectory } from 'clip-testkit/media-footage';

const directory = await temporaryDirectory();
const clock = join(directory.path, 'clock.mkv');
after(() => directory.remove());

describe('a video with a clock is at the right time everywhere', inLongRun, () => {
  before(() => clockVideo(clock));
  for (const kind of clockKinds()) {
    const { container, start, rate, keyframeSeconds, order, depth } = kind;
    const name = `${container}, ${start}, ${rate}, a keyframe each ${keyframeSeconds} s, ${order}, ${depth} bits`;
    it(name, () => checkClock(directory.path, clock, kind));
  }
});
