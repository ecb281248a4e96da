import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explain, inTranslation, named } from '../../src/moments/explanation.ts';
import { effectsOf, scoreOf, type Features } from '../../src/moments/score.ts';
import { dice } from '../support/media-analysis.ts';

// prettier-ignore
const names = [
  'hook', 'substance', 'question', 'number', 'contrast', 'loudness', 'reaction', 'pace',
  'unity', 'speech', 'movement', 'opening', 'ending', 'length',
];

const random = dice(5);
const someFeatures = (): Features =>
  Object.fromEntries(names.filter(() => random() < 0.8).map((name) => [name, random()]));

const evidence = {
  length: 28,
  target: 30,
  firstSentence: 'Why do bees dance?',
  questions: 1,
  numbers: 2,
  pace: 2.9,
  louder: 2.1,
  outbursts: 1,
  cuts: 3,
};

test('the score is 0 to 1 and never falls when a feature grows', () => {
  for (let round = 0; round < 500; round++) {
    const features = someFeatures();
    const score = scoreOf(features);
    assert.ok(score >= 0 && score <= 1);
    for (const name of Object.keys(features)) {
      const more = features[name]! + random() * (1 - features[name]!);
      assert.ok(scoreOf({ ...features, [name]: more }) >= score - 1e-12, name);
    }
  }
  assert.equal(scoreOf(Object.fromEntries(names.map((name) => [name, 1]))), 1);
  assert.equal(scoreOf(Object.fromEntries(names.map((name) => [name, 0]))), 0);
  assert.equal(scoreOf({}), 0);
});

test('each feature counts', () => {
  const middle = Object.fromEntries(names.map((name) => [name, 0.5]));
  for (const name of names) assert.ok(scoreOf({ ...middle, [name]: 1 }) > scoreOf(middle), name);
});

test('what is named are the features that set the score, by their effect on it', () => {
  for (let round = 0; round < 300; round++) {
    const features = someFeatures();
    const effects = effectsOf(features);
    const { strong, weak } = named(features);
    const raising = effects.filter(([, effect]) => effect >= 0.01).map(([name]) => name);
    assert.deepEqual(strong, raising.slice(0, 3));
    for (const name of strong) assert.ok(features[name]! > 0.5);
    if (weak) assert.ok(features[weak]! < 0.5);
  }
});

test('an explanation is a sentence or two, with the measures of the moment', () => {
  assert.equal(
    explain({ hook: 1, number: 1, substance: 0.5, length: 0.98 }, evidence),
    'It opens with a strong hook (“Why do bees dance?”), is close to the length you asked for (28 seconds) and mentions 2 numbers.',
  );
  assert.equal(
    explain({ substance: 0.1, opening: 0.9 }, evidence),
    'It starts at the beginning of a thought. One weakness: much of it does not say a lot.',
  );
  assert.equal(
    explain({ substance: 0.5 }, evidence),
    'It does not stand out from the rest of the video.',
  );
});

test('an explanation of a translated clip quotes the translation, or says whose words it quotes', () => {
  const said = 'Why do bees dance?';
  const explanation =
    'It opens with a strong hook (“Why do bees dance?”) and has almost no pauses.';
  assert.equal(
    inTranslation(explanation, said, 'Warum tanzen Bienen für $& Geld?'),
    'It opens with a strong hook (“Warum tanzen Bienen für $& Geld?”) and has almost no pauses.',
  );
  assert.match(
    inTranslation(explanation, said, null),
    /dance\?”\) .* original language of the video\.$/,
  );
  assert.equal(inTranslation('It has almost no pauses.', said, null), 'It has almost no pauses.');
});
