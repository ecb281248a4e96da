import * as mediaCaptions from 'media-captions';
import type { Word } from '../facts.ts';
import { splitWords } from './word-text.ts';

// The package's declarations name files without extensions, which Node's resolution does not find.
const { parseText } = mediaCaptions as unknown as {
  parseText(
    text: string,
    options: { type: 'vtt' | 'srt'; strict: boolean },
  ): Promise<{ cues: { startTime: number; endTime: number; text: string }[] }>;
};

/** A subtitle with the words that are said in it. `timed` is true where the file itself gives the words' times. */
export interface Cue {
  start: number;
  end: number;
  words: Word[];
  timed: boolean;
}

/** Shares a stretch of time among words by their length. */
export function spreadWords(texts: string[], start: number, end: number): Word[] {
  // A short word takes more time than its letters say: each gets a constant on top.
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

/** Sounds and speakers in brackets are not said: `[music]`, `(laughs)`, `♪`. */
const unsaid = (text: string): string =>
  text
    .replace(/\[[^\]]{0,80}\]/g, ' ')
    .replace(/\((?:[a-z ]{0,30})\)/gi, (aside) =>
      /music|laugh|applau|cheer|sigh|inaudible|noise/i.test(aside) ? ' ' : aside,
    )
    .replace(/[♪♫]/g, ' ')
    // Not `\s`: it would reach over the ends of empty lines.
    .replace(/^[^\S\n\r\u2028\u2029]*(?:>>+|-)/gm, '');

function readCue(text: string, start: number, end: number): Cue {
  const stamp = /<(?:(\d+):)?(\d{1,2}):(\d{1,2}(?:\.\d{1,3})?)>/g;
  const parts: { from: number; text: string }[] = [];
  let at = 0;
  let from = start;
  for (const match of text.matchAll(stamp)) {
    parts.push({ from, text: text.slice(at, match.index) });
    // Times that run backwards or leave the cue would make words of no length.
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

/** Letters of a cue that are read: the whole talk in one cue has fewer. */
const longestCue = 200_000;

/** Most words of a file: twenty hours of talk. */
const mostWords = 500_000;

/** A file of more words than are read. */
export class TooManyWords extends Error {
  override name = 'TooManyWords';

  constructor() {
    super(`The subtitles hold more than ${mostWords} words, so they are not used.`);
  }
}

/**
 * Reads WebVTT or SubRip text. Cues come in order of time; cues without words, or of no length, are left out, and a
 * line that the next cue shows again (rolling captions) is taken once.
 * Words without times of their own share their cue's time by length. Throws TooManyWords.
 */
export async function parseSubtitles(text: string): Promise<Cue[]> {
  const clean = text
    .replace(/^\uFEFF/, '')
    .replaceAll('\u0000', '\uFFFD')
    // The parser goes through each space of a long run again and again.
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
    const lines = cue.text.slice(0, longestCue).toWellFormed().split('\n');
    const told = lines.map((line) => plain(line).trim());
    const fresh = lines.filter((_, index) => !told[index] || !before.has(told[index]));
    before = new Set(told.filter(Boolean));
    const last = cues.at(-1);
    const start = Math.max(cue.startTime, last?.end ?? 0);
    if (cue.endTime <= start) continue;
    const read = readCue(fresh.join('\n'), start, cue.endTime);
    count += read.words.length;
    if (count > mostWords) throw new TooManyWords();
    if (read.words.length > 0) cues.push(read);
  }
  return cues;
}
