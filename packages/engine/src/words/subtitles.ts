import * as mediaCaptions from 'media-captions';
import type { Word } from '../facts.ts';
import { splitWords, spreadWords } from './word-text.ts';

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
  /** Times of marks such as `[laughter]` and `(Applause)`, in seconds. */
  reactions?: number[];
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
    .replace(/[♪♫]/g, ' ');

/** The words of a marked text, and the reactions between them. */
function readMarked(text: string, start: number, end: number) {
  let texts: string[] = [];
  const turns = new Set<number>();
  const after: number[] = [];
  for (const part of text.split(/([\u0001\u0002])/)) {
    if (part === turnMark) turns.add(texts.length);
    else if (part === reactionMark) after.push(texts.length);
    else texts = texts.concat(splitWords(unsaid(plain(part))));
  }
  const words = spreadWords(texts, start, end).map((word, index): Word =>
    turns.has(index) ? { ...word, opensTurn: true } : word,
  );
  // A cue of nothing but a reaction lasts as long as it.
  const afterWords = words.length > 0 ? end : start;
  return { words, reactions: after.map((index) => words[index]?.start ?? afterWords) };
}

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
  const read = parts.map((part, index) =>
    readMarked(part.text, part.from, parts[index + 1]?.from ?? end),
  );
  const reactions = read.flatMap((part) => part.reactions);
  return {
    start,
    end,
    words: read.flatMap(({ words }) => words),
    timed: parts.length > 1,
    ...(reactions.length > 0 && { reactions }),
  };
}

/** Only this many characters of a cue are read. Even a whole talk in one cue has fewer. */
const maxCueCharacters = 200_000;

/** Maximum number of words in a file: twenty hours of talk. */
const maxWords = 500_000;

/** Captions that roll show the line that stays for this long alone. */
const momentSeconds = 0.1;

/** A subtitle file has too many words. */
export class TooManyWords extends Error {
  override name = 'TooManyWords';

  constructor() {
    super(`The subtitles have more than ${maxWords} words, so they are not used.`);
  }
}

/**
 * Reads WebVTT or SubRip text. Cues are sorted by time. Cues that say nothing are dropped,
 * and a line that the next cue repeats above a new one (rolling captions) is read once.
 * Words without their own times share the time of their cue. Throws {@link TooManyWords}.
 */
export async function parseSubtitles(text: string): Promise<Cue[]> {
  const clean = text
    .replace(/^\uFEFF/, '')
    // These are marks below.
    .replace(/[\u0000-\u0002]/g, '\uFFFD')
    // The parser takes quadratic time on long runs of spaces.
    .replace(/[^\S\n\r]{2,}/g, ' ');
  const type = /^WEBVTT/.test(clean) ? 'vtt' : 'srt';
  const parsed = await parseText(clean, { type, strict: false });
  const shown = parsed.cues
    .filter((cue) => Number.isFinite(cue.startTime) && cue.endTime > cue.startTime)
    .sort((a, b) => a.startTime - b.startTime);
  let before = new Set<string>();
  let beforeEnd = -Infinity;
  const texts = shown.map((cue) => {
    const lines = cue.text
      .slice(0, maxCueCharacters)
      .toWellFormed()
      // Line breaks and hard spaces of ASS, which players of SubRip know too.
      .replace(/\\n/gi, '\n')
      .replaceAll('\\h', ' ')
      .split('\n');
    const shownLines = lines.map((line) => plain(line).trim());
    const fresh = lines.filter((_, index) => !shownLines[index] || !before.has(shownLines[index]));
    // Captions that roll repeat a line above a new one, or for a moment. “No.” “No.” is said twice.
    const rolls =
      fresh.some((line) => plain(line).trim()) || cue.endTime - cue.startTime < momentSeconds;
    const goesOn = cue.startTime - beforeEnd < momentSeconds && splitWords(cue.text).length > 3;
    before = new Set(shownLines.filter(Boolean));
    beforeEnd = cue.endTime;
    return (rolls || goesOn ? fresh : lines).join('\n');
  });
  const cues: Cue[] = [];
  let count = 0;
  withMarks(texts).forEach((marked, index) => {
    const cue = shown[index]!;
    const last = cues.at(-1);
    const start = Math.max(cue.startTime, last?.end ?? 0);
    if (cue.endTime <= start) return;
    const read = readCue(marked, start, cue.endTime);
    count += read.words.length;
    if (count > maxWords) throw new TooManyWords();
    if (read.words.length > 0 || read.reactions) cues.push(read);
  });
  return cues;
}

/**
 * What subtitles say besides words: where another person begins to speak, and where the audience
 * laughs or claps.
 */

/** Stands before the first word of a turn, and where a reaction is. They are never in a word. */
const turnMark = '\u0002';
const reactionMark = '\u0001';

/** Names of laughter and applause, in languages that are common in subtitles. */
const reaction =
  /[[(（【][^\])）】]{0,20}(?:laugh|applau|cheer|lach|gelächter|beifall|rire|riso|risa|aplauso|risate|смех|аплодисмент|笑|拍手|掌声|웃음|박수)[^\])）】]{0,20}[\])）】]/giu;

const voice = /<v(?:\.[^\s<>]*)?\s+([^<>]*)>/g;

/** `Name:` at the start of a line: up to four words with capitals. */
const namePrefix =
  /^\s*(?:(?:>|&gt;){2,}|-)?\s*(\p{Lu}[\p{L}\p{M}\p{N}.’'-]*(?: \p{Lu}[\p{L}\p{M}\p{N}.’'-]*){0,3}):\s/u;

/** A dash before a small letter, or a double one, goes on with a sentence. */
const anonymous = /(?<=^|\s)(?:>|&gt;){2,}|^\s*[-–—](?=\s*[^\s\p{Ll}–—-])/gu;

/**
 * The names that stand before lines. A name that is used once, or without another name, may be
 * part of what is said, unless it is in capitals: `JOHN:`.
 */
function namesIn(lines: readonly string[]): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const line of lines) {
    const name = namePrefix.exec(line)?.[1];
    if (name) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const names = [...counts].filter(([, count]) => count > 1).map(([name]) => name);
  const loud = [...counts.keys()].filter((name) => /^\p{Lu}{3}[\p{Lu}\p{M} .’'-]*$/u.test(name));
  return new Set([...(names.length > 1 ? names : []), ...loud]);
}

/**
 * Puts marks into the texts of cues: for voice tags (`<v Name>`), names before lines, `>>` and
 * dashes at the start of a line, and for `[laughter]` and the like. The names are removed.
 */
function withMarks(texts: readonly string[]): string[] {
  const names = namesIn(texts.flatMap((text) => text.split('\n')));
  let speaker: string | null = null;
  const turn = (name: string): string => {
    if (name === speaker) return ' ';
    speaker = name;
    return ` ${turnMark} `;
  };
  const marked = (line: string): string => {
    const name = namePrefix.exec(line);
    if (name && names.has(name[1]!)) return turn(name[1]!) + line.slice(name[0].length);
    return line
      .replace(voice, (_, who: string) => turn(who.trim()))
      .replace(anonymous, () => {
        speaker = null;
        return ` ${turnMark} `;
      });
  };
  return texts.map((text) =>
    text.replace(reaction, ` ${reactionMark} `).split('\n').map(marked).join('\n'),
  );
}
