import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { turnLikelihoods, findSpeakerTurns } from '../../src/moments/speaker-turns.ts';
import type { Unit } from '../../src/moments/units.ts';
import { splitWords } from '../../src/words/word-text.ts';

const unitsOf = (texts: readonly string[], opens: readonly number[] = []): Unit[] =>
  texts.map((text, index) => ({
    text,
    words: splitWords(text).length,
    start: 3 * index,
    end: 3 * index + 2,
    ...(opens.includes(index) && { opensTurn: true }),
  }));

const banter = Array.from({ length: 12 }, (_, at) => [
  `Do you still have the boat number ${at}?`,
  'Yeah.',
  'I sold it in the spring because I never had the time to go out on the water with it.',
  'And then it rained all summer, so it was the best thing that I could have done with it.',
  'Oh, wow.',
  'That is what I would have done.',
]).flat();

const lecture = Array.from({ length: 60 }, (_, at) =>
  [
    'The bridge carries its load through the cables that hang from the two towers.',
    'And the deck is attached to them at regular intervals along its whole length.',
    'But the wind was stronger than the engineers had expected when they drew it.',
  ].at(at % 3)!,
);

describe('turns that the subtitles mark', () => {
  const marks = banter.flatMap((_, at) => ([1, 2, 4, 5].includes(at % 6) ? [at] : []));
  const turns = findSpeakerTurns(unitsOf(banter, marks), { language: 'en', minWords: 27 });

  it('are sure', () => {
    assert.deepEqual([turns.known, turns.marked], [true, true]);
    assert.deepEqual([0, 1, 2, 3, 4, 5].map(turns.opens), [1, 1, 1, 0, 1, 1]);
    assert.equal(turns.closes(3), 1);
    assert.equal(turns.lastOf(2), 3);
  });

  it('hold as many words as one person says in a row', () => {
    assert.equal(turns.holds(2, 3), 1);
    assert.ok(Math.abs(turns.holds(0, 1) - 8 / 27) < 1e-9);
  });
});

describe('turns without marks', () => {
  it('are not what a few dashes and colons in the text say', () => {
    const stray = findSpeakerTurns(unitsOf(banter, [3, 21]), { language: 'en', minWords: 27 });
    const plain = findSpeakerTurns(unitsOf(banter), { language: 'en', minWords: 27 });
    assert.deepEqual([stray.known, stray.marked], [true, false]);
    assert.equal(stray.opens(3), plain.opens(3));
    const rare = findSpeakerTurns(unitsOf(lecture, [3, 21]), { language: 'en', minWords: 27 });
    assert.deepEqual([rare.marked, rare.opens(3), rare.opens(4)], [true, 1, 0], 'a lecture');
  });

  it('are likely where the words tell, in English', () => {
    const turns = findSpeakerTurns(unitsOf(banter), { language: 'en', minWords: 27 });
    assert.deepEqual([turns.known, turns.marked], [true, false]);
    const mean = (place: number) =>
      Array.from({ length: 11 }, (_, at) => turns.opens(6 * (at + 1) + place)).reduce(
        (sum, one) => sum + one,
      ) / 11;
    assert.ok(mean(1) > 0.7, 'Yeah.');
    assert.ok(mean(4) > 0.7, 'Oh, wow.');
    assert.ok(mean(3) < 0.4, 'And then');
    assert.ok(turns.holds(2, 3) > turns.holds(4, 5));
  });

  it('are unknown in other languages, in a lecture and in a short text', () => {
    for (const [texts, language] of [
      [banter, 'de'],
      [lecture, 'en'],
      [banter.slice(0, 12), 'en'],
    ] as const) {
      const turns = findSpeakerTurns(unitsOf(texts), { language, minWords: 27 });
      assert.equal(turns.known, false);
      assert.equal(turns.lastOf(0), texts.length - 1);
    }
  });

  it('are as rare as they are in the talk', () => {
    const sum = (texts: readonly string[]) =>
      turnLikelihoods(texts)!.reduce((all, one) => all + one, 0) / texts.length;
    assert.ok(sum(lecture) < 0.15 && sum(banter) > 0.3, `${sum(lecture)} ${sum(banter)}`);
  });
});

/** Units with speakers; a question mark stands for a voice that is not known. */
const withVoices = (texts: readonly string[], voices: string): Unit[] =>
  unitsOf(texts).map((unit, index) => {
    const speaker = Number(voices[index % voices.length]);
    return speaker ? { ...unit, speaker } : unit;
  });

describe('turns by voices', () => {
  it('are known in every language, also of a short talk', () => {
    const units = withVoices(banter.slice(0, 12), '122122');
    const turns = findSpeakerTurns(units, { language: 'de', minWords: 27 });
    assert.deepEqual([turns.known, turns.marked], [true, true]);
    assert.deepEqual(
      units.map((_, at) => turns.opens(at) > 0.5),
      [true, true, false, true, true, false, true, true, false, true, true, false],
    );
    assert.ok(turns.opens(1) > 0.9 && turns.opens(2) < 0.1);
    assert.equal(turns.lastOf(1), 2);
  });

  it('are surer than what the words suggest', () => {
    const units = withVoices(banter, '111222');
    const turns = findSpeakerTurns(units, { language: 'en', minWords: 27 });
    assert.ok(turns.opens(4) < 0.1, 'Oh, wow.');
    assert.ok(turns.opens(3) > 0.9, 'And then');
  });

  it('are as likely as the words say where a voice is not known', () => {
    const plain = findSpeakerTurns(unitsOf(banter), { language: 'en', minWords: 27 });
    const units = withVoices(banter, '1?22?2');
    const turns = findSpeakerTurns(units, { language: 'en', minWords: 27 });
    assert.equal(turns.opens(4), plain.opens(4));
    assert.equal(turns.marked, false);
    // Between two voices that differ, there is a turn.
    assert.ok(turns.opens(1) >= 0.5 && turns.opens(2) >= 0.5);
    const german = findSpeakerTurns(units, { language: 'de', minWords: 27 });
    assert.deepEqual([german.opens(1), german.opens(2), german.opens(4)], [0.5, 0.5, 0]);
  });

  it('are none if one person speaks, whatever the words suggest', () => {
    const units = withVoices(banter, '1');
    assert.equal(findSpeakerTurns(units, { language: 'en', minWords: 27 }).known, false);
    const few = withVoices(banter, '1?????');
    const plain = findSpeakerTurns(unitsOf(banter), { language: 'en', minWords: 27 });
    const guessed = findSpeakerTurns(few, { language: 'en', minWords: 27 });
    assert.equal(guessed.opens(4), plain.opens(4));
  });

  it('give way to marks of the subtitles', () => {
    const marks = banter.flatMap((_, at) => ([1, 2, 4, 5].includes(at % 6) ? [at] : []));
    const units = unitsOf(banter, marks).map((unit) => ({ ...unit, speaker: 1 }));
    const turns = findSpeakerTurns(units, { language: 'en', minWords: 27 });
    assert.deepEqual([turns.marked, turns.opens(1), turns.opens(3)], [true, 1, 0]);
    const heard = findSpeakerTurns(units, { language: 'en', minWords: 27, turnsHeard: true });
    assert.equal(heard.known, false);
  });
});
