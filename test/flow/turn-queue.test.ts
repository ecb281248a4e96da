import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TurnQueue } from '../../src/flow/upload-rate.ts';

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
