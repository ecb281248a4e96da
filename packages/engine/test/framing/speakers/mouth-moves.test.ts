import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findMouthMoves } from '../../../src/framing/speakers/mouth-moves.ts';

const movesOf = (openings: (number | null)[]) =>
  findMouthMoves(
    openings.map((_, at) => at),
    openings,
  );

test('each opening and each closing counts once, from its first clear change on', () => {
  assert.deepEqual(movesOf([0.1, 0.1, 0.15, 0.2, 0.25, 0.2, 0.1, 0.05, 0.1]), [2, 5, 8]);
});

test('noise, and slow changes one way, are no moves back', () => {
  assert.deepEqual(movesOf([0.1, 0.11, 0.09, 0.12, 0.1]), []);
  assert.deepEqual(movesOf([0.1, 0.12, 0.14, 0.16, 0.18, 0.17, 0.19]), [2]);
});

test('a mouth that is not read for a moment is where it was', () => {
  assert.deepEqual(movesOf([0.1, null, 0.2, null, null, 0.2, 0.1]), [2, 6]);
  assert.deepEqual(movesOf([null, null]), []);
});
