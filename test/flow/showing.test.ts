import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Showing } from '../../src/flow/showing.ts';

const quarter = 0.25;

/** Plays from one time to another, reported four times a second; returns what was reached. */
function play(
  showing: Showing,
  [from, to]: readonly [from: number, to: number],
  { duration = 60, paused = false, playbackRate = 1, step = quarter } = {},
) {
  const reached = [];
  for (let at = from; at < to;) {
    at = Math.min(to, at + step);
    for (const what of showing.follow({ paused, currentTime: at, duration, playbackRate })) {
      reached.push([what, at]);
    }
  }
  return reached;
}

describe('a showing of a clip', () => {
  it('is a view after two seconds, once', () => {
    const showing = new Showing(0);
    assert.deepEqual(play(showing, [0, 14]), [['view', 2]]);
    showing.jump();
    assert.deepEqual(play(showing, [0, 14]), []);
  });

  it('is a view after a quarter of a clip shorter than eight seconds', () => {
    const reached = play(new Showing(0), [0, 1.5], { duration: 4 });
    assert.deepEqual(reached, [
      ['view', 1],
      [25, 1],
    ]);
  });

  it('is a view after two seconds while its length is not known, and has no percentage', () => {
    assert.deepEqual(play(new Showing(0), [0, 30], { duration: NaN }), [['view', 2]]);
  });

  it('counts what is played in several places together, and no pause', () => {
    const showing = new Showing(0);
    assert.deepEqual(play(showing, [0, 1.5]), []);
    assert.deepEqual(play(showing, [1.5, 9], { paused: true }), []);
    showing.jump();
    assert.deepEqual(play(showing, [40, 41]), [['view', 40.75]]);
  });

  it('reaches 25, 50, 75 and 95 percent, each once, also when it begins again', () => {
    const showing = new Showing(0);
    assert.deepEqual(play(showing, [0, 60]).slice(1), [
      [25, 15],
      [50, 30],
      [75, 45],
      [95, 57],
    ]);
    assert.deepEqual(play(showing, [0, 60]), []);
  });

  it('reaches no percentage by a jump, in either direction, told of or not', () => {
    const showing = new Showing(0);
    play(showing, [0, 5]);
    assert.deepEqual(
      showing.follow({ paused: false, currentTime: 40, duration: 60, playbackRate: 1 }),
      [],
    );
    assert.deepEqual(play(showing, [40, 46]), [[75, 45]]);
    showing.jump();
    assert.deepEqual(play(showing, [14, 16]), [[25, 15]]);
    assert.deepEqual(showing.marks, [0, 4]);
  });

  it('follows a player that is fast, and one that reports once a second', () => {
    const fast = play(new Showing(0), [0, 20], { playbackRate: 4, step: 4 });
    assert.deepEqual(fast, [
      ['view', 4],
      [25, 16],
    ]);
    assert.deepEqual(play(new Showing(0), [0, 3], { step: 1 }), [['view', 2]]);
  });

  it('has a mark for each ten seconds of which half or more was played', () => {
    const showing = new Showing(0);
    play(showing, [0, 14]);
    assert.deepEqual(showing.marks, [0]);
    play(showing, [14, 15]);
    assert.deepEqual(showing.marks, [0, 1]);
    showing.jump();
    play(showing, [50, 54]);
    play(showing, [50, 54]);
    assert.deepEqual(showing.marks, [0, 1]);
  });

  it('has a mark for half of the rest at the end', () => {
    const showing = new Showing(20);
    play(showing, [20, 22], { duration: 23 });
    assert.deepEqual(showing.marks, [2]);
  });

  it('begins at its first report if its start is not known', () => {
    const showing = new Showing(NaN);
    assert.deepEqual(play(showing, [0, 2.25]), [['view', 2.25]]);
  });

  it('is not misled by a page that reports what cannot be', () => {
    const showing = new Showing(0);
    for (const currentTime of [2 ** 53, 2 ** 53 + 2, 1e300, Infinity, NaN, -1]) {
      const report = { paused: false, currentTime, duration: 60, playbackRate: 1e300 };
      assert.deepEqual(showing.follow(report), [], String(currentTime));
    }
    assert.deepEqual(showing.marks, []);
  });
});
