import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { postTextsWithin } from '../../src/moments/post-texts.ts';
import { makeTranscript } from '../../src/words/transcript.ts';
import { splitWords, spreadWords } from '../../src/words/word-text.ts';

function talkOf(language: string, text: string) {
  const words = spreadWords(splitWords(text), 0, 60);
  const known = { silences: [], duration: 60, language };
  return makeTranscript([{ start: 0, end: 60, words, timed: true }], known)!;
}

const english =
  'The old bridge was closed in spring. Why did Katrina Owen cross the old bridge? Nobody knows who built it in 1904. ' +
  'The old bridge cost the town a million. That was the whole story of the river.';

const bare = (text: string) =>
  splitWords(text.toLowerCase()).map((word) => word.replace(/\W/g, ''));

describe('the texts of a clip for a post', () => {
  it('are made of its words only', () => {
    const texts = postTextsWithin(talkOf('en', english), { start: 0, end: 60 })!;
    const said = new Set(bare(english));
    const written = [...texts.titles, texts.description!, ...texts.tags].flatMap(bare);
    assert.deepEqual(
      written.filter((word) => !said.has(word)),
      [],
    );
    assert.deepEqual(texts.tags.slice(0, 2).toSorted(), ['katrina owen', 'old bridge']);
  });

  it('have titles that differ, the first of them the title of the clip', () => {
    const text =
      'Warum frieren Weichen im Winter ein? Warum frieren Weichen im Winter nie ein? Wir haben 1998 gebaut.';
    const { title, titles } = postTextsWithin(talkOf('de', text), { start: 0, end: 60 })!;
    assert.deepEqual(titles, [title, 'Wir haben 1998 gebaut']);
  });

  it('end with the words that a clip without a title opens with', () => {
    const text = 'The thing was there before we came. It stayed there. Then it went away again.';
    const { title, titles } = postTextsWithin(talkOf('en', text), { start: 0, end: 60 })!;
    assert.equal(title, null);
    assert.deepEqual(titles, ['“The thing was there before we came”']);
  });

  it('are of the sentences that are whole in the span', () => {
    const { words, ...more } = talkOf('en', english);
    const from = words.find(({ text }) => text === 'closed')!.start;
    const to = words.find(({ text }) => text === 'million.')!.start;
    const { titles } = postTextsWithin({ words, ...more }, { start: from, end: to })!;
    assert.deepEqual(titles, ['“Why did Katrina Owen cross the old bridge?”']);
    const inside = { start: from, end: words.find(({ text }) => text === 'spring.')!.end };
    const cut = postTextsWithin({ words, ...more }, inside)!;
    assert.deepEqual(cut.titles, ['“Closed in spring”']);
  });

  it('are null where nothing is said', () => {
    assert.equal(postTextsWithin(talkOf('en', english), { start: 90, end: 99 }), null);
  });

  const languages: [string, string, string[]][] = [
    [
      'fr',
      'La ville de Lyon a planté dix mille arbres. Les arbres coûtent cher. Pourquoi Bruno Bernard a choisi des arbres ?',
      ['arbres', 'bruno bernard', 'lyon'],
    ],
    [
      'de',
      'Die Weichen frieren im Winter ein. Wer heizt die Weichen? Das weiß Angela Merkel auch nicht.',
      ['weichen', 'angela merkel'],
    ],
    [
      'ja',
      '人工知能は仕事を変えています。人工知能を使うと、生産性が二倍になります。',
      ['人工知能'],
    ],
    [
      'zh',
      '人工智能正在改变工作。使用人工智能以后，程序员的效率提高了。程序员会被取代吗？',
      ['人工智能', '程序员'],
    ],
    [
      'ar',
      'الذكاء الاصطناعي يغير عملنا اليوم. يستخدم الناس الذكاء الاصطناعي كل يوم.',
      ['الذكاء الاصطناعي'],
    ],
    [
      'ko',
      '인공지능은 우리의 일을 바꾸고 있습니다. 인공지능을 쓰면 생산성이 두 배가 됩니다.',
      ['인공지능'],
    ],
  ];
  for (const [language, text, tags] of languages) {
    it(`have tags in ${language}`, () => {
      const found = postTextsWithin(talkOf(language, text), { start: 0, end: 60 })!;
      assert.deepEqual(found.tags.toSorted(), tags.toSorted());
    });
  }
});
