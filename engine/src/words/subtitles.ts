import * as mediaCaptions from 'media-captions';
import type { Word } from '../facts.ts';
import { splitWords } from './word-text.ts';

// The package's declarations import files without extensions, which NodeNext does not resolve.
const { parseText } = mediaCaptions as unknown as {
  parseText(
    text: string,
    options: { type: 'vtt' | 'srt'; strict: boolean },
  ): Promise<{ cues: { startTime: number; endTime: number; text: string }[] }>;
};

/** A subtitle and its words. `timed` is true if the file gives a time for each word. */
export interface Cue {
  start: number;
  end: number;
  words: Word[];
  timed: boolean;
}

/** Divides a time range among words by their length. */
export function spreadWords(texts: string[], start: number, end: number): Word[] {
  // A short word takes more time than its letters suggest, so each word gets a constant on top.
  const weights = texts.map((text) => text.length + 1.5);
  const whole = weights.reduce((sum, weight) => sum + weight, 0) || 1;
  let passed = 0;
  return texts.map((text, index) => {
    const from = start + ((end - start) * passed) / whole;
    passed += weights[index] ?? 0;
    return { text, start: from, end: start + ((end - start) * passed) / whole };
  });
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  lrm: '',
  rlm: '',
};

const plain = (markup: string): string =>
  markup
    .replace(/<[^<>]*>/g, '')
    .replace(/\{\\[^{}]*\}/g, '')
    .replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{1,8}));/gi, (whole, decimal, hex, name) => {
      if (name) return entities[(name as string).toLowerCase()] ?? whole;
      const code = decimal ? Number(decimal) : parseInt(hex as string, 16);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
    })
    .replaceAll('\u0000', '');

const seconds = (hours: string | undefined, minutes: string, rest: string): number =>
  Number(hours ?? 0) * 3600 + Number(minutes) * 60 + Number(rest);

/**
 * Removes what is not spoken: sounds and speakers in brackets, such as `[music]`, `(laughs)`, `♪`.
 */
const unsaid = (text: string): string =>
  text
    .replace(/\[[^\]]{0,80}\]/g, ' ')
    .replace(/\((?:[a-z ]{0,30})\)/gi, (aside) =>
      /music|laugh|applau|cheer|sigh|inaudible|noise/i.test(aside) ? ' ' : aside,
    )
    .replace(/[♪♫]/g, ' ')
    // Not `\s`: it would also match the ends of empty lines.
    .replace(/^[^\S\n\r\u2028\u2029]*(?:>>+|-)/gm, '');

function readCue(text: string, start: number, end: number): Cue {
  const stamp = /<(?:(\d+):)?(\d{1,2}):(\d{1,2}(?:\.\d{1,3})?)>/g;
  const parts: { from: number; text: string }[] = [];
  let at = 0;
  let from = start;
  for (const match of text.matchAll(stamp)) {
    parts.push({ from, text: text.slice(at, match.index) });
    // Times that run backwards or leave the cue would make words without length.
    const time = seconds(match[1], match[2] ?? '0', match[3] ?? '0');
    from = Math.min(end, Math.max(from, time));
    at = match.index + match[0].length;
  }
  parts.push({ from, text: text.slice(at) });
  const words = parts.flatMap((part, index) =>
    spreadWords(splitWords(unsaid(plain(part.text))), part.from, parts[index + 1]?.from ?? end),
  );
  return { start, end, words, timed: parts.length > 1 };
}

/** Only this many characters of a cue are read. Even a whole talk in one cue has fewer. */
const maxCueCharacters = 200_000;

/** Maximum number of words in a file: twenty hours of talk. */
const maxWords = 500_000;

/** A subtitle file has too many words. */
export class TooManyWords extends Error {
  override name = 'TooManyWords';

  constructor() {
    super(`The subtitles have more than ${maxWords} words, so they are not used.`);
  }
}

/**
 * Reads WebVTT or SubRip text. Cues are sorted by time. Cues without words or length are dropped,
 * and a line that the next cue repeats (rolling captions) is read once.
 * Words without their own times share the time of their cue. Throws {@link TooManyWords}.
 */
export async function parseSubtitles(text: string): Promise<Cue[]> {
  const clean = text
    .replace(/^\uFEFF/, '')
    .replaceAll('\u0000', '\uFFFD')
    // The parser takes quadratic time on long runs of spaces.
    .replace(/[^\S\n\r]{2,}/g, ' ');
  const type = /^WEBVTT/.test(clean) ? 'vtt' : 'srt';
  const parsed = await parseText(clean, { type, strict: false });
  const shown = parsed.cues
    .filter((cue) => Number.isFinite(cue.startTime) && cue.endTime > cue.startTime)
    .sort((a, b) => a.startTime - b.startTime);
  const cues: Cue[] = [];
  let count = 0;
  let before = new Set<string>();
  for (const cue of shown) {
    const lines = cue.text.slice(0, maxCueCharacters).toWellFormed().split('\n');
    const shownLines = lines.map((line) => plain(line).trim());
    const fresh = lines.filter((_, index) => !shownLines[index] || !before.has(shownLines[index]));
    before = new Set(shownLines.filter(Boolean));
    const last = cues.at(-1);
    const start = Math.max(cue.startTime, last?.end ?? 0);
    if (cue.endTime <= start) continue;
    const read = readCue(fresh.join('\n'), start, cue.endTime);
    count += read.words.length;
    if (count > maxWords) throw new TooManyWords();
    if (read.words.length > 0) cues.push(read);
  }
  return cues;
}
