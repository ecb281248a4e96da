import assert from 'node:assert/strict';
import { test } from 'node:test';
import { calibrated, scoreOf, type Features } from '../../src/moments/score.ts';
import { dice } from '../support/media-analysis.ts';

// prettier-ignore
const names = [
  'hook', 'substance', 'question', 'number', 'contrast', 'loudness', 'reaction', 'pace',
  'unity', 'speech', 'movement', 'emphasis', 'brevity', 'person',
  'exchange', 'reply', 'opening', 'ending', 'answer', 'thought', 'purpose', 'length',
];

const random = dice(5);
const someFeatures = (): Features =>
  Object.fromEntries(names.filter(() => random() < 0.8).map((name) => [name, random()]));

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

test('a need that is not met lowers the score, whatever the content is', () => {
  const good = Object.fromEntries(names.map((name) => [name, 1]));
  for (const need of ['opening', 'ending', 'answer', 'thought', 'purpose', 'length']) {
    const score = scoreOf({ ...good, [need]: 0 });
    assert.ok(score <= 0.7 && score > 0, `${need}: ${score}`);
  }
});

test('the score that people see rises with the value, from 0 to 1', () => {
  for (const usual of [null, { mean: 0.3, deviation: 0.1 }, { mean: 0.6, deviation: 0 }]) {
    let before = -1;
    for (let value = 0; value <= 1; value += 0.01) {
      const score = calibrated(value, usual);
      assert.ok(score >= before && score >= 0 && score <= 1, `${value}: ${score}`);
      before = score;
    }
  }
});

test('the best part of a source with weak parts has a higher score than there alone', () => {
  assert.ok(calibrated(0.4, { mean: 0.2, deviation: 0.06 }) > calibrated(0.4, null) + 0.1);
});
