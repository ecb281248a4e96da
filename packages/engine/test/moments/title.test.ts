import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pickCandidates } from '../../src/moments/candidates.ts';
import { makeClipEdit } from '../../src/editing/make-inputs.ts';
import { makeWholeEdit } from '../support/whole-edit.ts';
import { nameUntitled } from '../../src/moments/title-words.ts';
import { fitTitle, maxTitleWidth, quoteBestLine, makeTitle } from '../../src/moments/title.ts';
import { splitWords, measureTextWidth } from '../../src/words/word-text.ts';
import { quietAnalysis, spokenAnalysis } from 'clip-testkit/media-analysis';
import { editingWith } from 'clip-testkit/plain-edit';

/**
 * A title of sentences long after the clip's start, so that no caption shows them at the same time.
 */
const ofText = (text: string, language: string | null = 'en') =>
  makeTitle([{ text, start: 10, end: 12 }], { language, start: 0 });

describe('a title', () => {
  for (const [language, text, title] of [
    ['en', 'Why do bees dance?', 'Why do bees dance?'],
    ['en', 'So, um, why do bees dance?', 'Why do bees dance?'],
    ['en', 'WHY DO BEES DANCE ALL DAY?', 'Why do bees dance all day?'],
    ['en', 'NASA sent a robot to the moon.', 'NASA sent a robot to the moon'],
    ['en', 'and then it was gone.', null],
    ['en', '“Go home,” he said.', null],
    ['en', 'So, nobody in the town said a word!', 'Nobody in the town said a word!'],
    ['en', 'When the old bridge fell, nobody in the town said a word.', null],
    ['en', 'Nobody in the town said a word when the old bridge fell, but', null],
    [
      'de',
      'Und das ist der Grund, warum Bienen im Sommer den ganzen Tag lang tanzen.',
      'Das ist der Grund…',
    ],
    ['de', 'Also, ähm, große Häuser heißen so.', 'Große Häuser heißen so'],
    ['de', 'ßo beginnt kein Wort', 'SSo beginnt kein Wort'],
    ['fr', 'Alors, pourquoi les abeilles dansent ?', 'Pourquoi les abeilles dansent ?'],
    ['es', 'Pero ¿por qué bailan las abejas?', 'Pero ¿por qué bailan las abejas?'],
    ['tr', 'istanbul neden bu kadar büyük?', 'İstanbul neden bu kadar büyük?'],
    ['ja', '蜂はなぜ踊るのですか？', '蜂はなぜ踊るのですか？'],
    ['ar', 'لماذا ترقص النحل؟', 'لماذا ترقص النحل؟'],
  ] as const) {
    it(`${language}: ${text}`, () => assert.equal(ofText(text, language), title));
  }

  it('is rather of what the clip is about', () => {
    const sentences = ['People built a house.', 'People keep bees in a box.'].map(
      (text, index) => ({ text, start: 10 + index, end: 11 + index }),
    );
    const of = (...topics: string[]) => makeTitle(sentences, { language: 'en', start: 0, topics });
    assert.equal(of('bees'), 'People keep bees in a box');
    assert.equal(of('house'), 'People built a house');
    assert.equal(of('weather'), null);
  });

  it('of a sentence that begins with a number keeps its small letters', () =>
    assert.equal(ofText('12 of my 14 bees live in a box.'), '12 of my 14 bees live in a box'));

  it('is not made of English text whose sentences are only likely', () => {
    const said = { text: 'People keep bees at home.', start: 10, end: 12 };
    const of = (one: typeof said) => makeTitle([one], { language: 'en', start: 0 });
    assert.equal(of(said), 'People keep bees at home');
    assert.equal(of({ ...said, endLikelihood: 0.9 } as typeof said), null);
  });

  it('is never longer than a title, and is cut between words', () => {
    for (const text of [
      'word '.repeat(60),
      '这是一个没有空格的很长的句子而且它还会继续下去直到没有人记得它是怎么开始的也没有人知道它什么时候结束。',
      'Donaudampfschifffahrtsgesellschaftskapitänskajütentürschlossreparaturwerkstatt ist ein Wort.',
    ]) {
      const title = ofText(text, null)!;
      assert.ok(measureTextWidth(title) <= maxTitleWidth, `${measureTextWidth(title)}: ${title}`);
      const kept = title.replace(/…$/, '').trim();
      const words = splitWords(text);
      if (measureTextWidth(words[0]!) < maxTitleWidth) {
        const said = splitWords(kept);
        assert.deepEqual(said.slice(1), words.slice(1, said.length));
      }
    }
  });

  it('is rather not what the captions show at the same time', () => {
    const sentences = [
      'People keep bees at home.',
      'They live in a box.',
      'Why do the bees dance?',
    ];
    const { transcript } = spokenAnalysis(sentences);
    const of = (count: number) =>
      makeTitle(transcript!.sentences.slice(0, count), { language: 'en', start: 0 });
    assert.equal(of(3), 'Why do the bees dance?');
    assert.equal(of(1), 'People keep bees at home', 'where there is nothing else');
  });

  it('that somebody gave stays as it is, as far as it fits', () => {
    assert.equal(fitTitle('iPhone tips'), 'iPhone tips');
    assert.equal(fitTitle('So it goes'), 'So it goes');
  });
});

describe('a clip without a title', () => {
  const said = (...texts: string[]) => texts.map((text) => ({ text }));
  const nameOf = (language: string, ...texts: string[]) =>
    quoteBestLine(said(...texts), { language });

  it('is its best whole line of five words or more, in the quotation marks of the language', () => {
    assert.equal(nameOf('en', 'Okay.', 'so that was it, really.'), '“So that was it, really”');
    assert.equal(
      nameOf('en', 'So it went on and on.', 'Why do bees dance all day?'),
      '“Why do bees dance all day?”',
    );
    assert.equal(nameOf('de-CH', 'Das war es dann für heute.'), '„Das war es dann für heute“');
    assert.equal(
      nameOf('fr', 'C’était vraiment très bien ça !'),
      '« C’était vraiment très bien ça ! »',
    );
    assert.equal(nameOf('ja', '蜂はなぜ一日中踊るのですか？'), '“蜂はなぜ一日中踊るのですか？”');
  });

  it('is a line about what the clip is about', () => {
    const texts = said('We went there on a bus.', 'We keep bees in a box.');
    assert.match(quoteBestLine(texts, { language: 'en', topics: ['bees'] })!, /bees/);
  });

  it('has dots wherever something is missing', () => {
    const long =
      'The original you made was great, except for the ending that nobody understood at all.';
    assert.equal(nameOf('en', long), '“The original you made was great…”');
    const unsure = [{ text: 'we went there and then we', endLikelihood: 0.3 }];
    assert.equal(quoteBestLine(unsure, { language: 'en' }), '“We went there and then we…”');
  });

  it('is what is said if no line is long enough', () => {
    assert.equal(nameOf('en', 'Okay.', 'It rains again.'), '“Okay. It rains again”');
  });

  it('is shortened, and quotes nothing within the quotation', () => {
    const name = nameOf('en', `He said “no” ${'and again '.repeat(20)}.`)!;
    assert.match(name, /^“He said no and .*…”$/);
    assert.ok(measureTextWidth(name) <= maxTitleWidth + 2);
  });

  it('has no such name if nothing is said', () => {
    assert.equal(nameOf('en'), null);
    assert.equal(nameOf('en', '...'), null);
  });
});

describe('a clip in which nothing is said', () => {
  const options = { count: 1, min: 2, max: 9, target: 5 };
  const editing = editingWith('captions', 'intro_title', 'reframe');
  const dimensions = { width: 180, height: 320 };

  it('is named by its time, in the language of the request', () => {
    const name = (language?: string) =>
      pickCandidates(quietAnalysis(8), { ...options, language })[0]!.title;
    assert.equal(name(), 'Clip at 0:00');
    assert.equal(name('de-CH'), 'Ausschnitt ab 0:00');
    assert.equal(name('ja'), '0:00のクリップ');
    assert.equal(name('sw'), 'Clip at 0:00');
    assert.equal(nameUntitled(3725, 'en'), 'Clip at 1:02:05');
  });

  it('shows the name that the task was given, and no time', () => {
    const [clip] = pickCandidates(quietAnalysis(8), options);
    const title = (name?: string) =>
      makeClipEdit(quietAnalysis(8), clip!, { editing, dimensions, ...(name && { name }) }).title;
    assert.equal(title('Surfing in Ericeira')?.text, 'Surfing in Ericeira');
    assert.equal(title('Upload'), null);
    assert.equal(title(), null);
  });

  it('and one with words shows them for three seconds, or for as long as it lasts', () => {
    const said = spokenAnalysis(['Why do bees dance?']);
    const { title } = makeWholeEdit(said, { editing, dimensions, title: 'Upload' });
    assert.equal(title?.text, 'Why do bees dance?');
    assert.ok(title.end <= 3 && title.end > 2.5);
  });
});
