import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  calibrateScore,
  computeScore,
  computeShownScore,
  weakScore,
  type Features,
} from '../../src/moments/score.ts';
import { dice } from 'clip-testkit/media-analysis';

// prettier-ignore
const names = [
  'hook', 'substance', 'question', 'number', 'contrast', 'loudness', 'reaction', 'pace',
  'unity', 'speech', 'movement', 'emphasis', 'brevity', 'person', 'density', 'focus',
  'exchange', 'reply', 'opening', 'ending', 'answer', 'thought', 'purpose', 'length',
];

const random = dice(5);
const someFeatures = (): Features =>
  Object.fromEntries(names.filter(() => random() < 0.8).map((name) => [name, random()]));

test('the score is 0 to 1 and never falls when a feature grows', () => {
  for (let round = 0; round < 500; round++) {
    const features = someFeatures();
    const score = computeScore(features);
    assert.ok(score >= 0 && score <= 1);
    for (const name of Object.keys(features)) {
      const more = features[name]! + random() * (1 - features[name]!);
      assert.ok(computeScore({ ...features, [name]: more }) >= score - 1e-12, name);
    }
  }
  assert.equal(computeScore(Object.fromEntries(names.map((name) => [name, 1]))), 1);
  assert.equal(computeScore(Object.fromEntries(names.map((name) => [name, 0]))), 0);
  assert.equal(computeScore({}), 0);
});

test('each feature counts in the choice or in what people see', () => {
  const middle = Object.fromEntries(names.map((name) => [name, 0.5]));
  for (const name of names) {
    const more = { ...middle, [name]: 1 };
    const isChosen = computeScore(more) > computeScore(middle);
    assert.ok(isChosen || computeShownScore(more) > computeShownScore(middle), name);
  }
});

test('people see first what says something, and not banter', () => {
  const middle = Object.fromEntries(names.map((name) => [name, 0.5]));
  const banter = { ...middle, exchange: 1, brevity: 1 };
  const told = { ...middle, density: 0.7, focus: 1 };
  assert.ok(computeScore(banter) > computeScore(told));
  assert.ok(computeShownScore(told) > computeShownScore(banter));
});

test('a need that is not met lowers the score, whatever the content is', () => {
  const good = Object.fromEntries(names.map((name) => [name, 1]));
  for (const need of ['opening', 'ending', 'answer', 'thought', 'purpose', 'length']) {
    const score = computeScore({ ...good, [need]: 0 });
    assert.ok(score <= 0.7 && score > 0, `${need}: ${score}`);
  }
});

const none = new Float64Array();
const places = (count: number, worth: number) =>
  Float64Array.from({ length: count }, (_, index) => (worth * index) / count);
const clip = (value: number): Features => Object.fromEntries(names.map((name) => [name, value]));

test('the score that people see is 0 to 1 and never falls when a feature grows', () => {
  for (const worths of [none, places(10, 1), places(1000, 0.3), places(1000, 1)]) {
    for (let round = 0; round < 200; round++) {
      const features = someFeatures();
      const score = calibrateScore(features, worths);
      assert.ok(score >= 0 && score <= 1);
      for (const name of Object.keys(features)) {
        const more = { ...features, [name]: features[name]! + random() * (1 - features[name]!) };
        assert.ok(calibrateScore(more, worths) >= score - 1e-12, name);
      }
    }
    assert.ok(calibrateScore(clip(0), worths) < 0.01);
  }
});

test('the best part of a source with weak parts has a higher score than elsewhere', () => {
  const good = calibrateScore(clip(0.8), places(1000, 0.2));
  assert.ok(good > calibrateScore(clip(0.8), places(1000, 1)) + 0.1);
});

test('the clips that would be chosen of an hour are above 0.6, and an average part is weak', () => {
  const hour = places(1000, computeShownScore(clip(0.72)));
  assert.ok(calibrateScore(clip(0.72), hour) > 0.6);
  assert.ok(calibrateScore(clip(0.5), hour) < weakScore);
});

test('the clips of a short source are judged by what they say: they may all be good', () => {
  const short = places(35, computeShownScore(clip(0.72)));
  const [best, fifth] = [calibrateScore(clip(0.72), short), calibrateScore(clip(0.7), short)];
  assert.ok(best > 0.6 && fifth > 0.6 && fifth < best, `${best} and ${fifth}`);
});

test('without words, a clip is in the middle of what people say, give or take what is heard', () => {
  const heard = (value: number): Features => ({
    ...{ loudness: value, movement: value, speech: value },
    ...{ opening: 0.5, ending: 0.5, length: 1 },
  });
  const [quiet, loud] = [calibrateScore(heard(0), none), calibrateScore(heard(1), none)];
  assert.ok(quiet > 0.3 && quiet < loud && loud < 0.75, `${quiet} to ${loud}`);
  assert.ok(calibrateScore({ ...heard(0.5), reaction: 1 }, none) > loud);
});
