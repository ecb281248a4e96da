import type { Word } from '../facts.ts';
import { type RawCue, readCueFile } from './cue-file.ts';
import { keepLanguage } from './subtitle-languages.ts';
import { markSpeech, reactionMark, readSpokenLines, turnMark } from './subtitle-marks.ts';
import { splitWords, spreadWords } from './word-text.ts';

/** A subtitle and its words. `timed` is true if the file gives a time for each word. */
export interface Cue {
  start: number;
  end: number;
  words: Word[];
  timed: boolean;
  /** Times of marks such as `[laughter]` and `(Applause)`, in seconds. */
  reactions?: number[];
}

/**
 * The maximum number of characters that are read of a cue. Even a whole talk in one cue has fewer.
 */
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

/** A word of a cue, with its own time if the file has one. */
interface Said {
  text: string;
  at?: number;
  opensTurn?: boolean;
}

/** The words of a cue. `reactions` are the numbers of words that stand before one. */
interface SaidCue {
  start: number;
  end: number;
  said: Said[];
  reactions: number[];
}

const inlineTime = /<(?:(\d+):)?(\d{1,2}):(\d{1,2}(?:[.,]\d{1,3})?)>/g;

/** Puts the times inside a cue between marks, so that they survive the removal of tags. */
const withTimeMarks = (text: string): string =>
  text.replace(inlineTime, (_, hours = '0', minutes: string, seconds: string) => {
    const at = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds.replace(',', '.'));
    return ` \u0003${at}\u0003`;
  });

function readSaid({ start, end, text }: RawCue): SaidCue {
  const said: Said[] = [];
  const reactions: number[] = [];
  let opensTurn = false;
  let at: number | undefined;
  let isTime = false;
  for (const part of text.split(/([\u0001-\u0003])/)) {
    if (part === turnMark) opensTurn = true;
    else if (part === reactionMark) reactions.push(said.length);
    else if (part === '\u0003') isTime = !isTime;
    // Times that run backwards or leave the cue would make words without length.
    else if (isTime) at = Math.min(end, Math.max(at ?? start, Number(part)));
    else {
      for (const word of splitWords(part)) {
        said.push({ text: word, ...(at !== undefined && { at }), ...(opensTurn && { opensTurn }) });
        opensTurn = false;
      }
    }
  }
  return { start, end, said, reactions };
}

/** A tag around one word of a cue, as Whisper's `--highlight_words` writes it. */
const highlight = /<(u|b|font|c)\b[^<>]*>([^<>]*)<\/\1>/g;

/**
 * Joins cues that show one text again and again, each with another word highlighted, to a cue in
 * which each word has its own time.
 */
function joinHighlights(cues: readonly RawCue[]): RawCue[] {
  const joined: RawCue[] = [];
  const withoutTags = (text: string): string => text.replace(/<[^<>]*>/g, '');
  for (let first = 0; first < cues.length;) {
    const shown = withoutTags(cues[first]!.text);
    let next = first;
    /** The times of the highlighted words, by their places in the text. */
    const times = new Map<number, number>();
    for (; next < cues.length && withoutTags(cues[next]!.text) === shown; next++) {
      const marked = [...cues[next]!.text.matchAll(highlight)];
      if (marked.length > 1 || (next > first && cues[next]!.start - cues[next - 1]!.end > 2)) break;
      const [mark] = marked;
      if (!mark) continue;
      const place = withoutTags(cues[next]!.text.slice(0, mark.index)).length;
      if (!times.has(place)) times.set(place, cues[next]!.start);
    }
    if (times.size > 1) {
      const places = [...times].sort(([a], [b]) => a - b);
      const text = places.map(([place, at], index) => {
        const hours = Math.floor(at / 3600);
        const minutes = Math.floor(at / 60) % 60;
        const before = index === 0 ? shown.slice(0, place) : '';
        return `${before}<${hours}:${minutes}:${(at % 60).toFixed(3)}>${shown.slice(place, places[index + 1]?.[0])}`;
      });
      joined.push({ start: cues[first]!.start, end: cues[next - 1]!.end, text: text.join('') });
      first = next;
    } else {
      // No part of the run has more.
      const end = Math.max(next, first + 1);
      while (first < end) joined.push(cues[first++]!);
    }
  }
  return joined;
}

/** Two lines at one time, such as two languages, may be a few pictures apart in their cues. */
const maxApartSeconds = 0.2;

/** Joins cues of the same time, and drops a line that is shown twice at once. */
function joinSimultaneous(cues: readonly RawCue[]): RawCue[] {
  const joined: RawCue[] = [];
  let shown = new Set<string>();
  for (const cue of cues) {
    const last = joined.at(-1);
    const isSame =
      last &&
      Math.abs(last.start - cue.start) < maxApartSeconds &&
      Math.abs(last.end - cue.end) < maxApartSeconds &&
      Math.min(last.end, cue.end) - cue.start > 2 * maxApartSeconds;
    const lines = cue.text.split('\n');
    if (!isSame) {
      joined.push({ ...cue });
      shown = new Set();
    } else if (!lines.every((line) => shown.has(line))) last.text += `\n${cue.text}`;
    for (const line of lines) shown.add(line);
  }
  return joined;
}

/** Captions that roll or grow follow each other without a gap. */
const maxGapSeconds = 0.1;

const stripMarks = (text: string): string =>
  text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '') || text;

/** The number of words at the end of `before` with which `next` begins: Knuth, Morris and Pratt. */
function measureWordOverlap(before: readonly string[], next: readonly string[]): number {
  const pattern = next.slice(0, before.length);
  const fallback = [0];
  const advance = (matched: number, word: string | undefined): number => {
    let count = matched;
    while (count > 0 && (count === pattern.length || pattern[count] !== word))
      count = fallback[count - 1]!;
    return pattern[count] === word && count < pattern.length ? count + 1 : count;
  };
  for (let index = 1; index < pattern.length; index++)
    fallback.push(advance(fallback[index - 1]!, pattern[index]));
  let matched = 0;
  for (const word of before) matched = advance(matched, word);
  return matched;
}

/** Whether `next` shows all of `before` again, with more letters or words. */
function isGrowing(before: readonly string[], next: readonly string[]): boolean {
  const last = before.length - 1;
  if (last < 0 || next.length < before.length) return false;
  if (!before.slice(0, last).every((word, index) => word === next[index])) return false;
  const isLonger = next.length > before.length || next[last] !== before[last];
  return isLonger && next[last]!.startsWith(before[last]!);
}

const isSentenceEnd = (text: string | undefined): boolean =>
  /[.!?…。！？]["”»’)]*$/u.test(text ?? '');

/**
 * Takes each word once where captions roll (a line stays above a new one) or grow (“and”, “and
 * so”). “No.” “No.” is said twice.
 */
function withoutRepeats(cues: readonly (SaidCue & { lines: readonly string[] })[]): SaidCue[] {
  const words = cues.map(({ said }) => said.map(({ text }) => stripMarks(text)));
  const isNear = (index: number): boolean =>
    cues[index]!.start - cues[index - 1]!.end < maxGapSeconds;
  let [repeats, tails] = [0, 0];
  for (let index = 1; index < cues.length; index++) {
    const isRepeat =
      measureWordOverlap(words[index - 1]!, words[index]!) > 1 ||
      isGrowing(words[index - 1]!, words[index]!);
    if (isNear(index) && isRepeat) repeats += 1;
    if (isNear(index) && measureWordOverlap(words[index - 1]!, words[index]!) > 0) tails += 1;
  }
  // Each cue may begin with only the last word of the one before.
  const rolls =
    (repeats >= 3 && repeats > cues.length * 0.3) || (tails >= 3 && tails > cues.length * 0.6);
  const result: SaidCue[] = [];
  cues.forEach((cue, index) => {
    const { start, end, said, reactions } = cue;
    let known = 0;
    const before = cues[index - 1];
    if (before && isNear(index)) {
      const [old, now] = [words[index - 1]!, words[index]!];
      const isGrown = isGrowing(old, now);
      const overlap = measureWordOverlap(old, now);
      // Only whole lines above a new one, or for a moment: other captions repeat words, too.
      const shown = new Set(before.lines);
      const stays = cue.lines.findIndex((line) => !shown.has(line));
      const isLine = stays > 0 || (stays < 0 && end - start < maxGapSeconds);
      if (isGrown && (rolls || old.length > 1 || !isSentenceEnd(before.said.at(-1)?.text))) {
        known = old.length;
        const last = result.at(-1)?.said.at(-1);
        // The last word may have been cut off.
        if (last && now[known - 1] !== old[known - 1]) last.text = said[known - 1]!.text;
      } else if (rolls || isLine || overlap > 3) known = overlap;
      else if (overlap === now.length && end - start < maxGapSeconds) known = overlap;
    }
    const fresh = said.slice(known);
    const later = reactions.filter((place) => place > known || (known === 0 && place === 0));
    result.push({ start, end, said: fresh, reactions: later.map((place) => place - known) });
  });
  return result.filter((cue) => cue.said.length > 0 || cue.reactions.length > 0);
}

/** The minimum time of a spoken word. */
const minWordSeconds = 0.12;

/**
 * Gives each cue a time of its own: one that begins inside another ends that one. Where that
 * leaves no time for the words, cues that overlap share their time, in order.
 */
function withoutOverlaps(cues: readonly SaidCue[]): SaidCue[] {
  const result: SaidCue[] = [];
  for (let first = 0; first < cues.length;) {
    let end = cues[first]!.end;
    let next = first + 1;
    while (next < cues.length && cues[next]!.start < end) {
      end = Math.max(end, cues[next]!.end);
      next += 1;
    }
    const group = cues.slice(first, next);
    const cut = group.map((cue, index) => ({
      ...cue,
      end: Math.min(cue.end, group[index + 1]?.start ?? Infinity),
    }));
    const isRoomy = cut.every((cue) => cue.end - cue.start >= minWordSeconds * cue.said.length);
    if (group.length === 1 || isRoomy || group.some(isTimed))
      for (const cue of cut) result.push(cue);
    else {
      const weights = group.map(({ said }) =>
        said.reduce((sum, { text }) => sum + text.length + 2, 1),
      );
      const seconds = (end - group[0]!.start) / weights.reduce((sum, weight) => sum + weight, 0);
      let at = group[0]!.start;
      group.forEach((cue, index) => {
        const start = at;
        at += weights[index]! * seconds;
        result.push({ ...cue, start, end: at });
      });
    }
    first = next;
  }
  return result;
}

const isTimed = ({ said }: SaidCue): boolean => said.some(({ at }) => at !== undefined);

function makeCue(cue: SaidCue): Cue | null {
  const { start, end, said } = cue;
  if (end <= start) return null;
  const words: Word[] = [];
  for (let first = 0; first < said.length;) {
    const { at } = said[first]!;
    let next = first + 1;
    while (next < said.length && said[next]!.at === at) next += 1;
    const from = Math.min(end, Math.max(start, at ?? start));
    const texts = said.slice(first, next).map(({ text }) => text);
    const spread = spreadWords(texts, from, Math.max(from, Math.min(end, said[next]?.at ?? end)));
    spread.forEach((word, index) =>
      words.push(said[first + index]!.opensTurn ? { ...word, opensTurn: true } : word),
    );
    first = next;
  }
  // A cue of nothing but a reaction lasts as long as it.
  const afterWords = words.length > 0 ? end : start;
  const reactions = cue.reactions.map((index) => words[index]?.start ?? afterWords);
  return { start, end, words, timed: isTimed(cue), ...(reactions.length > 0 && { reactions }) };
}

/**
 * Reads the words of a subtitle file (WebVTT, SubRip, SubViewer, SubStation Alpha or TTML), each
 * once and in the order of its time. Names of speakers become turns; sounds, tags, credits and the
 * repeated lines of rolling captions are left out. Words without their own times share the time of
 * their cue. Throws {@link TooManyWords}.
 * @param language BCP 47: the language to take where each cue is in two; the first if omitted
 */
export async function parseSubtitles(text: string, language?: string | null): Promise<Cue[]> {
  // These are marks below.
  const raw = readCueFile(text.replace(/[\u0000-\u0003]/g, '\uFFFD')).map((cue) => ({
    ...cue,
    text: cue.text.slice(0, maxCueCharacters).toWellFormed(),
  }));
  const lines = joinSimultaneous(joinHighlights(raw)).map((cue) => ({
    ...cue,
    lines: readSpokenLines(withTimeMarks(cue.text)),
  }));
  const marked = markSpeech(await keepLanguage(lines, language));
  const said = marked.map((cue) => ({ ...readSaid(cue), lines: cue.text.split('\n') }));
  let count = 0;
  const cues: Cue[] = [];
  for (const cue of withoutOverlaps(withoutRepeats(said))) {
    count += cue.said.length;
    if (count > maxWords) throw new TooManyWords();
    const timed = makeCue(cue);
    if (timed) cues.push(timed);
  }
  return cues;
}
