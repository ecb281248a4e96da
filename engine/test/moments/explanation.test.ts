import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { explain } from '../../src/moments/explanation.ts';
import { explanationTexts } from '../../src/moments/explanation-texts.ts';

const measures = {
  questions: 1,
  numbers: 2,
  pace: 2.9,
  louder: 2.1,
  reactions: [],
  cuts: 3,
  turnsMarked: true,
  answersOpening: false,
};
const wish = { language: 'en', lengthSeconds: 28 };

describe('an explanation', () => {
  it('is one sentence about what happens', () => {
    assert.equal(
      explain({ exchange: 0.9, number: 1, substance: 0.5 }, measures, wish),
      'Goes back and forth quickly between the speakers and backs it up with numbers.',
    );
  });

  it('does not tell of speakers where turns are only likely', () => {
    const likely = { ...measures, turnsMarked: false };
    assert.equal(explain({ exchange: 0.9, number: 1 }, likely, wish), 'Backs it up with numbers.');
  });

  it('begins with the question that the clip answers, and says by what', () => {
    const answering = { ...measures, answersOpening: true };
    assert.equal(
      explain({ hook: 1, contrast: 1, substance: 0.5 }, answering, wish),
      'Opens on a question and answers it with a number and sets one thing against another.',
    );
    assert.equal(
      explain({ hook: 1, substance: 0.5 }, { ...answering, numbers: 0 }, wish),
      'Opens on a question and answers it.',
    );
  });

  it('says when the audience reacts, by the clock of the clip', () => {
    assert.equal(
      explain({ person: 0.9, substance: 0.5 }, { ...measures, reactions: [4, 21.2] }, wish),
      'Speaks from experience; the audience reacts at 0:21.',
    );
    // It begins just after the last word.
    assert.match(explain({}, { ...measures, reactions: [29] }, wish), /at 0:28\./);
  });

  it('names one weakness', () => {
    assert.equal(
      explain({ person: 0.9, substance: 0.1, unity: 0.4 }, measures, wish),
      'Speaks from experience. Much of it says little.',
    );
  });

  it('names what every clip has only if there is nothing else', () => {
    assert.match(explain({ thought: 1, unity: 1, substance: 0.9 }, measures, wish), /^Says some/);
    assert.match(explain({ thought: 1, substance: 0.5 }, measures, wish), /^Follows one thought/);
    assert.equal(
      explain({ substance: 0.5 }, measures, wish),
      'Does not stand out from the rest of the video.',
    );
  });

  it('is in the language of the words, if it has texts for it', () => {
    const features = { person: 0.9, number: 1, substance: 0.5 };
    assert.equal(
      explain(features, measures, { ...wish, language: 'de' }),
      'Spricht aus Erfahrung und belegt es mit Zahlen.',
    );
    assert.equal(
      explain(features, measures, { ...wish, language: 'fi' }),
      explain(features, measures, wish),
    );
  });

  it('says if a language model chose the part too', () => {
    const said = explain({}, measures, { ...wish, chosenByModel: true });
    assert.match(said, / The language model chose this part too\.$/);
  });
});

describe('the texts of each language', () => {
  const [english] = explanationTexts('en');
  for (const language of ['de', 'fr', 'es', 'pt', 'it', 'nl']) {
    it(`${language}: are complete, and none is English`, () => {
      const [texts] = explanationTexts(language);
      for (const part of ['strengths', 'weaknesses'] as const) {
        assert.deepEqual(Object.keys(texts[part]), Object.keys(english[part]));
        for (const [key, text] of Object.entries(texts[part])) {
          assert.notEqual(text, english[part][key]);
          const sentence = part === 'weaknesses';
          assert.match(text, sentence ? /^\p{Lu}.*\.$/u : /^\p{Ll}.*[^.]$/u);
        }
      }
      assert.ok(texts.reaction.includes('{time}'));
    });
  }
});
