import type { EditChanges } from 'clip-kit/contract';
import type { Span, Word } from '../facts.ts';
import { mergeSpans, subtractSpans } from '../spans.ts';
import { splitBreakable, spreadWords } from '../words/word-text.ts';
import type { EditInputs } from './edit-inputs.ts';
import { hasListedWord, maskListedWords, maskWords } from './muted-words.ts';

/** A change that cannot be made: the dotted path of its field, and why. */
export interface ChangeFault {
  path: string;
  message: string;
}

/** Minimum and maximum length of a clip, unless it was made shorter or longer. */
const [minSeconds, maxSeconds] = [1, 180];

/** The indexes of a key of `words`; null if there are no such words. */
function readWordsKey(key: string, count: number): { first: number; last: number } | null {
  const [, from = '', to = from] = /^(\d{1,6})(?:-(\d{1,6}))?$/.exec(key) ?? [];
  const [first, last] = [Number(from), Number(to)];
  return from !== '' && first <= last && last < count ? { first, last } : null;
}

/** A word, or corrected words, with the key of `changes.words` that corrects it. */
export interface EditWord extends Span {
  key: string;
  /** The text that is shown; several words if they were corrected together. */
  text: string;
  /** The recognised text, if it was corrected. */
  original?: string;
  /** True if another person begins to speak. */
  opens_turn?: boolean;
  /** The number of the speaker, from 1. Omitted where that is not known. */
  speaker?: number;
  /** True if it is not heard: the captions mask it. */
  muted?: boolean;
}

type WordInputs = Pick<EditInputs, 'words'> & Partial<Pick<EditInputs, 'spoken' | 'options'>>;

/** Whether a person mutes a word, or corrected words; undefined if no person decides. */
function readDecision({ muted = {} }: EditChanges, { key }: { key: string }): boolean | undefined {
  const { first, last } = readWordsKey(key, Infinity)!;
  const decided = Array.from({ length: last - first + 1 }, (_, at) => muted[first + at]);
  return decided.includes(true) || (decided.includes(false) ? false : undefined);
}

const isOverlapping = (one: Span, other: Span): boolean =>
  one.start < other.end && one.end > other.start;

/** The spoken words of the list, if other words are shown: a translation. */
const listSpokenWords = ({ spoken = [], options }: WordInputs): Word[] =>
  spoken.filter(({ text }) => hasListedWord(text, options?.mutedWords));

const joinTexts = (words: readonly Word[]): string => words.map(({ text }) => text).join(' ');

/** The words of the editable segment as a person corrected and muted them. */
export function editWords(inputs: WordInputs, changes: EditChanges): EditWord[] {
  const { words, options } = inputs;
  if (!words) return [];
  const spoken = listSpokenWords(inputs);
  const isListed = (word: Span & { text: string; original?: string }): boolean =>
    hasListedWord(word.text, options?.mutedWords) ||
    // A corrected text does not change what is heard.
    hasListedWord(word.original ?? '', options?.mutedWords) ||
    spoken.some((one) => isOverlapping(one, word));
  const withMute = (word: EditWord): EditWord =>
    (readDecision(changes, word) ?? isListed(word)) ? { ...word, muted: true } : word;
  const corrected = Object.entries(changes.words ?? {}).flatMap(([key, text]) => {
    const at = readWordsKey(key, words.length);
    return at ? [{ ...at, key, text }] : [];
  });
  const byFirst = new Map(corrected.map((one) => [one.first, one]));
  const shown: EditWord[] = [];
  for (let index = 0; index < words.length; index++) {
    const change = byFirst.get(index);
    const { start, end, text, opensTurn, speaker } = words[index]!;
    const turn = {
      ...(opensTurn && { opens_turn: opensTurn }),
      ...(speaker !== undefined && { speaker }),
    };
    if (!change) {
      shown.push(withMute({ key: String(index), start, end, text, ...turn }));
      continue;
    }
    const heard = words.slice(index, change.last + 1);
    const corrected = {
      key: change.key,
      start,
      end: Math.max(...heard.map((word) => word.end)),
      text: change.text,
      original: joinTexts(heard),
      ...turn,
    };
    shown.push(withMute(corrected));
    index += heard.length - 1;
  }
  return shown;
}

/** Returns the words as captions show them: corrected, and masked where they are muted. */
export function correctWords(inputs: EditInputs, changes: EditChanges): Word[] {
  const known = inputs.words ?? [];
  const { words: corrections = {}, muted: decided = {} } = changes;
  const { mutedWords } = inputs.options;
  const isPlain = [corrections, decided].every((some) => Object.keys(some).length === 0);
  if (isPlain && !mutedWords) return known;
  return editWords(inputs, changes).flatMap(({ key, text, start, end, original, muted }) => {
    const { first, last } = readWordsKey(key, known.length)!;
    // The words of a translation have estimated times: others may be spoken meanwhile.
    const isMasked = muted && (!inputs.spoken || readDecision(changes, { key }) !== undefined);
    const shown = isMasked ? maskWords(text) : muted ? maskListedWords(text, mutedWords) : text;
    if (original === undefined) return [{ ...known[first]!, text: shown }];
    const heard = known.slice(first, last + 1);
    const parts = splitBreakable(shown);
    return parts.length === heard.length
      ? parts.map((part, index) => ({ ...heard[index]!, text: part }))
      : spreadWords(parts, start, end);
  });
}

/**
 * The parts of the source that are not heard, in order: the muted words. Below a translation, whose
 * words have estimated times, the spoken words of the list.
 */
export function findMutedSpans(inputs: EditInputs, changes: EditChanges): Span[] {
  const shown = editWords(inputs, changes);
  if (!inputs.spoken) return mergeSpans(shown.filter(({ muted }) => muted));
  const decided = shown.filter((word) => readDecision(changes, word) !== undefined);
  const restored = decided.filter(({ muted }) => !muted);
  const listed = listSpokenWords(inputs).filter(
    (word) => !restored.some((one) => isOverlapping(one, word)),
  );
  return mergeSpans([...listed, ...decided.filter(({ muted }) => muted)]);
}

const roundSeconds = (seconds: number): number => Math.round(seconds * 1000) / 1000;

/** A change that cannot be made, with the limit and the value that was sent. */
export function changeFaults(inputs: EditInputs, changes: EditChanges): ChangeFault[] {
  const { editable, words } = inputs;
  const faults: ChangeFault[] = [];
  const [from, to] = [roundSeconds(editable.start), roundSeconds(editable.end)];
  const isOutside = (time: number) => time < from - 1e-3 || time > to + 1e-3;
  const within = (path: string, time: number | undefined) => {
    if (time === undefined || !isOutside(time)) return;
    faults.push({ path, message: `must be ${from} to ${to} seconds, was ${time}` });
  };
  within('start', changes.start);
  within('end', changes.end);
  within('cover.time', changes.cover?.time);
  const { start = inputs.span.start, end = inputs.span.end } = changes;
  if (end <= start) {
    const path = changes.end === undefined ? 'start' : 'end';
    faults.push({ path, message: `the clip would begin at ${start} and end at ${end} seconds` });
  }
  const left = subtractSpans({ start, end }, mergeSpans(changes.removed ?? [])).reduce(
    (sum, part) => sum + part.end - part.start,
    0,
  );
  const tooShort = findLengthFault(inputs, changes, left);
  if (changes.removed && end > start && left < minSeconds && tooShort) faults.push(tooShort);
  for (const name of ['removed', 'restored', 'shots'] as const) {
    changes[name]?.forEach((span, index) => {
      within(`${name}.${index}.start`, span.start);
      within(`${name}.${index}.end`, span.end);
    });
  }
  const shots = changes.shots?.toSorted((a, b) => a.start - b.start) ?? [];
  shots.slice(1).forEach((shot, index) => {
    const before = shots[index]!;
    if (shot.start >= before.end) return;
    const message = `the shots from ${before.start} and from ${shot.start} seconds overlap`;
    faults.push({ path: `shots.${changes.shots!.indexOf(shot)}`, message });
  });
  const count = words?.length ?? 0;
  const readKeys = (name: 'words' | 'muted') =>
    Object.keys(changes[name] ?? {}).flatMap((key) => {
      const at = readWordsKey(key, count);
      if (at) return [{ key, ...at }];
      const known = count > 0 ? `the clip has words 0 to ${count - 1}` : 'the clip has no words';
      faults.push({ path: `${name}.${key}`, message: `${known}, was "${key}"` });
      return [];
    });
  readKeys('muted');
  const corrected = readKeys('words');
  corrected.sort((a, b) => a.first - b.first);
  corrected.slice(1).forEach(({ key, first }, index) => {
    const before = corrected[index]!;
    if (first > before.last) return;
    faults.push({ path: `words.${key}`, message: `overlaps the words of "${before.key}"` });
  });
  return faults;
}

/** Why a clip cannot be as long as it would be; null if it can. */
export function findLengthFault(
  inputs: EditInputs,
  changes: EditChanges,
  seconds: number,
): ChangeFault | null {
  const own = inputs.span.end - inputs.span.start;
  const [least, most] = [Math.min(minSeconds, own), Math.max(maxSeconds, own)];
  if (seconds >= least - 0.05 && seconds <= most + 0.05) return null;
  const path = ['removed', 'end', 'start'] as const;
  const message = `the clip must play ${roundSeconds(least)} to ${roundSeconds(most)} seconds, and would play ${roundSeconds(seconds)}`;
  return { path: path.find((name) => changes[name] !== undefined) ?? '', message };
}
