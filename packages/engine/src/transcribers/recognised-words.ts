/**
 * From what the recogniser heard in a piece of sound to its words: which tokens are a word, when
 * each is spoken, and which were invented. Times are in seconds from the start of the piece.
 */
import type { Span, Word } from '../facts.ts';
import { subtractSpans, findTouching } from '../spans.ts';
import notSpoken from '../words/not-spoken.json' with { type: 'json' };
import { splitWords, spreadWords } from '../words/word-text.ts';
import { stripMarks, type Token, joinTokens } from './token-words.ts';

/** Words that were heard in a piece of sound. Times are in seconds from its start. */
export interface Heard {
  text: string;
  /** Code of the model for the language; empty if it does not say. */
  language: string;
  tokens: Token[];
  /** Whether the tokens are whole segments, because the model gives no times of their words. */
  segmentsOnly: boolean;
  /** The likelihood that each 32 ms are a voice, 0 to 100. */
  voice: number[];
}

const broken = /\ufffd/;

/** Joins tokens that split a letter. The whole text has the letter. */
function joinBrokenLetters({ text: whole, tokens }: Heard): Token[] {
  const joined: Token[] = [];
  let at = 0;
  for (let index = 0; index < tokens.length; index++) {
    const { start, ...first } = tokens[index]!;
    let { text, end } = first;
    if (broken.test(text)) {
      while (index + 1 < tokens.length && broken.test(tokens[index + 1]!.text)) {
        end = tokens[++index]!.end;
      }
      const next = tokens[index + 1]?.text;
      const stop = next === undefined ? whole.length : whole.indexOf(next, at);
      text = stop < 0 ? '' : whole.slice(at, stop);
    }
    at += text.length;
    if (text) joined.push({ text, start, end });
  }
  return joined;
}

const pairs: Readonly<Record<string, string>> = { '[': ']', '(': ')', '*': '*', '♪': '♪' };

/** Longer passages in brackets are speech. */
const maxAsideWords = 8;

/**
 * Removes sounds and notes that are not speech: `[BLANK_AUDIO]`, `(audience laughing)`, `*sighs*`,
 * `♪ la la ♪`.
 */
function removeAsides(tokens: readonly Token[]): Token[] {
  const kept: Token[] = [];
  for (let index = 0; index < tokens.length; index++) {
    const close = pairs[tokens[index]!.text.trim()[0] ?? ''];
    const rest = tokens.slice(index, index + 6 * maxAsideWords);
    const length = rest.findIndex(({ text }, place) =>
      (place === 0 ? text.trim().slice(1) : text).includes(close ?? '\0'),
    );
    if (length >= 0) index += length;
    else kept.push(tokens[index]!);
  }
  return kept;
}

/** The minimum sound of a word beside a pause; less belongs to the word on the other side. */
const minWordSound = 0.1;

/**
 * Moves words out of pauses. The recogniser lets a word begin where the word before it ends, also
 * over a pause, so a word that spans a pause begins after it.
 */
export function placeWords(words: readonly Word[], pauses: readonly Span[]): Word[] {
  const placed = words.map((word) => {
    let { start, end } = word;
    for (const pause of findTouching(pauses, word)) {
      const before = pause.start - start;
      const after = end - pause.end;
      if (after >= minWordSound || (after > 0 && before < minWordSound)) start = pause.end;
      else if (before > 0) end = pause.start;
      else if (end - pause.start > pause.end - start) start = end = pause.end;
      else start = end = pause.start;
    }
    return { ...word, start, end: Math.max(start, end) };
  });
  return giveLength(placed);
}

/** Words are not shorter. */
const minWordSeconds = 0.06;

/** Gives words without a length some of the time of the word that follows at once. */
function giveLength(words: Word[]): Word[] {
  words.forEach((word, index) => {
    if (word.end - word.start >= minWordSeconds) return;
    const next = words[index + 1];
    const room = next ? Math.max(0, next.end - word.start) / 2 : minWordSeconds;
    word.end = Math.max(word.end, word.start + Math.min(minWordSeconds, room));
    if (next && next.start < word.end) next.start = word.end;
  });
  return words;
}

/** The words of a piece of sound. */
export function readRecognisedWords(heard: Heard, pauses: readonly Span[]): Word[] {
  if (heard.segmentsOnly) {
    return heard.tokens.flatMap(({ text, start, end }) =>
      spreadWords(splitWords(text), start!, end!),
    );
  }
  const end = (heard.voice.length + 1) * voiceSeconds;
  const words = placeWords(joinTokens(removeAsides(joinBrokenLetters(heard)), end), pauses);
  // Over music there is no pause: then the voice shows when somebody goes on.
  return giveLength(words.map((word) => (isLong(word) ? leaveGap(word, heard.voice) : word)));
}

const isLong = ({ text, start, end }: Word): boolean => end - start > getMaxWordSeconds(text);

/** Begins a word after the last part of its time that has no voice. */
function leaveGap(word: Word, voice: readonly number[]): Word {
  const first = Math.ceil(word.start / voiceSeconds);
  const last = Math.min(voice.length, Math.floor((word.end - minWordSound) / voiceSeconds));
  for (let frame = last - 1; frame > first; frame--) {
    if (voice[frame]! < minVoice) return { ...word, start: (frame + 1) * voiceSeconds };
  }
  return word;
}

/** Time between two values of `Heard.voice`. */
export const voiceSeconds = 0.032;

/** From this value on, it is a voice. */
const minVoice = 50;

/** Returns how many seconds of a time range are a voice. */
export function countVoice(voice: readonly number[], { start, end }: Span): number {
  const from = Math.max(0, Math.floor(start / voiceSeconds));
  const values = voice.slice(from, Math.max(from + 1, Math.ceil(end / voiceSeconds)));
  return values.filter((value) => value >= minVoice).length * voiceSeconds;
}

/** The minimum voice in a segment of sound; less is a noise that resembles one. */
const minVoiceSeconds = 0.15;

/** Whether a segment of sound has speech or singing. */
export const hasVoice = (voice: readonly number[]): boolean =>
  countVoice(voice, { start: 0, end: Infinity }) >= minVoiceSeconds;

const matchNames = (list: string): RegExp => new RegExp(`^(?:${list})`, 'i');
const sounds = matchNames(notSpoken.sounds);
const reactions = matchNames(notSpoken.reactions);
const credits = matchNames(notSpoken.credits);
const closings = new Set(notSpoken.closings.split('|'));

/** Voice this close to words may be theirs: times of words in noise are not exact. */
const voiceMargin = 0.4;

/** Words with a longer pause between them are not one phrase. */
const phrasePause = 0.8;

/** Groups words that follow each other. */
function groupPhrases(words: readonly Word[]): Word[][] {
  const phrases: Word[][] = [];
  for (const word of words) {
    const last = phrases.at(-1);
    const before = last?.at(-1);
    const isNew =
      !before || word.start - before.end > phrasePause || /[.!?…。！？]$/.test(before.text);
    if (isNew) phrases.push([word]);
    else last!.push(word);
  }
  return phrases;
}

/**
 * Removes the words that recognisers invent for music, noise and silence, where no voice is heard:
 * names of sounds, thanks for watching, and who made the subtitles.
 */
export function removeInvented(words: readonly Word[], voice: readonly number[]): Word[] {
  return groupPhrases(words).flatMap((phrase) => {
    const text = phrase.map((word) => word.text).join(' ');
    const bare = text.toLowerCase().replace(/[^\p{L}\p{N}' ]+/gu, '');
    const isSuspect =
      closings.has(bare) ||
      credits.test(text) ||
      (phrase.length <= 4 &&
        phrase.some(({ text: word }) => sounds.test(word) || reactions.test(word)));
    if (!isSuspect) return phrase;
    const span = {
      start: phrase[0]!.start - voiceMargin,
      end: phrase.at(-1)!.end + voiceMargin,
    };
    return countVoice(voice, span) > 0 ? phrase : [];
  });
}

/** A phrase that is said again and again. */
export interface Loop {
  /** Indices of words: from the first of the phrase to after its last repetition. */
  from: number;
  to: number;
  /** Number of words of the phrase. */
  length: number;
}

const maxPhraseWords = 12;
const maxLoopSeconds = 10;
/** One word is repeated more often in speech than a phrase. */
const getMinRepeats = (length: number): number => (length === 1 ? 6 : 3);

/** Finds the first phrase that is repeated within ten seconds; null if there is none. */
export function findLoop(words: readonly Word[], from = 0): Loop | null {
  const keys = words.map(({ text }) => stripMarks(text));
  for (let start = from; start < words.length; start++) {
    for (let length = 1; length <= maxPhraseWords; length++) {
      let to = start + length;
      while (to < words.length && keys[to] === keys[to - length]) to++;
      const repeats = Math.floor((to - start) / length);
      if (repeats < getMinRepeats(length)) continue;
      const third = words[start + (getMinRepeats(length) - 1) * length]!;
      if (third.start - words[start]!.start <= maxLoopSeconds) return { from: start, to, length };
    }
  }
  return null;
}

/** Returns the words with each loop only once. */
export function removeLoops(words: readonly Word[]): Word[] {
  const kept = [...words];
  for (let loop = findLoop(kept); loop; loop = findLoop(kept, loop.from + loop.length)) {
    kept.splice(loop.from + loop.length, loop.to - loop.from - loop.length);
  }
  return kept;
}

/** Longest time that a word takes: with fewer letters it takes less. */
const getMaxWordSeconds = (text: string): number => 0.7 + 0.1 * text.length;

/** A shorter part with a voice and without words is a breath, or badly timed words. */
const minMissedSeconds = 1.2;

/**
 * Finds the parts of a piece of sound in which there is a voice, but no word: the recogniser
 * leaves sentences out. The times of the words beside them reach over them.
 */
export function findMissed(
  words: readonly Word[],
  {
    voice,
    pauses,
    seconds,
  }: { voice: readonly number[]; pauses: readonly Span[]; seconds: number },
): Span[] {
  const covered = words.map(({ text, start, end }) => ({
    start: Math.max(start, end - getMaxWordSeconds(text)),
    end,
  }));
  const sound = subtractSpans({ start: 0, end: seconds }, pauses);
  return sound
    .flatMap((part) => subtractSpans(part, covered))
    .filter((part) => countVoice(voice, part) >= minMissedSeconds);
}

/** Adds words that were found in a part that was missed, between those that are there. */
export function insertWords(words: readonly Word[], found: readonly Word[], part: Span): Word[] {
  const at = words.findIndex((word) => word.end > part.start && word.end >= part.end);
  const before = at < 0 ? [...words] : words.slice(0, at);
  const known = before.at(-1);
  const added = found.filter((word, index) => {
    const middle = (word.start + word.end) / 2;
    const isKnown = index === 0 && known && stripMarks(known.text) === stripMarks(word.text);
    return middle > part.start && middle < part.end && !isKnown;
  });
  const [first, last] = [added[0], added.at(-1)];
  if (!first || !last) return [...words];
  return [
    ...before.map((word) => ({
      ...word,
      end: Math.min(word.end, Math.max(word.start, first.start)),
    })),
    ...added,
    ...words.slice(before.length).map((word) => ({
      ...word,
      start: Math.min(word.end, Math.max(word.start, last.end)),
    })),
  ];
}
