import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { mergeOrder, mergeVideos, sortByViews } from '../../src/flow/list-order.ts';
import type { Project } from '../../src/contract/project.ts';
import type { Task } from '../../src/contract/task.ts';

describe('mergedOrder', () => {
  for (const [shown, read, order] of [
    ['', 'abc', 'abc'],
    ['b', 'abc', 'abc'],
    ['abc', 'cba', 'abc'],
    ['abc', 'ca', 'ac'],
    ['ac', 'cxab', 'abcx'],
    ['ab', 'xy', 'xy'],
    ['abc', '', ''],
    ['a', 'aab', 'ab'],
  ] as const) {
    it(`${shown || 'nothing'}, then ${read || 'nothing'}: ${order || 'nothing'}`, () => {
      assert.deepEqual(mergeOrder([...shown], [...read]), [...order]);
    });
  }
});

describe('mostWatched', () => {
  it('puts the clips that were watched most first, and keeps the order of others', () => {
    const clips = [
      { id: 'a' },
      { id: 'b', views: 2 },
      { id: 'c', views: 7 },
      { id: 'd', views: 0 },
      { id: 'e', views: 2 },
    ] as Project[];
    assert.deepEqual(
      sortByViews(clips).map(({ id }) => id),
      ['c', 'b', 'e', 'a', 'd'],
    );
  });
});

/** Videos by the minute at which they were made. */
const videos = (...minutes: readonly number[]) =>
  minutes.map((minute) => {
    const created_at = new Date(minute * 60_000).toISOString();
    return { id: `v${minute}`, created_at } as Task;
  });

describe('the videos after the newest page was read again', () => {
  it('are the page, if there is no other', () => {
    assert.deepEqual(mergeVideos(videos(3, 1), videos(3, 2, 1), false), videos(3, 1));
  });

  it('keep what comes after the page, and what a new video has pushed out of it', () => {
    assert.deepEqual(mergeVideos(videos(5, 4), videos(4, 3, 2, 1), true), videos(5, 4, 3, 2, 1));
  });

  it('lose what belongs into the page and is not there', () => {
    assert.deepEqual(mergeVideos(videos(4, 2), videos(4, 3, 2, 1), true), videos(4, 2, 1));
  });
});
