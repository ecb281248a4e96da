import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeSoundAloneStyle, chooseWaveColours } from '../../src/style/sound-alone-style.ts';
import { defaultStyle, type Style } from '../../src/style/style.ts';

const styleWith = (captions: Partial<Style['captions']>, title: Partial<Style['title']> = {}) => ({
  captions: { ...defaultStyle.captions, ...captions },
  title: { ...defaultStyle.title, ...title },
});

test('captions of sound alone are 1.3 times as large, and at most as large as a style may say', () => {
  const sizes = [0.05, 0.12, 0.14].map(
    (size) => makeSoundAloneStyle(styleWith({ size }), 'wave').captions.size,
  );
  assert.deepEqual(
    sizes.map((size) => Number(size.toFixed(3))),
    [0.065, 0.14, 0.14],
  );
});

test('captions go from below to the middle, and are below a cover', () => {
  const placed = (position: Style['captions']['position'], shown: 'cover' | 'wave') =>
    makeSoundAloneStyle(styleWith({ position }), shown).captions.position;
  assert.deepEqual([placed('lower', 'wave'), placed('upper', 'wave')], ['middle', 'upper']);
  assert.deepEqual([placed('middle', 'cover'), placed('upper', 'cover')], ['lower', 'lower']);
});

const spoken = { mark: 'colour', colour: '#2040ff' } as const;

test('the ground is dark under light letters and light under dark ones', () => {
  const light = chooseWaveColours(styleWith({ colour: '#ffffff', spoken }));
  const dark = chooseWaveColours(styleWith({ colour: '#101010', spoken }));
  assert.deepEqual([light.ground, dark.ground], ['#121832', '#e5e6ef']);
  const title = { colour: '#ffffff', box: null };
  const mixed = chooseWaveColours(styleWith({ colour: '#101010', spoken }, title));
  assert.equal(mixed.ground, '#121832', 'a light title has to be seen');
});

test('a wave has the colour of the spoken word, unless that cannot be seen', () => {
  const colour = '#ffffff';
  assert.equal(chooseWaveColours(styleWith({ colour, spoken })).wave, '#2040ff');
  const black = { mark: 'colour', colour: '#000000' } as const;
  assert.equal(chooseWaveColours(styleWith({ colour, spoken: black })).wave, '#ffffff');
});
