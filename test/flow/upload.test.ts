import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  findFileFault,
  isSubtitles,
  nameWithoutEnding,
  estimateMsLeft,
  type SentSample,
  TurnQueue,
  withSample,
} from '../../src/flow/upload.ts';

const file = { name: 'talk.mp4', type: 'video/mp4', size: 100, seconds: 60 };
const limits = { maxBytes: 1000, maxSeconds: 3600 };

describe('a file before it is sent', () => {
  it('is a video by its type or by its ending', () => {
    assert.equal(findFileFault(file, limits), null);
    assert.equal(findFileFault({ ...file, name: 'talk' }, limits), null);
    assert.equal(findFileFault({ ...file, name: 'TALK.MKV', type: '' }, limits), null);
    assert.equal(findFileFault({ ...file, name: 'talk', type: 'audio/mpeg' }, limits), null);
    assert.equal(findFileFault({ ...file, name: 'Talk.opus', type: '' }, limits), null);
    assert.equal(
      findFileFault({ ...file, name: 'a.pdf', type: 'application/pdf' }, limits),
      'file-not-video',
    );
  });

  it('is within the limits', () => {
    assert.equal(findFileFault({ ...file, size: 0 }, limits), 'file-empty');
    assert.equal(findFileFault({ ...file, size: 1001 }, limits), 'file-too-large');
    assert.equal(findFileFault({ ...file, size: 1001 }, { ...limits, maxBytes: null }), null);
    assert.equal(findFileFault({ ...file, seconds: 3601 }, limits), 'file-too-long');
    assert.equal(findFileFault({ ...file, seconds: null }, limits), null);
  });

  it('is a file of subtitles by its ending', () => {
    assert.deepEqual(['a.srt', 'a.VTT', 'a.ttml', 'vtt'].map(isSubtitles), [
      true,
      true,
      true,
      false,
    ]);
  });

  it('names the video without its ending', () => {
    assert.deepEqual(['Talk 1.5.mp4', '.mp4', 'talk'].map(nameWithoutEnding), [
      'Talk 1.5',
      '.mp4',
      'talk',
    ]);
  });
});

/** Takes turns, and notes which have begun. */
function open() {
  const queue = new TurnQueue();
  const begun: number[] = [];
  const ends = new Map<number, () => void>();
  const never = new AbortController().signal;
  return {
    begun,
    take: (place: number, signal: AbortSignal = never) =>
      queue.take(place, signal).then((end) => {
        begun.push(place);
        ends.set(place, end);
      }),
    async end(place: number) {
      ends.get(place)!();
      await settled();
    },
  };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the turns of a queue', () => {
  it('are given one at a time, also to who asks in the same step', async () => {
    const { take, begun, end } = open();
    for (const place of [1, 2, 3]) void take(place);
    await settled();
    assert.deepEqual(begun, [1]);
    await end(1);
    assert.deepEqual(begun, [1, 2]);
    await end(2);
    assert.deepEqual(begun, [1, 2, 3]);
  });

  it('go by the place, whenever it was asked for', async () => {
    const { take, begun, end } = open();
    for (const place of [2, 4, 3, 1]) void take(place);
    await settled();
    for (const place of [2, 1, 3]) await end(place);
    assert.deepEqual(begun, [2, 1, 3, 4]);
  });

  it('end once, however often that is said', async () => {
    const { take, begun, end } = open();
    for (const place of [1, 2, 3]) void take(place);
    await settled();
    await end(1);
    await end(1);
    assert.deepEqual(begun, [1, 2]);
  });

  it('are not given to who has left', async () => {
    const { take, begun, end } = open();
    const life = new AbortController();
    void take(1);
    const left = take(2, life.signal);
    void take(3);
    await settled();
    life.abort(new Error('left'));
    await assert.rejects(left, /left/);
    await assert.rejects(take(0, life.signal), /left/);
    await end(1);
    assert.deepEqual(begun, [1, 3]);
  });
});

const samples = (...all: readonly (readonly [at: number, sent: number])[]): SentSample[] =>
  all.reduce<SentSample[]>((known, [at, sent]) => withSample(known, { at, sent }), []);

describe('the time until a file is sent', () => {
  it('follows from the rate', () => {
    assert.equal(estimateMsLeft(samples([0, 0], [4000, 400]), 1000), 6000);
  });

  it('is unknown in the first seconds, and while nothing is sent', () => {
    assert.equal(estimateMsLeft(samples([0, 0], [500, 400]), 1000), null);
    assert.equal(estimateMsLeft(samples([0, 50], [5000, 50]), 1000), null);
    assert.equal(estimateMsLeft([], 1000), null);
  });

  it('is that of the last 20 seconds', () => {
    const all = samples([0, 0], [1000, 900], [30_000, 1000], [40_000, 1100]);
    assert.equal(estimateMsLeft(all, 1200), 10_000);
  });

  it('begins again after a cut', () => {
    assert.deepEqual(samples([0, 0], [3000, 300], [3100, 200]), [{ at: 3100, sent: 200 }]);
  });
});
