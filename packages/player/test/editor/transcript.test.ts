import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  restoreWords,
  addCorrection,
  findEdge,
  keepSentences,
  findPlace,
  findNewSpeakers,
  findRun,
  findSentences,
  muteWords,
  nameSpeaker,
  removeWords,
} from '../../src/editor/transcript.ts';
import { nextPoint, snapTime, snapPoints } from '../../src/editor/clip-times.ts';

const editable = { start: 0, end: 10 };
const said = 'One two. Three four five. Six';
const words = said.split(' ').map((text, index) => ({
  key: String(index),
  text,
  start: index,
  end: index + 0.6,
}));
const heard = said.split(' ');

describe('the transcript', () => {
  it('has sentences: to a stop, a long pause, or another person', () => {
    assert.deepEqual(findSentences(words), [
      { first: 0, last: 1 },
      { first: 2, last: 4 },
      { first: 5, last: 5 },
    ]);
    const plain = words.map((word) => ({ ...word, text: 'x' }));
    assert.equal(findSentences(plain).length, 1);
    const apart = plain.map((word, index) => (index === 3 ? { ...word, opens_turn: true } : word));
    assert.deepEqual(findSentences(apart)[1], { first: 3, last: 5 });
  });

  it('names a speaker where another one begins, if there are two', () => {
    const sentences = findSentences(words);
    const spokenBy = (...speakers: (number | undefined)[]) =>
      findNewSpeakers(
        words.map((word, index) => {
          const speaker = speakers[sentences.findIndex(({ last }) => index <= last)];
          return { ...word, ...(speaker !== undefined && { speaker }) };
        }),
        sentences,
      );
    assert.deepEqual(spokenBy(1, 1, 2), [1, null, 2]);
    assert.deepEqual(spokenBy(2, undefined, 1), [2, null, 1]);
    assert.deepEqual(spokenBy(1, 2, 1), [1, 2, 1]);
    assert.deepEqual(spokenBy(3, undefined, 3), [null, null, null]);
    assert.deepEqual(spokenBy(), [null, null, null]);
  });

  it('keeps the name of a speaker until it is empty', () => {
    const named = nameSpeaker({ title: 'T' }, 2, ' Anna ');
    assert.deepEqual(named, { title: 'T', speakers: { 2: 'Anna' } });
    const both = nameSpeaker(named, 1, 'Ben');
    assert.deepEqual(nameSpeaker(both, 2, ''), { title: 'T', speakers: { 1: 'Ben' } });
    assert.deepEqual(nameSpeaker(named, 2, ' '), { title: 'T' });
  });

  it('mutes words, and lets them be heard again', () => {
    const [first, ...others] = words;
    const corrected = [{ ...first!, key: '0-1' }, ...others.slice(1)];
    const muted = muteWords({ title: 'T' }, corrected, { first: 0, last: 1 }, true);
    assert.deepEqual(muted, { title: 'T', muted: { 0: true, 1: true, 2: true } });
    const heard = muteWords(muted, corrected, { first: 0, last: 0 }, false);
    assert.deepEqual(heard.muted, { 0: false, 1: false, 2: true });
  });

  it('takes words out with the pause after them, and brings them back', () => {
    const changes = removeWords({ title: 'T' }, words, { first: 2, last: 4 }, editable);
    assert.deepEqual(changes, { title: 'T', removed: [{ start: 2, end: 5 }] });
    const places = words.map((word) => findPlace(word, { start: 0.9, end: 9 }, changes.removed!));
    assert.deepEqual(places, ['before', 'in', 'out', 'out', 'out', 'in']);
    assert.deepEqual(findRun(places, 3), { first: 2, last: 4 });
    assert.deepEqual(restoreWords(changes, words, { first: 2, last: 4 }, []), { title: 'T' });
    assert.deepEqual(restoreWords(changes, words, { first: 3, last: 3 }, []).removed, [
      { start: 2, end: 3 },
      { start: 4, end: 5 },
    ]);
  });

  it('brings back a filler that is removed automatically', () => {
    const fillers = [
      { start: 2.95, end: 3.9 },
      { start: 7, end: 8 },
    ];
    const places = words.map((word) => findPlace(word, { start: 0.9, end: 9 }, fillers));
    assert.equal(places[3], 'out');
    const changes = restoreWords({ title: 'T' }, words, { first: 3, last: 3 }, fillers);
    assert.deepEqual(changes, { title: 'T', restored: [{ start: 2.95, end: 3.9 }] });
    // The word before it has its pause, which the filler begins in.
    assert.deepEqual(restoreWords({}, words, { first: 2, last: 2 }, fillers), {});
  });

  it('joins what is taken out beside each other', () => {
    const one = removeWords({}, words, { first: 2, last: 2 }, editable);
    assert.deepEqual(removeWords(one, words, { first: 3, last: 3 }, editable).removed, [
      { start: 2, end: 4 },
    ]);
  });

  it('corrects words one by one if there are as many, otherwise together', () => {
    const correct = (first: number, last: number, text: string, changes = {}) =>
      addCorrection(changes, words, { first, last }, { text, heard }).words;
    assert.deepEqual(correct(2, 3, 'Tree four'), { 2: 'Tree' });
    assert.deepEqual(correct(2, 3, 'Thirty-four'), { '2-3': 'Thirty-four' });
    assert.deepEqual(correct(2, 2, 'New York'), { 2: 'New York' });
    assert.deepEqual(correct(2, 2, ''), { 2: '' });
    assert.equal(correct(2, 2, 'Three', { words: { 2: 'Tree' } }), undefined);
    assert.deepEqual(correct(2, 2, 'X', { words: { 2: 'Tree', 5: 'Sicks' } }), {
      2: 'X',
      5: 'Sicks',
    });
  });

  it('keeps the sentences in which no word was corrected', () => {
    const before = { words, sentences: findSentences(words) };
    const now = words.map((word) => (word.text === 'four' ? { ...word, text: 'for' } : word));
    const kept = keepSentences(now, before);
    assert.deepEqual(kept, before.sentences);
    assert.deepEqual(
      kept.map((sentence, index) => sentence === before.sentences[index]),
      [true, false, true],
    );
    const shorter = keepSentences(words.slice(1), before);
    assert.deepEqual(shorter, findSentences(words.slice(1)));
    assert.ok(shorter.every((sentence) => !before.sentences.includes(sentence)));
  });

  it('has places for the edges, with a little air where no other word is', () => {
    assert.equal(findEdge(words, 2, 'start', editable), 1.88);
    assert.equal(findEdge(words, 0, 'start', editable), 0);
    assert.equal(findEdge(words, 4, 'end', editable), 4.72);
    const close = words.map((word) => ({ ...word, end: word.start + 0.95 }));
    assert.equal(findEdge(close, 2, 'start', editable), 1.95);
  });

  it('pulls an edge to words, from further away to sentences', () => {
    const points = snapPoints(words, findSentences(words), 'start', editable);
    assert.equal(snapTime(points, 3.0, 0.2), 2.88);
    assert.equal(snapTime(points, 2.3, 0.2), 1.88);
    assert.equal(snapTime(points, 3.4, 0.2), 3.4);
    assert.equal(nextPoint(points, 1.88, 1, false), 2.88);
    assert.equal(nextPoint(points, 1.88, 1, true), 4.88);
    assert.equal(nextPoint(points, 1.88, -1, true), 0);
    assert.equal(nextPoint(points, 0, -1, false), 0);
  });
});
