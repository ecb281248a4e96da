import { readFile } from 'node:fs/promises';
import chardet from 'chardet';
import { languageCode } from './language-code.ts';
import type { Cue } from './subtitles.ts';
import { joinWords } from './word-text.ts';

/** The text of a file is in an encoding that cannot be read. `message` is for a person. */
export class UnreadableText extends Error {
  override name = 'UnreadableText';
}

const advice = 'Save the file as UTF-8 and use it again.';

/** Byte order marks. That of UTF-32 (little endian) begins with that of UTF-16. */
const marks: readonly (readonly [bytes: readonly number[], encoding: string])[] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe, 0x00, 0x00], 'UTF-32'],
  [[0x00, 0x00, 0xfe, 0xff], 'UTF-32'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
];

/** Only this many bytes are read to guess an encoding. */
const sampleBytes = 64 * 1024;

/** A guess below this, of 100, would be wrong too often. */
const minConfidence = 40;

/** UTF-16 without a mark: nearly every other byte of Latin text, digits and line ends is zero. */
function wideEncoding(bytes: Uint8Array): string | null {
  const sample = bytes.subarray(0, sampleBytes);
  const zeros = [0, 0];
  sample.forEach((byte, index) => {
    if (byte === 0) zeros[index % 2]! += 1;
  });
  const [even, odd] = zeros as [number, number];
  // Of Chinese or Arabic text only the times and the line ends are of two bytes.
  if (Math.max(even, odd) < sample.length / 20) return null;
  return odd > even ? 'utf-16le' : 'utf-16be';
}

function decoded(bytes: Uint8Array, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Browsers and Windows mean the larger set by this name: it has “ ” and €. */
const webName = (name: string): string =>
  name.toUpperCase() === 'ISO-8859-1' ? 'windows-1252' : name;

/**
 * The text of a file in the encoding that its mark or its bytes show: UTF-8, UTF-16, or an older
 * one, such as windows-1252 or Shift_JIS.
 * @throws {@link UnreadableText}, which names the probable encoding, instead of wrong letters
 */
export function decodeText(bytes: Uint8Array): string {
  const mark = marks.find(([start]) => start.every((byte, index) => bytes[index] === byte));
  const wide = mark?.[1] ?? wideEncoding(bytes);
  if (wide) {
    const text = decoded(bytes, wide);
    if (text !== null) return text;
    throw new UnreadableText(
      `The text seems to be ${wide.toUpperCase()}, but parts of it are not. ${advice}`,
    );
  }
  const plain = decoded(bytes, 'utf-8');
  if (plain !== null) return plain;
  const guesses = chardet.analyse(bytes.subarray(0, sampleBytes));
  for (const { name, confidence } of guesses) {
    const text = confidence < minConfidence ? null : decoded(bytes, webName(name));
    // Letters never have the codes that these encodings leave to control characters.
    if (text && !/[\u0000-\u0008\u000e-\u001f\u007f-\u009f\uFFFD]/.test(text)) return text;
  }
  const name = guesses[0] && webName(guesses[0].name);
  throw new UnreadableText(
    `The text is not in UTF-8${name ? `, but probably in ${name}, which could not be read safely` : ''}. ${advice}`,
  );
}

/** The text of a subtitle file. Throws {@link UnreadableText}, or the file system's error. */
export const subtitleText = async (path: string): Promise<string> =>
  decodeText(await readFile(path));

/** A shorter text is in too many languages at once. */
const minWords = 8;

/** Only this many words are read to find out a language. */
const maxWords = 2000;

/**
 * The language of subtitles: what the header of WebVTT says (`Language: de`), otherwise what the
 * words are.
 * @returns a BCP 47 code, or null if it is not known
 */
export async function subtitleLanguage(text: string, cues: readonly Cue[]): Promise<string | null> {
  const [header = ''] = text.slice(0, 2000).split(/\r?\n[^\S\r\n]*\r?\n/, 1);
  const stated = /^WEBVTT/.test(header.replace(/^\uFEFF/, ''))
    ? languageCode(/^Language:\s*(\S+)\s*$/im.exec(header)?.[1])
    : null;
  if (stated) return stated;
  const words = cues.flatMap((cue) => cue.words.map((word) => word.text)).slice(0, maxWords);
  if (words.length < minWords) return null;
  // Loaded where it is needed: its tables take a second and 80 MB.
  const { eld } = await import('eld/extrasmall');
  const found = eld.detect(joinWords(words));
  return found.isReliable() ? languageCode(found.language) : null;
}
