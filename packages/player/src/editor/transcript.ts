import { mergeSpans, subtractSpans, type EditWord, type Span } from 'clip-engine/drawing';
import type { EditChanges } from 'clip-kit/contract';
import { isSameJson } from '../merge-patch.ts';

/** Where a word of the segment is: in the clip, taken out of it, or beside it. */
export type WordPlace = 'in' | 'out' | 'before' | 'after';

/** Words that belong together: indexes, `last` included. */
export interface WordRange {
  first: number;
  last: number;
}

/** A pause of this length ends a sentence that has no stop. */
const longPauseSeconds = 0.9;
/** Maximum length of a sentence without stops and pauses. */
const maxWords = 40;
/** With words, the pause after them is removed too, up to this length. */
const pauseSeconds = 0.8;
/** Times of the changes are whole milliseconds. */
const roundToMilliseconds = (seconds: number): number => Math.round(seconds * 1000) / 1000;

/** After the last word of a sentence, also with a quotation mark or a bracket behind it. */
const isSentenceEnd = (text: string): boolean => /[.!?…。！？؟۔।][\p{Pe}\p{Pf}"'»”]*$/u.test(text);

export function findSentences(words: readonly EditWord[]): WordRange[] {
  const sentences: WordRange[] = [];
  let first = 0;
  words.forEach((word, index) => {
    const next = words[index + 1];
    const ends =
      !next ||
      isSentenceEnd(word.text) ||
      next.opens_turn ||
      next.start - word.end > longPauseSeconds ||
      index - first + 1 >= maxWords;
    if (!ends) return;
    sentences.push({ first, last: index });
    first = index + 1;
  });
  return sentences;
}

/**
 * Returns for each sentence the number of its speaker if it is another one than before; otherwise
 * null. All are null if the words are of one speaker.
 */
export function findNewSpeakers(
  words: readonly EditWord[],
  sentences: readonly WordRange[],
): (number | null)[] {
  let before: number | undefined;
  const speakers = sentences.map(({ first, last }) => {
    const { speaker } = words.slice(first, last + 1).find((word) => word.speaker) ?? {};
    if (speaker === undefined || speaker === before) return null;
    before = speaker;
    return speaker;
  });
  return speakers.some((one) => one !== null && one !== before) ? speakers : speakers.fill(null);
}

/** The changes with the name of a speaker; an empty one is removed. */
export function nameSpeaker(
  { speakers = {}, ...changes }: EditChanges,
  speaker: number,
  name: string,
): EditChanges {
  const { [speaker]: _, ...others } = speakers;
  const named = name.trim() === '' ? others : { ...others, [speaker]: name.trim() };
  return Object.keys(named).length === 0 ? changes : { ...changes, speakers: named };
}

/**
 * The sentences, and in place of those that are the same ones as before, those of before.
 * @param before the sentences, and the words that they are of
 */
export function keepSentences(
  words: readonly EditWord[],
  before: { words: readonly EditWord[]; sentences: readonly WordRange[] } | null,
): WordRange[] {
  const known = new Map(before?.sentences.map((one) => [one.first, one]));
  const isSame = (index: number): boolean => {
    const [word, other] = [words[index]!, before!.words[index]!];
    return isSameJson(word, other);
  };
  return findSentences(words).map((sentence) => {
    const other = known.get(sentence.first);
    if (other?.last !== sentence.last) return sentence;
    for (let index = other.first; index <= other.last; index++) {
      if (!isSame(index)) return sentence;
    }
    return other;
  });
}

const getMiddle = ({ start, end }: Span): number => (start + end) / 2;

const isWithin = (word: Span, { start, end }: Span): boolean =>
  getMiddle(word) >= start && getMiddle(word) < end;

export function findPlace(word: Span, clip: Span, removed: readonly Span[]): WordPlace {
  const at = getMiddle(word);
  if (at < clip.start) return 'before';
  if (at >= clip.end) return 'after';
  return removed.some((span) => isWithin(word, span)) ? 'out' : 'in';
}

/** The time that belongs to words: from their start to the next word, or a little after them. */
function getSpan(words: readonly EditWord[], { first, last }: WordRange): Span {
  const end = words[last]!.end;
  const next = words[last + 1]?.start ?? Infinity;
  const upTo = next - end <= pauseSeconds ? Math.max(end, next) : end + pauseSeconds / 2;
  return { start: roundToMilliseconds(words[first]!.start), end: roundToMilliseconds(upTo) };
}

/** The changes with these segments taken out. Without any, there is no `removed`. */
function withRemoved({ removed: _, ...changes }: EditChanges, removed: Span[]): EditChanges {
  return removed.length === 0 ? changes : { ...changes, removed };
}

/** The changes with words taken out. */
export function removeWords(
  changes: EditChanges,
  words: readonly EditWord[],
  chosen: WordRange,
  editable: Span,
): EditChanges {
  const { start, end } = getSpan(words, chosen);
  const span = { start, end: Math.min(end, roundToMilliseconds(editable.end)) };
  return withRemoved(changes, mergeSpans([...(changes.removed ?? []), span]));
}

/**
 * The changes with words brought back.
 * @param fillers the fillers that are removed automatically
 */
export function restoreWords(
  changes: EditChanges,
  words: readonly EditWord[],
  chosen: WordRange,
  fillers: readonly Span[],
): EditChanges {
  const span = getSpan(words, chosen);
  const left = (changes.removed ?? []).flatMap((one) => subtractSpans(one, [span]));
  const restored = fillers
    .filter((filler) =>
      words.slice(chosen.first, chosen.last + 1).some((word) => isWithin(word, filler)),
    )
    .map(({ start, end }) => ({
      start: roundToMilliseconds(start),
      end: roundToMilliseconds(end),
    }));
  const changed = withRemoved(
    changes,
    left.filter(({ start, end }) => end - start > 0.02),
  );
  return restored.length === 0
    ? changed
    : { ...changed, restored: mergeSpans([...(changes.restored ?? []), ...restored]) };
}

/** The words around one that are taken out together with it. */
export function findRun(places: readonly WordPlace[], index: number): WordRange {
  let [first, last] = [index, index];
  while (places[first - 1] === 'out') first--;
  while (places[last + 1] === 'out') last++;
  return { first, last };
}

/** The changes with words that are not heard, or are heard again. */
export function muteWords(
  changes: EditChanges,
  words: readonly EditWord[],
  { first, last }: WordRange,
  isMuted: boolean,
): EditChanges {
  const muted = { ...changes.muted };
  const to = parseKey(words[last]!.key).to;
  for (let index = parseKey(words[first]!.key).from; index <= to; index++) muted[index] = isMuted;
  return { ...changes, muted };
}

function parseKey(key: string): { from: number; to: number } {
  const [from = '0', to = from] = key.split('-');
  return { from: Number(from), to: Number(to) };
}

const splitWords = (text: string): string[] => text.split(/\s+/u).filter((part) => part !== '');

/**
 * The changes with the text of some words corrected. As many words as before are corrected one by
 * one, so that each stays a word of its own.
 * @param heard the text of every word of the segment, before any correction
 */
export function addCorrection(
  changes: EditChanges,
  words: readonly EditWord[],
  { first, last }: WordRange,
  { text, heard }: { text: string; heard: readonly string[] },
): EditChanges {
  const { from } = parseKey(words[first]!.key);
  const { to } = parseKey(words[last]!.key);
  const kept = Object.entries(changes.words ?? {}).filter(([key]) => {
    const at = parseKey(key);
    return at.to < from || at.from > to;
  });
  const given = splitWords(text);
  const each = given.length === to - from + 1;
  const fresh: [string, string][] = each
    ? given.flatMap((part, index): [string, string][] =>
        part === heard[from + index] ? [] : [[String(from + index), part]],
      )
    : [[from === to ? String(from) : `${from}-${to}`, given.join(' ')]];
  const { words: _, ...others } = changes;
  const all = [...kept, ...fresh];
  return all.length === 0 ? others : { ...others, words: Object.fromEntries(all) };
}

/** The changes with another edge: at the beginning of a word, or at the end of one. */
export function withEdge(
  changes: EditChanges,
  edge: 'start' | 'end',
  seconds: number,
): EditChanges {
  return { ...changes, [edge]: roundToMilliseconds(seconds) };
}

/** A little air stays around a word at the edge, as far as no other word is in it. */
const airSeconds = 0.12;

/** Where an edge goes that is put at a word. */
export function findEdge(
  words: readonly EditWord[],
  index: number,
  edge: 'start' | 'end',
  editable: Span,
): number {
  const word = words[index]!;
  if (edge === 'start') {
    const before = words[index - 1]?.end ?? editable.start;
    return roundToMilliseconds(
      Math.max(word.start - airSeconds, Math.min(before, word.start), editable.start),
    );
  }
  const after = words[index + 1]?.start ?? editable.end;
  return roundToMilliseconds(
    Math.min(word.end + airSeconds, Math.max(after, word.end), editable.end),
  );
}
