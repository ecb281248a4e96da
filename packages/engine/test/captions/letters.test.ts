import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  listInstalledFonts,
  readLetterRanges,
  findMissingFonts,
  findMissingLetters,
  readFontList,
} from '../../src/captions/letters.ts';
import { makeWholeEdit } from '../support/whole-edit.ts';
import { type Edit } from '../../src/edit.ts';
import { defaultStyle } from '../../src/style/style.ts';
import { listDrawingNotes, type DrawingTools } from '../../src/captions/drawing-notes.ts';
import { spokenAnalysis } from 'clip-testkit/media-analysis';
import { editingWith } from 'clip-testkit/plain-edit';

const edit = makeWholeEdit(spokenAnalysis(['One 漢字 two.']), {
  editing: editingWith('captions', 'intro_title', 'reframe'),
  dimensions: { width: 180, height: 320 },
  title: 'Ünder way',
});

test('ranges of letters are read as fontconfig lists them', () => {
  assert.deepEqual(readLetterRanges(':charset=20-7e a0 10a0-10c5\n:charset=a0\n'), [
    [0x20, 0x7e],
    [0xa0, 0xa0],
    [0x10a0, 0x10c5],
  ]);
});

test('letters that no font has are named once, marks and spaces are not', () => {
  assert.deepEqual(findMissingLetters(edit, readLetterRanges('20-7e')), ['漢', '字', 'Ü']);
  assert.deepEqual(findMissingLetters(edit, readLetterRanges('20-ff 4e00-9fff')), []);
});

test('the fonts of this machine have plain letters', async () => {
  const fonts = await listInstalledFonts(new AbortController().signal);
  assert.ok(fonts === null || fonts.letters.some(([from, to]) => from <= 0x41 && to >= 0x5a));
});

test('a machine without fontconfig says nothing', async () => {
  assert.equal(await listInstalledFonts(new AbortController().signal, 'no-such-program'), null);
});

test('families and letters are read from one list; names with hexadecimal letters do not count', () => {
  const fonts = readFontList('Noto Sans,Noto Sans Light:charset=20-7e\nDead Cafe:charset=a0\n');
  assert.deepEqual([...fonts.families].filter(Boolean), [
    'noto sans',
    'noto sans light',
    'dead cafe',
  ]);
  assert.deepEqual(fonts.letters, [
    [0x20, 0x7e],
    [0xa0, 0xa0],
  ]);
});

test('fonts of a style that are not installed are named once', () => {
  const style = { ...defaultStyle, title: { ...defaultStyle.title, font: 'Elsewhere' } };
  const fonts = readFontList('noto sans:charset=20-7e');
  assert.deepEqual(findMissingFonts(style, fonts), ['Elsewhere']);
  assert.deepEqual(findMissingFonts(defaultStyle, fonts), []);
});

test('what cannot be drawn is a note each, and nothing where it can', () => {
  const codes = (tools: DrawingTools, ...edits: Edit[]) =>
    listDrawingNotes(edits, tools).map(({ code }) => code);
  const fonts = readFontList('Noto Sans:charset=20-ff');
  const withEmoji = { ...edit, emojis: [{ emoji: '🐝', start: 0, end: 1 }] };
  assert.deepEqual(codes({ fonts, emojiFont: false }, edit), ['letters-missing']);
  assert.deepEqual(codes({ fonts, emojiFont: false }, edit, withEmoji), [
    'letters-missing',
    'emoji-font-missing',
  ]);
  const other = readFontList('Other:charset=20-ff 4e00-9fff');
  assert.deepEqual(codes({ fonts: other, emojiFont: true }, withEmoji), ['font-missing']);
  assert.deepEqual(codes({ fonts: null, emojiFont: true }, withEmoji), []);
  const bare = { ...edit, captions: [], title: null };
  assert.deepEqual(codes({ fonts: other, emojiFont: false }, bare), []);
});
