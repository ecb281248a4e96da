import assert from 'node:assert/strict';
import { test } from 'node:test';
import { spokenAnalysis } from 'clip-testkit/media-analysis';
import { editingWith } from 'clip-testkit/plain-edit';
import { editSchema } from '../../src/editing/edit-schema.ts';
import { changeFaults, editWords } from '../../src/editing/changes.ts';
import { makeClips } from '../../src/editing/clips.ts';
import { makeEdit } from '../../src/editing/make-edit.ts';
import { makeWholeInputs } from '../../src/editing/make-inputs.ts';
import { hasListedWord, maskListedWords, withMutedWords } from '../../src/editing/muted-words.ts';
import { clipDocumentNames, writeClipDocument } from '../../src/interchange/clip-documents.ts';
import { translateAnalysis } from '../../src/words/translation.ts';

const list = { words: ['Damn', 'FUCK*', 'Käse', "d'enfer"], sound: 'bleep' as const };

test('a word of the list is found whole, in any case, and by its beginning with a star', () => {
  const cases: Record<string, string> = {
    'Damn, damn. DAMN!': 'D***, d***. D***!',
    'damned goddamn': 'damned goddamn',
    'fuck fucking motherfucker': 'f*** f****** motherfucker',
    'That damn-thing': 'That d***-thing',
    // The same letters, composed and not.
    'KÄSE ka\u0308se Kase': 'K*** k*** Kase',
    'd’Enfer d’accord': 'd****** d’accord',
    '“Damn”': '“D***”',
  };
  for (const [text, masked] of Object.entries(cases)) {
    assert.equal(maskListedWords(text, list), masked);
    assert.equal(hasListedWord(masked, list), false, masked);
  }
  assert.equal(maskListedWords('damn', undefined), 'damn');
});

const analysis = spokenAnalysis([
  'Well damn this is good.',
  'They say fucking bees dance.',
  'And that is all.',
]);
const options = {
  editing: editingWith('captions', 'intro_title'),
  dimensions: { width: 1080, height: 1920 },
  title: 'The damn bees',
  mutedWords: list,
};
const inputs = makeWholeInputs(analysis, options);
const words = inputs.words!;
const said = ({ captions }: ReturnType<typeof makeEdit>): string =>
  captions.flatMap((line) => line.words.map(({ text }) => text)).join(' ');
const spanOf = (index: number) => ({ start: words[index]!.start, end: words[index]!.end });

test('listed words are muted in the edit, and masked in all that a viewer reads', () => {
  const edit = makeEdit(inputs);
  assert.deepEqual(edit.muted, { spans: [spanOf(1), spanOf(7)], sound: 'bleep' });
  assert.equal(said(edit), 'Well d*** this is good. They say f****** bees dance. And that is all.');
  assert.equal(edit.title?.text, 'The d*** bees');
  assert.deepEqual(editSchema.parse(JSON.parse(JSON.stringify(edit))), edit);
  const { title, post } = inputs;
  const read = [title, post.description, ...post.titles, ...post.tags].join(' ');
  const names = { title: edit.title!.text, source: 'talk.mp4' };
  const documents = clipDocumentNames.map((name) => writeClipDocument(edit, name, names)!.text);
  for (const text of [read, ...documents]) assert.doesNotMatch(text, /damn|fucking/i);
  const candidate = {
    ...{ start: 0, end: 8, title: 'Damn bees', score: 1, explanation: 'damn good', post },
    features: {} as never,
  };
  const [clip] = makeClips([candidate], { source: analysis, shown: analysis }, options);
  assert.deepEqual([clip!.title, clip!.explanation], ['D*** bees', 'd*** good']);
});

test('a person restores a word, and mutes another one', () => {
  const edit = makeEdit(inputs, { muted: { '1': false, '3': true } });
  assert.deepEqual(edit.muted?.spans, [spanOf(3), spanOf(7)]);
  assert.match(said(edit), /^Well damn this i\* good\. They say f\*{6} bees/);
  assert.equal(makeEdit(inputs, { muted: { '1': false, '7': false } }).muted, undefined);
  const shown = editWords(inputs, { muted: { '1': false, '3': true } });
  assert.deepEqual(
    shown.filter(({ muted }) => muted).map(({ text }) => text),
    ['is', 'fucking'],
  );
});

test('a removed word leaves no muted time behind, and times are those of the output', () => {
  const edit = makeEdit(inputs, { removed: [spanOf(1)] });
  const { start, end } = spanOf(7);
  assert.equal(edit.muted?.spans.length, 1);
  assert.ok(Math.abs(edit.muted!.spans[0]!.start - (start - 0.5)) < 0.03);
  assert.ok(Math.abs(edit.muted!.spans[0]!.end - (end - 0.5)) < 0.03);
});

test('a corrected text does not bring a muted word back, and may be one itself', () => {
  for (const text of ['', 'd**n', 'very']) {
    assert.deepEqual(makeEdit(inputs, { words: { '1': text } }).muted?.spans[0], spanOf(1));
  }
  const spelled = makeEdit(inputs, { words: { '0': 'Damn' } });
  assert.deepEqual(spelled.muted?.spans[0], { start: words[0]!.start, end: words[1]!.end });
  const together = { words: { '0-2': 'a damn good' }, muted: { '1': false } };
  assert.match(said(makeEdit(inputs, together)), /^a damn good is good\./);
});

test('the list in force replaces the one before; without it, a person still mutes', () => {
  const other = withMutedWords(inputs, { words: ['bees'], sound: 'mute' });
  const edit = makeEdit(other);
  assert.deepEqual(edit.muted, { spans: [spanOf(8)], sound: 'mute' });
  assert.equal(edit.title?.text, 'The d*** b***');
  const none = withMutedWords(inputs, undefined);
  assert.equal(makeEdit(none).muted, undefined);
  assert.deepEqual(makeEdit(none, { muted: { '0': true } }).muted, {
    spans: [spanOf(0)],
    sound: 'mute',
  });
});

test('below a translation, the word that is spoken is muted', async () => {
  const translated = await translateAnalysis(analysis, {
    to: 'de',
    spans: [{ start: 0, end: analysis.duration }],
    translate: (texts) =>
      Promise.resolve(texts.map((_, at) => ['Tja Käse das ist gut.', 'Bienen.', 'Das wars.'][at]!)),
  });
  const german = makeWholeInputs(translated, options);
  const edit = makeEdit(german);
  assert.deepEqual(edit.muted?.spans, [spanOf(1), spanOf(7)]);
  assert.match(said(edit), /^Tja K\*{3} das ist gut\. Bienen\. Das/);
  const bees = german.words!.findIndex(({ text }) => text === 'Bienen.');
  assert.equal(editWords(german, {})[bees]!.muted, true, 'the speech below it is muted');
  assert.deepEqual(makeEdit(german, { muted: { [bees]: false } }).muted?.spans, [spanOf(1)]);
});

test('the number of a word that the clip does not have is refused', () => {
  const [fault] = changeFaults(inputs, { muted: { '99': true } });
  assert.deepEqual(fault, { path: 'muted.99', message: 'the clip has words 0 to 13, was "99"' });
});
