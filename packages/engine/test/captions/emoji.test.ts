import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { describe, it } from 'node:test';
import { findEmojiCues, findEmoji } from '../../src/captions/emoji-cues.ts';
import { EmojiFont } from '../../src/captions/emoji-font.ts';
import { type NamedEmoji, indexEmojis } from '../../src/captions/emoji-data.ts';
import { readPngSize } from '../../src/render/watermark.ts';
import { makeClipEdit } from '../../src/editing/make-inputs.ts';
import { splitWords } from '../../src/words/word-text.ts';
import { spokenAnalysis } from 'clip-testkit/media-analysis';
import { editingWith } from 'clip-testkit/plain-edit';

/** All emoji of a sentence, without the limit per caption. */
const emojisIn = (sentence: string, language: string): string =>
  splitWords(sentence)
    .map((word) => findEmoji(word, language) ?? '')
    .join('')
    .replaceAll('\ufe0f', '');

/** Spoken sentences, with the emoji that a person would choose: often none. */
const expected: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  en: [
    ['Why do bees dance in the hive?', '🐝💃🐝'],
    ['Save your money before you buy a guitar.', '💰🛒🎸'],
    ['Elephants never forget a face.', '🐘'],
    ['We saw two whales and a lighthouse.', '🐋'],
    ['My grandmother baked bread and played the violin.', '🍞🎻'],
    ['A volcano is a mountain that had enough.', '🌋⛰'],
    // Words that are the name of an emoji, but mean something else.
    ['You can watch this and it will ring true.', ''],
    ['Bear in mind that prices rose again.', ''],
    ['For the sake of the rest, pick the right one.', ''],
    ['The train of thought may fly past, mate.', ''],
    ['No, that was the second time this week.', ''],
    ['I would like you to see the present state of play.', ''],
    ['It was a key point, well said, and right on time.', ''],
    ['Do not seal the deal, turkey is not on the table.', ''],
    ['They ship it, they test it, they fix the bug.', ''],
    ['The company will launch the program in May.', ''],
    ['What a kind thing to say, thought Rose.', ''],
    ['The US said that WHO was late.', ''],
    ['Spring the trap, then match the gear.', ''],
    ['In general, there are several further details.', ''],
  ],
  de: [
    ['Die Katzen schlafen, der Elefant nicht.', '🐈😴🐘'],
    ['Er spielt Gitarre für Geld.', '🎸💰'],
    // No English words, and only nouns.
    ['Das ist fast die beste Art, also war es hell.', ''],
    ['Gift ist kein Geschenk.', '🎁'],
    ['Sie hat Krebs und sitzt auf der Bank.', ''],
    ['Wir berg und tal wandern zum ziel.', ''],
  ],
  fr: [
    ["L'avocat montre une porte rose.", ''],
    ['Deux éléphants dans la forêt.', '🐘🌳'],
    ['La guitare coûte trop.', '🎸'],
  ],
  es: [
    ['Se llama Ana y habla sobre todo.', ''],
    ['Dos elefantes en el bosque.', '🐘🌳'],
    ['Me gusta la guitarra.', '🎸'],
  ],
  pt: [
    ['O presente foi dado por uma pena.', ''],
    ['Os elefantes gostam de água.', '🐘💧'],
  ],
  ja: [['ゾウとキリンを見ました。', '🐘🦒']],
  zh: [['我喜欢大象和钢琴。', '🐘']],
  ru: [['Это слон, а не лук.', '🐘']],
  // A language that is not in the data set.
  la: [['Elephas magnus est, piano pizza.', '']],
};

describe('the emoji of a word', () => {
  for (const [language, sentences] of Object.entries(expected)) {
    for (const [sentence, emojis] of sentences) {
      it(`${language}: ${sentence}`, () => assert.equal(emojisIn(sentence, language), emojis));
    }
  }

  it('is rather the curated one', () => {
    assert.equal(findEmoji('dog', 'en'), '🐶');
    assert.equal(findEmoji('dogs', 'en-GB'), '🐶');
    assert.equal(findEmoji('Kaffee', 'de-AT'), '☕');
  });

  it('is one that the font of the distribution has, as PNG', async (context) => {
    const path = '/usr/share/fonts/truetype/noto/NotoColorEmoji.ttf';
    if (!existsSync(path)) return context.skip('Noto Color Emoji is not installed');
    const font = new EmojiFont(await readFile(path));
    const list = createRequire(import.meta.url)('emojibase-data/en/compact.json') as NamedEmoji[];
    const names = [...indexEmojis(list, 'en').values()];
    assert.ok(names.length > 200, `${names.length} names`);
    const without = names.filter((emoji) => font.png(emoji) === null);
    assert.ok(without.length < names.length * 0.03, without.join(''));
    assert.deepEqual(readPngSize(font.png('🐝')!), { width: 136, height: 128 });
    assert.equal(font.png('\u{10FFFD}'), null);
  });
});

describe('the emoji of captions', () => {
  const editing = editingWith('captions', 'emojis', 'reframe');
  const cuesOf = (sentences: string[], language: string | null) => {
    const spoken = spokenAnalysis(sentences);
    const analysis = { ...spoken, transcript: { ...spoken.transcript!, language } };
    const candidate = { title: '', score: 0, explanation: '', features: {} };
    return makeClipEdit(
      analysis,
      { ...candidate, start: 0, end: analysis.duration },
      { editing, dimensions: { width: 180, height: 320 } },
    );
  };

  it('are one a caption at the most, whatever stands in it', () => {
    const { captions, emojis } = cuesOf(['Bees, money, guitars, dogs, cats.'], 'en');
    for (const { start, end } of captions) {
      assert.ok(emojis.filter((cue) => cue.start >= start && cue.start < end).length <= 1);
    }
    assert.ok(emojis.length > 0);
  });

  it('come back no sooner than after eight seconds', () => {
    const { emojis } = cuesOf(Array<string>(8).fill('Bees dance here now.'), 'en');
    const bees = emojis.filter(({ emoji }) => emoji === '🐝');
    assert.ok(bees.length >= 2);
    bees.slice(1).forEach(({ start }, index) => assert.ok(start - bees[index]!.end >= 8));
  });

  it('are of the transcript’s language; of an unknown one only where it looks English', () => {
    assert.deepEqual(cuesOf(['Die Bees kosten fast money.'], 'de').emojis, []);
    assert.deepEqual(cuesOf(['Bienen guitar pizza.'], null).emojis, []);
    assert.equal(cuesOf(['The bees are in the garden.'], null).emojis[0]?.emoji, '🐝');
    assert.deepEqual(findEmojiCues([], null), []);
  });
});
