import { readFile } from 'node:fs/promises';
import { getBaseLanguage, parseLanguage } from './language-code.ts';
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

/** The number of bytes that are read to detect an encoding. */
const sampleBytes = 64 * 1024;

/** UTF-16 without a mark: nearly every other byte of Latin text, digits and line ends is zero. */
function detectWideEncoding(bytes: Uint8Array): string | null {
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

function decodeBytes(bytes: Uint8Array, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Older encodings, and the languages written in them. The first of equal ones is named. */
const encodings: Readonly<Record<string, string>> = {
  'windows-1252': 'de fr es pt it nl sv da no fi is en ca eu ms tl',
  'windows-1250': 'pl cs sk hu ro sl hr sq',
  'windows-1251': 'ru uk bg sr be',
  'windows-1253': 'el',
  'windows-1254': 'tr az',
  'windows-1255': 'he',
  'windows-1256': 'ar fa ur',
  'windows-1257': 'lt lv et',
  'windows-1258': 'vi',
  'windows-874': 'th',
  'koi8-r': 'ru bg',
  'koi8-u': 'uk',
  'iso-8859-2': 'pl cs sk hu ro sl hr',
  'iso-8859-5': 'ru uk sr',
  ibm866: 'ru uk',
  macintosh: 'de fr es pt it nl sv da no fi en',
  shift_jis: 'ja',
  'euc-jp': 'ja',
  gb18030: 'zh',
  big5: 'zh',
  'euc-kr': 'ko',
};

/**
 * Characters that no text has: control characters, lines of tables, and signs or other scripts in a
 * word.
 */
const isNoise = new RegExp(
  [
    '[\\u0000-\\u0008\\u000e-\\u001f\\u007f-\\u009f\\uFFFD\\u2500-\\u25ff]',
    '\\p{Script=Latin}(?:\\p{Script=Cyrillic}|\\p{Script=Greek}|\\p{Script=Hebrew}|\\p{Script=Arabic}|\\p{Script=Thai}|\\p{Script=Han}|\\p{Script=Hangul}|\\p{Script=Katakana})',
    '(?:\\p{Script=Cyrillic}|\\p{Script=Greek}|\\p{Script=Hebrew}|\\p{Script=Arabic}|\\p{Script=Thai})\\p{Script=Latin}',
    '\\p{L}[§©µ¹²³÷‡†‰¿¡]\\p{L}|[¤¦¨¬±¶¸¼½¾×]\\p{L}|\\p{L}[¤¦¨¬±¶¸×]',
    // A capital inside a word of small letters.
    '\\p{Ll}[À-ÞЀ-Я]\\p{Ll}|[а-яё][А-ЯЁ]{2}',
  ].join('|'),
  'gu',
);

/** A reading is refused if another one is nearly as likely. */
const minLead = 1.03;

/** Each reading of the bytes, with how likely it is: how much its letters are like a language's. */
async function rateReadings(bytes: Uint8Array, language: string | null) {
  const sample = bytes.subarray(0, sampleBytes);
  // Loaded where it is needed: its tables take a second and 80 MB.
  const { eld } = await import('eld/extrasmall');
  const found = new Map<string, { encoding: string; likelihood: number; noise: number }>();
  for (const [encoding, languages] of Object.entries(encodings)) {
    // A sample may end inside a letter.
    const text = decodeBytes(bytes.length > sampleBytes ? bytes : sample, encoding)?.slice(
      0,
      sampleBytes,
    );
    if (text == null) continue;
    // Times and words of plain letters are the same in all.
    const words = text.split(/[\s\d]+/u).filter((word) => /[^\x00-\x7f]/.test(word));
    const noise = (words.join(' ').match(isNoise)?.length ?? 0) / words.length;
    if (noise > 0.02) continue;
    const known = languages.split(' ');
    const scores = eld.detect(text.replace(/[\d:,.>-]+/g, ' ')).getScores();
    const score = Math.max(0, ...known.map((code) => scores[code] ?? 0));
    // Its letters alone are taken for Thai.
    const weight = encoding === 'windows-874' ? 0.7 : 1;
    const likelihood =
      score * weight * (language && known.includes(language) ? 1.5 : 1) * (1 - noise * 5);
    const same = found.get(text);
    if (!same || same.likelihood < likelihood)
      found.set(text, { encoding: same?.encoding ?? encoding, likelihood, noise });
  }
  return [...found.values()].sort((a, b) => b.likelihood - a.likelihood);
}

/**
 * The text of a file in the encoding that its mark or its bytes show: UTF-8, UTF-16, or an older
 * one, such as windows-1252 or Shift_JIS.
 * @param language BCP 47: the language of the text, if it is known
 * @throws {@link UnreadableText}, which names the probable encodings, instead of wrong letters
 */
export async function decodeText(bytes: Uint8Array, language?: string | null): Promise<string> {
  const mark = marks.find(([start]) => start.every((byte, index) => bytes[index] === byte));
  const wide = mark?.[1] ?? detectWideEncoding(bytes);
  if (wide) {
    const text = decodeBytes(bytes, wide);
    if (text !== null) return text;
    throw new UnreadableText(
      `The text seems to be ${wide.toUpperCase()}, but parts of it are not. ${advice}`,
    );
  }
  const plain = decodeBytes(bytes, 'utf-8');
  if (plain !== null) return plain;
  const [first, second] = await rateReadings(bytes, language ? getBaseLanguage(language) : null);
  const isSure = first && (!second || first.likelihood > second.likelihood * minLead);
  if (first && isSure && (first.likelihood > 0 || first.noise === 0))
    return decodeBytes(bytes, first.encoding)!;
  const names = [first, second].flatMap((reading) => (reading ? [reading.encoding] : []));
  throw new UnreadableText(
    `The text is not in UTF-8${names.length > 0 ? `, but probably in ${names.join(' or ')}, which could not be read safely` : ''}. ${advice}`,
  );
}

/** The text of a subtitle file. Throws {@link UnreadableText}, or the file system's error. */
export const readSubtitleText = async (path: string, language?: string | null): Promise<string> =>
  decodeText(await readFile(path), language);

/** A shorter text is in too many languages at once. */
const minWords = 8;

/** The number of words that are read to detect a language. */
const maxWords = 2000;

/**
 * The language of subtitles: from the header of WebVTT (`Language: de`), otherwise detected from
 * the words.
 * @returns a BCP 47 code, or null if it is not known
 */
export async function detectSubtitleLanguage(
  text: string,
  cues: readonly Cue[],
): Promise<string | null> {
  const [header = ''] = text.slice(0, 2000).split(/\r?\n[^\S\r\n]*\r?\n/, 1);
  const stated = /^WEBVTT/.test(header.replace(/^\uFEFF/, ''))
    ? parseLanguage(/^Language:\s*(\S+)\s*$/im.exec(header)?.[1])
    : null;
  if (stated) return stated;
  const words = cues.flatMap((cue) => cue.words.map((word) => word.text)).slice(0, maxWords);
  if (words.length < minWords) return null;
  // Loaded where it is needed: its tables take a second and 80 MB.
  const { eld } = await import('eld/extrasmall');
  const found = eld.detect(joinWords(words));
  return found.isReliable() ? parseLanguage(found.language) : null;
}
