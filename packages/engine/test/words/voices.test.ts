import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import type { Sentence, Transcript, Word } from '../../src/facts.ts';
import { findVoiceSpan, numberSpeakers, withSpeakers } from '../../src/words/voices.ts';

/** Returns a vector of length 1: the cosine of two is that of the angle between them. */
function voiceAt(degrees: number): Float32Array {
  const angle = (degrees * Math.PI) / 180;
  return Float32Array.of(Math.cos(angle), Math.sin(angle), 0);
}

/** Sentences of two words each, a second long. */
function makeTranscript(count: number, marks: readonly number[] = []): Transcript {
  const words = Array.from({ length: 2 * count }, (_, at): Word => ({
    text: at % 2 === 0 ? 'Well' : 'said.',
    start: at / 2,
    end: at / 2 + 0.5,
    ...(marks.includes(at / 2) && { opensTurn: true }),
  }));
  const sentences = Array.from({ length: count }, (_, at): Sentence => ({
    text: 'Well said.',
    start: at,
    end: at + 1,
    firstWord: 2 * at,
    lastWord: 2 * at + 1,
  }));
  return { language: 'en', words, sentences };
}

const listTurns = ({ words }: Transcript): number[] =>
  words.flatMap(({ opensTurn }, index) => (opensTurn ? [index / 2] : []));

test('a sentence of a second shows its voice, and of a long one the middle is enough', () => {
  assert.equal(findVoiceSpan({ start: 4, end: 4.9 }), null);
  assert.deepEqual(findVoiceSpan({ start: 4, end: 5 }), { start: 4, end: 5 });
  assert.deepEqual(findVoiceSpan({ start: 4, end: 14 }), { start: 7.5, end: 10.5 });
});

describe('speakers', () => {
  it('have the numbers of the order in which they first speak', () => {
    const voices = [90, 85, 0, 5, 90, null, 2].map((at) => (at === null ? null : voiceAt(at)));
    assert.deepEqual(numberSpeakers(voices), [1, 1, 2, 2, 1, null, 2]);
  });

  it('are not known of a voice between two of them', () => {
    const voices = [0, 0, 103, 103, 51.5, 0].map(voiceAt);
    assert.deepEqual(numberSpeakers(voices), [1, 1, 2, 2, null, 1]);
  });

  it('are not made by one sentence that is a little like another', () => {
    assert.deepEqual(numberSpeakers([0, 2, 57, 0].map(voiceAt)), [1, 1, null, 1]);
    assert.deepEqual(numberSpeakers([0, 2, 80, 0].map(voiceAt)), [1, 1, 2, 1]);
  });

  it('are limited in number: noise is like nothing before', () => {
    const voices = Array.from({ length: 60 }, (_, at) => {
      const voice = new Float32Array(60);
      voice[at] = 1;
      return voice;
    });
    assert.equal(new Set(numberSpeakers(voices)).size, 51);
  });
});

describe('words with their speakers', () => {
  it('open turns with the first sentence that is surely of another', () => {
    const heard = withSpeakers(makeTranscript(5), [1, null, 2, 2, 1]);
    assert.deepEqual(
      heard.words.map(({ speaker }) => speaker),
      [1, 1, undefined, undefined, 2, 2, 2, 2, 1, 1],
    );
    assert.deepEqual(listTurns(heard), [2, 4]);
    assert.equal(heard.turnsHeard, true);
  });

  it('keep the turns that the subtitles mark', () => {
    const heard = withSpeakers(makeTranscript(5, [1, 4]), [1, 1, 2, 2, 1]);
    assert.deepEqual(listTurns(heard), [1, 4]);
    assert.equal(heard.words[4]!.speaker, 2);
    assert.equal(heard.turnsHeard, undefined);
  });

  it('lose marks that the voices contradict: dashes in sentences', () => {
    const heard = withSpeakers(makeTranscript(12, [7]), [1, 2, 1, 2, 1, 2, 1, 1, 1, 2, 1, 2]);
    assert.deepEqual(listTurns(heard), [1, 2, 3, 4, 5, 6, 9, 10, 11]);
  });

  it('have no turns if one speaks', () => {
    const heard = withSpeakers(makeTranscript(3), [1, 1, 1]);
    assert.deepEqual(listTurns(heard), []);
    assert.equal(heard.turnsHeard, undefined);
  });
});
