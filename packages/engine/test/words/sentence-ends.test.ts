import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Word } from '../../src/facts.ts';
import { asWritten, isWithoutStops } from '../../src/words/sentence-ends.ts';
import { splitSentences } from '../../src/words/transcript.ts';

/** Words one after another; a stroke stands for a pause of half a second. */
function said(text: string): Word[] {
  let time = 0;
  return text.split(' ').map((token) => {
    const word = { text: token.replace('|', ''), start: time, end: time + 0.3 };
    time = word.end + (token.endsWith('|') ? 0.5 : 0);
    return word;
  });
}

const texts = (text: string, language: string | null) =>
  splitSentences(said(text), language).map((sentence) => sentence.text);

describe('text without stops', () => {
  it('is known by how few stops it has', () => {
    assert.equal(isWithoutStops(said('we went home and then it rained all night long')), true);
    assert.equal(isWithoutStops(said('We went home. Then it rained all night long.')), false);
  });

  it('is split at its pauses in any language, and keeps its capitals', () => {
    assert.deepEqual(texts('wir haben heute ein neues Thema| das Haus am See ist alt', 'de'), [
      'Wir haben heute ein neues Thema.',
      'Das Haus am See ist alt.',
    ]);
  });

  it('is split by its words in English, where nobody pauses', () => {
    const text = 'we moved to the coast last year yeah that is right i know what do you do there';
    const found = texts(text, 'en');
    assert.ok(found.length > 1, found.join(' / '));
    assert.equal(texts(text, 'fi').length, 1);
  });

  it('keeps words in one sentence that belong together', () => {
    assert.deepEqual(texts('he was one of the best people that i have ever met', 'en'), [
      'He was one of the best people that I have ever met.',
    ]);
  });

  it('is surer of an end the longer the pause is', () => {
    const [short] = splitSentences(said('das ist gut| und jetzt'), 'de');
    const words = said('das ist gut| und jetzt').map((word, index) =>
      index > 2 ? { ...word, start: word.start + 0.3, end: word.end + 0.3 } : word,
    );
    const [long] = splitSentences(words, 'de');
    assert.ok(long!.likelihood! > short!.likelihood!);
  });

  it('ends a sentence where another person begins', () => {
    const words = said('of the of the of the');
    words[2]!.opensTurn = true;
    assert.deepEqual(
      splitSentences(words, 'en').map(({ lastWord, likelihood }) => [lastWord, likelihood]),
      [
        [1, 1],
        [5, 1],
      ],
    );
  });

  it('covers each word once, however long nobody stops', () => {
    const found = splitSentences(said(Array(5000).fill('the').join(' ')), 'en');
    assert.equal(found[0]!.firstWord, 0);
    assert.equal(found.at(-1)!.lastWord, 4999);
    found.slice(1).forEach(({ firstWord }, at) => assert.equal(firstWord, found[at]!.lastWord + 1));
    assert.ok(found.every(({ firstWord, lastWord }) => lastWord - firstWord < 60));
  });
});

describe('a restored sentence', () => {
  it('is a question where its words and the answer tell, in English', () => {
    assert.deepEqual(texts('is that right| yeah| i like the way you do it| nice', 'en'), [
      'Is that right?',
      'Yeah.',
      'I like the way you do it.',
      'Nice.',
    ]);
    assert.deepEqual(texts('is that right| nein', 'de'), ['Is that right.', 'Nein.']);
  });

  it('has a capital letter and a mark', () => {
    assert.equal(
      asWritten('what do you think i should do', { english: true, asks: true }),
      'What do you think I should do?',
    );
    assert.equal(asWritten("so i'm in", { english: true, asks: false }), "So I'm in.");
    assert.equal(asWritten('ich weiß, i bin', { english: false, asks: false }), 'Ich weiß, i bin.');
  });

  it('stays as it is in scripts without small letters, and if it has a mark', () => {
    assert.equal(asWritten('วันนี้อากาศดี', { english: false, asks: false }), 'วันนี้อากาศดี');
    assert.equal(asWritten('it is.', { english: true, asks: false }), 'it is.');
  });
});
