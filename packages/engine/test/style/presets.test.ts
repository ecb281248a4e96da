import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { defaultStyle } from '../../src/style/style.ts';
import { builtInPresets, loadPresets, PresetError, readPreset } from '../../src/style/presets.ts';

const own = await mkdtemp(join(tmpdir(), 'clip-presets-'));
after(() => rm(own, { recursive: true, force: true }));
const file = (name: string, value: unknown) =>
  writeFile(join(own, name), typeof value === 'string' ? value : JSON.stringify(value));
const preset = (style: object = defaultStyle) => ({ name: 'Mine', description: '', style });

test('at least eight presets come with the engine, each file one, by id', async () => {
  const presets = await loadPresets();
  assert.ok(presets.size >= 8);
  const files = (await readdir(builtInPresets)).map((name) => name.replace('.json', '')).sort();
  assert.deepEqual([...presets.keys()], files);
  assert.deepEqual(presets.get('classic')?.style, defaultStyle);
});

test('no two presets look the same', async () => {
  const analyses = [...(await loadPresets()).values()].map(({ style }) => JSON.stringify(style));
  assert.equal(new Set(analyses).size, analyses.length);
});

test('an operator’s folder adds presets, and takes the place of those of the same id', async () => {
  await file('mine.json', preset());
  await file('punch.json', preset());
  await file('notes.txt', 'no preset');
  const presets = await loadPresets(own);
  assert.equal(presets.size, (await loadPresets()).size + 1);
  assert.equal(presets.get('punch')?.name, 'Mine');
});

test('every file that does not fit is named at once, with the field', async () => {
  await file('a.json', '{');
  await file(
    'b.json',
    preset({ ...defaultStyle, captions: { ...defaultStyle.captions, size: 2 } }),
  );
  await file('Bad Name.json', preset());
  await assert.rejects(loadPresets(own), (error) => {
    assert.ok(error instanceof PresetError);
    assert.match(error.message, /a\.json: this is not valid JSON/);
    assert.match(error.message, /b\.json: style\.captions\.size/);
    assert.match(error.message, /Bad Name\.json: the file name/);
    assert.ok(!error.message.includes(own), 'no path of the machine');
    return true;
  });
});

test('a folder that is not there is a clear error', () =>
  assert.rejects(loadPresets(join(own, 'none')), /your own style presets/));

test('nothing in a preset becomes a command of the captions', () => {
  for (const captions of [
    { font: 'Noto,100,&H00' },
    { font: 'A\nB' },
    { font: '{x}' },
    { font: "Arial,1,2:x='" },
    { font: '../x.ttf' },
    { position: 'a;b' },
    { colour: '#ffffff{\\b1}' },
    { colour: 'red' },
    { colour: '#12345' },
    { animation: '\\move(0,0)' },
    { words: 2.5 },
    { extra: 1 },
  ]) {
    const style = { ...defaultStyle, captions: { ...defaultStyle.captions, ...captions } };
    assert.equal(typeof readPreset('x.json', JSON.stringify(preset(style))), 'string');
  }
});
