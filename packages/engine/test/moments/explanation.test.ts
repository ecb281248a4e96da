import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { explainClip, type ExplainedClip } from '../../src/moments/explanation.ts';
import { getExplanationTexts } from '../../src/moments/explanation-texts.ts';
import type { Unit } from '../../src/moments/units.ts';

/** Sentences of four seconds each. */
const said = (...texts: string[]): Unit[] =>
  texts.map((text, index) => ({
    text,
    words: text.split(' ').length,
    start: 100 + 4 * index,
    end: 104 + 4 * index,
  }));

/** A clip without any strength. */
const clip = (units: Unit[], more: Partial<ExplainedClip> = {}): ExplainedClip => ({
  span: { start: units[0]?.start ?? 100, end: units.at(-1)?.end ?? 120 },
  units,
  topics: [],
  features: {},
  sound: { louder: 0, reactions: [] },
  cuts: 0,
  turnsMarked: true,
  ...more,
});

const english = { language: 'en' };
const explainFeatures = (features: ExplainedClip['features'], units = said('Yes.')) =>
  explainClip(clip(units, { features }), english);

describe('an explanation', () => {
  it('names the strengths, the weakness, then the topics', () => {
    const topics = ['old bridge', 'Lisbon'];
    const features = { exchange: 0.8, ending: 0.4 };
    assert.equal(
      explainClip(clip(said('Who built it?', 'My father.'), { topics, features }), english),
      'Opens with a question; lively back-and-forth; ends abruptly. About old bridge and Lisbon.',
    );
  });

  it('names two strengths at most, the most telling first', () => {
    const sound = { louder: 5, reactions: [6] };
    const features = { hook: 0.9, exchange: 0.9, substance: 0.9 };
    assert.equal(
      explainClip(clip(said('It took 15 years.', 'Yes.'), { sound, features }), english),
      'Laughter or applause at 0:06; strong opening line.',
    );
  });

  it('quotes no line, and says so if nothing stands out', () => {
    assert.equal(explainClip(clip(said('My father built it.')), english), 'No clear strength.');
  });

  it('names each strength of the words where its feature is high', () => {
    assert.equal(explainFeatures({ hook: 0.6 }), 'Strong opening line.');
    assert.equal(explainFeatures({ exchange: 0.7 }), 'Lively back-and-forth.');
    assert.equal(explainFeatures({ substance: 0.7 }), 'Makes a strong point.');
    assert.equal(explainFeatures({ brevity: 0.6 }), 'Quick, short sentences.');
    assert.equal(explainFeatures({ density: 0.6, focus: 1 }), 'Full of detail.');
    assert.equal(explainFeatures({ focus: 1 }), 'One uninterrupted thought.');
    const whole = { opening: 0.8, ending: 0.9, thought: 1 };
    assert.equal(explainFeatures(whole), 'Makes sense on its own.');
    assert.equal(explainFeatures({ ...whole, thought: 0.5 }), 'No clear strength.');
  });

  it('says where a clip starts mid-thought, or ends abruptly', () => {
    assert.equal(explainFeatures({ opening: 0.4, ending: 0.4 }), 'Starts mid-thought.');
    assert.equal(explainFeatures({ ending: 0.4 }), 'Ends abruptly.');
  });

  it('says so only of the worst if it is not known who speaks', () => {
    const explain = (features: ExplainedClip['features']) =>
      explainClip(clip(said('Yes.'), { features, turnsMarked: false }), english);
    assert.equal(explain({ opening: 0.4, ending: 0.4 }), 'No clear strength.');
    assert.equal(explain({ opening: 0.05 }), 'Starts mid-thought.');
    assert.equal(explain({ ending: 0.2 }), 'Ends abruptly.');
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
      /mentions (.*)\.$/i.exec(explainClip(clip(said('So.', text)), english))?.[1];
    assert.equal(numbers('It took 15 years and $4.5 million.'), '“15 years” and “$4.5 million”');
    assert.equal(numbers('Only 3% of them.'), '“3%”');
    assert.equal(numbers('For 15 years. I mean, 15 years!'), '“15 years”');
    assert.equal(numbers('It is 8 nick and 90 people.'), '“90 people”');
    assert.equal(numbers('In 2013 we met at 9:30 and took a B52.'), undefined);
  });

  it('says if it is louder or quieter than the video', () => {
    const at = (louder: number) =>
      explainClip(clip(said('Yes.'), { sound: { louder, reactions: [] } }), english);
    assert.equal(at(3.6), 'More energy than the rest of the video.');
    assert.equal(at(-3.2), 'Quieter than the rest of the video.');
    assert.equal(at(2), 'No clear strength.');
  });

  it('says if much of it is without words', () => {
    const units = [{ text: 'Yes.', words: 1, start: 100, end: 105 }];
    const span = { start: 100, end: 110 };
    assert.equal(explainClip(clip(units, { span }), english), 'Long pauses.');
  });

  it('counts cuts and names movement where nothing is said', () => {
    const units = [{ text: '', words: 0, start: 100, end: 120 }];
    const features = { movement: 0.7, opening: 0.1 };
    assert.equal(
      explainClip(clip(units, { cuts: 5, features }), english),
      '5 cuts; a lot of movement.',
    );
  });

  it('is in the language of the words, if it has texts for it', () => {
    const units = clip(said('Wer baute die alte Brücke?', 'Mein Vater.'), { topics: ['Brücke'] });
    assert.equal(explainClip(units, { language: 'de' }), 'Beginnt mit einer Frage. Über Brücke.');
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
