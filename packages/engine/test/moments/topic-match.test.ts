import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pickCandidates } from '../../src/moments/candidates.ts';
import { createTopicMatcher } from '../../src/moments/topic-match.ts';
import { quietAnalysis, spokenAnalysis } from 'clip-testkit/media-analysis';

/** Units of five seconds each. */
const makeUnits = (texts: readonly string[]) =>
  texts.map((text, at) => ({
    text,
    words: text.split(' ').length,
    start: at * 5,
    end: at * 5 + 5,
  }));

/** What a text is about that is said three times. */
function topicOf(text: string, topic: string, language = 'en'): string | null {
  const units = makeUnits([text, text, text]);
  return createTopicMatcher(units, [topic], language)(0, 2)?.topic ?? null;
}

describe('a text is about a topic', () => {
  const rows: readonly (readonly [text: string, topic: string, language?: string])[] = [
    ['You should invest early.', 'investing'],
    ['Investments grow slowly.', 'invest'],
    ['The economy is weak.', 'economic'],
    ['How do I save money?', 'saving money'],
    ['Learning by a machine is cheap.', 'machine learning'],
    ['Die Versicherungen zahlen nicht.', 'Versicherung', 'de'],
    ['Les impôts augmentent encore.', 'impôt', 'fr'],
    ['Hablamos de los impuestos.', 'impuesto', 'es'],
    ['They laid off half of the team.', 'layoffs'],
    ['We bought the house.', 'buying houses'],
    ['人工智能改变世界', '人工智能', 'zh'],
    ['機械学習は楽しいです', '機械学習', 'ja'],
    ['AI is here.', 'AI'],
    ['It’s about Mars.', 'mars'],
  ];
  for (const [text, topic, language] of rows) {
    it(`${topic}: ${text}`, () => assert.equal(topicOf(text, topic, language), topic));
  }

  it('whose words are in two sentences', () => {
    const texts = ['Remote work is fine.', 'Remote teams exist.', 'They work a lot.'];
    const match = createTopicMatcher(makeUnits([...texts, ...texts]), ['remote work'], 'en');
    assert.equal(match(1, 1), null);
    assert.equal(match(1, 3)?.topic, 'remote work');
  });
});

describe('a text is not about a topic', () => {
  const rows: readonly (readonly [text: string, topic: string, language?: string])[] = [
    ['The international match was on the radio.', 'internet'],
    ['A machine broke down.', 'machine learning'],
    ['We said so again.', 'AI'],
    ['The state of the station.', 'stage'],
    ['世界很大', '人工智能', 'zh'],
    ['We have three databases.', 'data'],
    ['They productize every product.', 'productivity'],
    ['Work is work, and more work.', 'remote work'],
    ['Safety comes first.', 'AI safety'],
    ['Open source is fun.', 'open source funding'],
    ['The lab was closed.', 'layoffs'],
    ['Nothing at all.', '!?'],
  ];
  for (const [text, topic, language] of rows) {
    it(`${topic}: ${text}`, () => assert.equal(topicOf(text, topic, language), null));
  }

  /** A talk that mentions money in these of its units, and the clip of units 20 to 25. */
  const matchMoney = (...mentions: number[]) => {
    const texts = Array.from({ length: 50 }, (_, at) =>
      mentions.includes(at) ? 'Money matters.' : 'We went on.',
    );
    return createTopicMatcher(makeUnits(texts), ['money'], 'en')(20, 25);
  };

  it('that it mentions once', () => {
    assert.equal(matchMoney(18, 19, 22, 27), null);
  });

  it('that the talk around it does not mention', () => {
    assert.equal(matchMoney(21, 24), null);
    assert.equal(matchMoney(2, 21, 24, 45), null);
    assert.equal(matchMoney(12, 21, 24)?.topic, 'money');
    assert.equal(matchMoney(21, 24, 36)?.topic, 'money');
  });

  it('that it mentions too seldom for its length', () => {
    const texts = Array.from({ length: 27 }, (_, at) =>
      [0, 14, 26].includes(at) ? 'Money.' : 'We went on.',
    );
    const match = createTopicMatcher(makeUnits(texts), ['money'], 'en');
    assert.equal(match(0, 25), null);
    assert.equal(match(0, 14)?.topic, 'money');
  });
});

describe('clips of a talk about topics', () => {
  const analysis = spokenAnalysis([
    ...['Why do bees dance at all?', 'A bee that finds flowers draws a map.', 'Bees read it.'],
    ...['We then had lunch in the usual place.', 'The soup was cold.', 'Nobody liked it.'],
    ...[
      'Have you ever asked what your brain does?',
      'The brain plays back the day.',
      'Brains never rest.',
    ],
  ]);
  const options = { count: 5, min: 2, max: 12, target: 6 };
  const topicsOf = (...topics: string[]) =>
    pickCandidates(analysis, { ...options, topics }).map(({ topic }) => topic);

  it('are only those that are about one, and each says which', () => {
    assert.deepEqual(new Set(topicsOf('brains', 'bee')), new Set(['brains', 'bee']));
    for (const { start, end, topic } of pickCandidates(analysis, { ...options, topics: ['bee'] })) {
      const said = analysis.transcript!.sentences.filter(
        (sentence) => sentence.start < end && sentence.end > start,
      );
      assert.equal(topic, 'bee');
      assert.ok(said.some(({ text }) => /bee/i.test(text)));
    }
  });

  it('are none for a topic that nothing is about, and without words', () => {
    assert.deepEqual(topicsOf('inflation'), []);
    const silent = pickCandidates(quietAnalysis(60), { ...options, topics: ['bee'] });
    assert.deepEqual(silent, []);
  });

  it('say no topic if none was asked for', () => {
    for (const candidate of pickCandidates(analysis, options)) assert.ok(!('topic' in candidate));
  });
});
