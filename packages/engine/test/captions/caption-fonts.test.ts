import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { test } from 'node:test';
import { captionFonts } from '../../src/captions/caption-fonts.ts';
import type { Edit } from '../../src/edit.ts';
import { plainEdit } from 'clip-testkit/plain-edit';

const { signal } = new AbortController();

const saying = (text: string, changes: Partial<Edit> = {}): Edit =>
  plainEdit({
    source: { width: 1280, height: 720, frameRate: 30, hasAudio: true },
    ranges: [{ start: 0, end: 1 }],
    dimensions: { width: 1080, height: 1920 },
    captions: [{ start: 0, end: 1, words: [{ text, start: 0, end: 1 }] }],
    ...changes,
  });

/** Offset of a table of a font file; undefined if it has none of that name. */
function table(font: Uint8Array, name: string): number | undefined {
  const view = new DataView(font.buffer, font.byteOffset);
  const count = view.getUint16(4);
  const records = Array.from({ length: count }, (_, index) => 12 + 16 * index);
  const found = records.find((at) => String.fromCharCode(...font.subarray(at, at + 4)) === name);
  return found && view.getUint32(found + 8);
}

/** The number of glyphs of a font. */
const glyphs = (font: Uint8Array): number =>
  new DataView(font.buffer, font.byteOffset).getUint16(table(font, 'maxp')! + 4);

test('the style’s font comes with the usual letters, in a small part of its bytes', async () => {
  const { files, fallback } = await captionFonts(saying('Hello'), signal);
  assert.equal(files.length, 1);
  assert.equal(fallback, 'Noto Sans');
  assert.ok(files[0]!.length < 60_000, `${files[0]!.length} bytes`);
  assert.ok(glyphs(files[0]!) > 300);
});

test('letters that the style’s font lacks come from a font that has them', async () => {
  const { files, fallback } = await captionFonts(saying('秘訣は習慣です'), signal);
  assert.match(fallback, /CJK/);
  assert.equal(files.length, 2);
  // A whole one has 20 MB.
  assert.ok(files[1]!.length < 100_000, `${files[1]!.length} bytes`);
});

test('letters of captions come in capitals too, and those of the title as well', async () => {
  const count = async (edit: Edit) => glyphs((await captionFonts(edit, signal)).files[0]!);
  const plain = await count(saying('Hello'));
  assert.ok((await count(saying('я'))) >= plain + 2);
  assert.ok((await count(saying('Hello', { title: { text: 'я', end: 1 } }))) >= plain + 2);
});

test('emoji ask for no font: they are pictures', async () => {
  assert.equal((await captionFonts(saying('Hello 🚀'), signal)).files.length, 1);
});

test('texts of the same letters share one result, also while it is made', async () => {
  const programs: unknown[] = [];
  const count = (program: unknown) => void programs.push(program);
  subscribe('clip-engine:program', count);
  try {
    const [first, second] = await Promise.all([
      captionFonts(saying('ш шщ'), signal),
      captionFonts(saying('щш'), signal),
    ]);
    assert.equal(first, second);
    const { length } = programs;
    assert.ok(length > 0);
    assert.equal(await captionFonts(saying('щшщ'), signal), first);
    assert.equal(programs.length, length);
    assert.notEqual(await captionFonts(saying('щшы'), signal), first);
  } finally {
    unsubscribe('clip-engine:program', count);
  }
});

test('the fonts of the last 32 texts are cached; a failure is not', async () => {
  const letters = (at: number) => saying(String.fromCodePoint(0x4d0 + at));
  const first = await captionFonts(letters(0), signal);
  const second = await captionFonts(letters(1), signal);
  assert.equal(await captionFonts(letters(0), signal), first);
  for (let at = 2; at <= 32; at += 1) {
    await captionFonts(letters(at), signal);
  }
  assert.equal(await captionFonts(letters(0), signal), first);
  assert.notEqual(await captionFonts(letters(1), signal), second, 'used before the others');
  const aborted = AbortSignal.abort(new Error('the service stops'));
  await assert.rejects(captionFonts(saying('ѯ'), aborted), /stops/);
  assert.equal((await captionFonts(saying('ѯ'), signal)).files.length, 1);
});
