import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { explainClip, type ExplainedClip } from '../../src/moments/explanation.ts';
import { getExplanationTexts } from '../../src/moments/explanation-texts.ts';
import type { Unit } from '../../src/moments/units.ts';

/** Sentences of four seconds each; `>>` opens another person's turn. */
const said = (...texts: string[]): Unit[] =>
  texts.map((text, index) => ({
    text: text.replace(/^>> /, ''),
    words: text.split(' ').length,
    start: 100 + 4 * index,
    end: 104 + 4 * index,
    ...(text.startsWith('>> ') && { opensTurn: true }),
  }));

const clip = (units: Unit[], more: Partial<ExplainedClip> = {}): ExplainedClip => ({
  span: { start: units[0]?.start ?? 100, end: units.at(-1)?.end ?? 120 },
  units,
  topics: [],
  name: null,
  sound: { louder: 0, reactions: [] },
  cuts: 0,
  ...more,
});

const english = { language: 'en' };

describe('an explanation', () => {
  it('names the topics, and quotes the best line with its time', () => {
    const topics = ['old bridge', 'Lisbon'];
    const units = said('And so they did that.', 'My father built the old bridge.');
    assert.equal(
      explainClip(clip(units, { topics }), english),
      'About old bridge and Lisbon. “My father built the old bridge” (0:04).',
    );
  });

  it('does not quote the title again, nor a piece of a quotation', () => {
    const units = said('My father built the old bridge.', 'He said "it is made of stone.');
    for (const name of [
      'My father built the old bridge',
      'My father built…',
      'The bridge my father built',
    ]) {
      const explanation = explainClip(clip(units, { name }), english);
      assert.equal(explanation, 'Not much different from the rest of the video.', name);
    }
  });

  it('does not quote the question that the clip is called by', () => {
    const units = said('Who built the old bridge?', '>> My father built it in a single year.');
    assert.equal(
      explainClip(clip(units, { name: 'Who built the old bridge?' }), english),
      '“My father built it in a single year” (0:04).',
    );
  });

  it('quotes a question at the start, and what another person says to it', () => {
    const question = 'Who built the old bridge?';
    const reply = 'My father built it in a year.';
    assert.equal(
      explainClip(
        clip(said(question, 'I have always wondered about that.', `>> ${reply}`)),
        english,
      ),
      '“Who built the old bridge?” – “My father built it in a year”.',
    );
    const alone = '“Who built the old bridge?”';
    assert.equal(
      explainClip(clip(said(question, reply)), english),
      alone,
      'nothing marks who speaks',
    );
    assert.equal(
      explainClip(clip(said(question, '>> Yes.', `>> ${reply}`)), english),
      alone,
      'the asker may go on after a short answer',
    );
    assert.equal(explainClip(clip(said(question, '>> Yes.')), english), alone);
  });

  it('says when the subtitles or the sound have a reaction, by the clock of the clip', () => {
    const sound = { louder: 0, reactions: [4, 6.2] };
    assert.match(
      explainClip(clip(said('One two.', 'Three.'), { sound }), english),
      /applause at 0:06/,
    );
    // It begins just after the last word.
    const late = { louder: 0, reactions: [9] };
    assert.match(explainClip(clip(said('A b.', 'C.'), { sound: late }), english), /at 0:08\./);
  });

  it('quotes numbers with what they count, and no others', () => {
    const numbers = (text: string) =>
      /mentions (.*)\.$/.exec(explainClip(clip(said('So.', text)), english))?.[1];
    assert.equal(numbers('It took 15 years and $4.5 million.'), '“15 years” and “$4.5 million”');
    assert.equal(numbers('Only 3% of them.'), '“3%”');
    assert.equal(numbers('For 15 years. I mean, 15 years!'), '“15 years”');
    assert.equal(numbers('It is 8 nick and 90 people.'), '“90 people”');
    assert.equal(numbers('In 2013 we met at 9:30 and took a B52.'), undefined);
  });

  it('counts the changes of speaker that are marked, if there are many', () => {
    const turns = (count: number) =>
      explainClip(clip(said(...Array.from({ length: count + 1 }, () => '>> Yes.'))), english);
    assert.equal(turns(7), 'Changes speaker 7 times.');
    assert.doesNotMatch(turns(6), /speaker/);
  });

  it('says how much louder or quieter it is', () => {
    const at = (louder: number) =>
      explainClip(clip(said('Yes.'), { sound: { louder, reactions: [] } }), english);
    assert.match(at(3.6), /^4 dB louder/);
    assert.match(at(-3.2), /^3 dB quieter/);
    assert.match(at(2), /^Not much different/);
  });

  it('says how much of it is without words', () => {
    const units = [{ text: 'Yes.', words: 1, start: 100, end: 105 }];
    const span = { start: 100, end: 110 };
    assert.equal(explainClip(clip(units, { span }), english), 'Nobody speaks for 50 % of it.');
  });

  it('counts cuts where nothing is said', () => {
    const units = [{ text: '', words: 0, start: 100, end: 120 }];
    assert.equal(explainClip(clip(units, { cuts: 5 }), english), '5 cuts.');
  });

  it('is in the language of the words, if it has texts for it', () => {
    const units = clip(said('Wer baute die alte Brücke?', 'Mein Vater.'), { topics: ['Brücke'] });
    assert.equal(
      explainClip(units, { language: 'de' }),
      'Über Brücke. „Wer baute die alte Brücke?“',
    );
    assert.equal(explainClip(units, { language: 'fi' }), explainClip(units, english));
  });

  it('says if a language model chose the part too', () => {
    const explanation = explainClip(clip(said('Yes.')), { ...english, chosenByModel: true });
    assert.match(explanation, /^Chosen by the language model too\.$/);
  });
});

describe('the texts of each language', () => {
  const [texts] = getExplanationTexts('en');
  const slots = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([slot]) => slot).toSorted();
  for (const language of ['de', 'fr', 'es', 'pt', 'it', 'nl']) {
    it(`${language}: are complete, have the same slots, and are not English`, () => {
      const [own] = getExplanationTexts(language);
      assert.deepEqual(Object.keys(own), Object.keys(texts));
      for (const key of Object.keys(texts) as (keyof typeof texts)[]) {
        assert.deepEqual(slots(own[key]), slots(texts[key]), key);
        if (key !== 'cuts' && key !== 'quote') assert.notEqual(own[key], texts[key]);
      }
    });
  }
});
