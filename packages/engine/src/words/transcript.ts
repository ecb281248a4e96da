import type { Sentence, Span, Transcript, Word } from '../facts.ts';
import type { CueModel } from './cue-model.ts';
import { isEnglish } from './english-words.ts';
import { asWritten, isQuestion, isWithoutStops, findLikelySentenceEnds } from './sentence-ends.ts';
import { getSeparator, joinWords, spreadWords } from './word-text.ts';
import type { Cue } from './subtitles.ts';
import { subtractSpans } from '../spans.ts';

/** Spreads the words of a cue over the parts of its time that are not silent. */
function spreadOverSound(cue: Cue, silences: readonly Span[]): Word[] {
  const heard = subtractSpans(cue, silences).filter((part) => part.end - part.start > 0.08);
  if (heard.length < 2) {
    const part = heard[0] ?? cue;
    return spreadWords(
      cue.words.map((word) => word.text),
      part.start,
      part.end,
    );
  }
  const length = heard.reduce((sum, part) => sum + part.end - part.start, 0);
  const words = spreadWords(
    cue.words.map((word) => word.text),
    0,
    length,
  );
  const parts: { part: Span; words: Word[] }[] = heard.map((part) => ({ part, words: [] }));
  let home = 0;
  let passed = 0;
  for (const word of words) {
    // Each word goes into one part: the one that contains its middle.
    const middle = (word.start + word.end) / 2;
    for (; home < parts.length - 1; home++) {
      const { start, end } = parts[home]!.part;
      if (middle < passed + end - start) break;
      passed += end - start;
    }
    parts[home]?.words.push(word);
  }
  return parts.flatMap(({ part, words: held }) =>
    spreadWords(
      held.map((word) => word.text),
      part.start,
      part.end,
    ),
  );
}

/**
 * Ends a word where its sound ends. Subtitle files often let a word last until the next one begins.
 */
function trimToSound(word: Word, silences: readonly Span[]): Word {
  const heard = subtractSpans(word, silences);
  // A short sound at an edge belongs to a neighbouring word: times in files are not exact.
  const long = heard.filter((part) => part.end - part.start >= 0.15);
  const parts = long.length > 0 ? long : heard;
  const first = parts[0];
  const last = parts.at(-1);
  if (!first || !last) return word;
  return { ...word, start: first.start, end: last.end };
}

/** Captions and cuts need words with a length. */
const minWordSeconds = 0.02;

/** Words in order, each with a length, without overlaps. */
function orderWords(words: readonly Word[], duration: number): Word[] {
  const ordered: Word[] = [];
  let at = 0;
  /** Whether a word was dropped that opened a turn: the next one opens it then. */
  let dropped = false;
  for (const word of words) {
    const start = Math.max(word.start, at);
    const end = Math.min(Math.max(word.end, start + minWordSeconds), duration);
    if (end - start < minWordSeconds / 2) {
      dropped ||= word.opensTurn ?? false;
      continue;
    }
    const opensTurn = word.opensTurn || dropped;
    dropped = false;
    ordered.push({ text: word.text, start, end, ...(opensTurn && { opensTurn }) });
    at = end;
  }
  return ordered;
}

/** The weights that predict the sentences of English text without stops. */
export interface SentenceCues {
  ends: CueModel;
  questions: CueModel;
}

/** A longer pause ends a sentence, even without a full stop. */
const maxPauseSeconds = 1.6;

/**
 * Groups timed words into sentences, by the rules of the language. No sentence continues into
 * another person's turn.
 */
export function splitSentences(
  words: readonly Word[],
  language: string | null,
  cues?: SentenceCues,
): Sentence[] {
  if (isWithoutStops(words)) return restoreSentences(words, language, cues);
  const sentences: Sentence[] = [];
  const add = (firstWord: number, lastWord: number) => {
    const first = words[firstWord];
    const last = words[lastWord];
    if (!first || !last) return;
    const text = joinWords(words.slice(firstWord, lastWord + 1).map((word) => word.text));
    sentences.push({ text, start: first.start, end: last.end, firstWord, lastWord });
  };
  let blockStart = 0;
  for (let index = 0; index < words.length; index++) {
    const next = words[index + 1];
    const pauseSeconds = (next?.start ?? 0) - (words[index]?.end ?? 0);
    if (next && !next.opensTurn && pauseSeconds < maxPauseSeconds) continue;
    const block = words.slice(blockStart, index + 1).map((word) => word.text);
    let word = blockStart;
    for (const count of countSentenceWords(block, language)) {
      add(word, word + count - 1);
      word += count;
    }
    blockStart = index + 1;
  }
  return sentences;
}

/** The sentences of text without stops. */
function restoreSentences(
  words: readonly Word[],
  language: string | null,
  cues?: SentenceCues,
): Sentence[] {
  const english = isEnglish(words, language);
  let firstWord = 0;
  const plain = findLikelySentenceEnds(words, english, cues?.ends).map(
    ({ lastWord, likelihood }) => {
      const held = words.slice(firstWord, lastWord + 1);
      firstWord = lastWord + 1;
      return {
        text: joinWords(held.map(({ text }) => text)),
        start: held[0]!.start,
        end: held.at(-1)!.end,
        firstWord: firstWord - held.length,
        lastWord,
        likelihood,
      };
    },
  );
  return plain.map((sentence, index) => {
    const next = plain[index + 1]?.text ?? '';
    const asks = english && isQuestion(sentence.text, next, cues?.questions);
    return { ...sentence, text: asWritten(sentence.text, { english, asks }) };
  });
}

/** Abbreviations that a number can follow in the same sentence: “No. 5”, “Fig. 3”. */
const beforeNumber =
  /^\P{L}*(?:\p{L}|no|nr|nos|fig|figs|vol|art|sec|ch|chap|pp|pt|ca|approx|abs|bd)\.$/iu;

/**
 * Unicode's rules do not end a sentence at a full stop before a number (“It was late. 12 people
 * came”). A letter in place of the digit fixes that.
 */
const withFreshNumbers = (texts: readonly string[]): string[] =>
  texts.map((text, index) => {
    const before = texts[index - 1];
    const fresh = before?.endsWith('.') && !beforeNumber.test(before);
    return fresh ? text.replace(/^[$€£]?\d/, (start) => 'A'.padEnd(start.length, 'a')) : text;
  });

/** Titles and abbreviations after which a sentence goes on, whatever letter follows. */
const goesOn =
  /^["“(]?(?:mrs?|ms|dr|prof|st|sr|jr|gen|col|sgt|lt|rev|hon|vs|e\.g|i\.e|z\.b|d\.h|bzw|hr|fr|mme|mlle|sra?|srta|dott|sig)\.$/i;

/** The number of words in each sentence of a text. */
function countSentenceWords(written: readonly string[], language: string | null): number[] {
  const texts = withFreshNumbers(written);
  const ends: number[] = [];
  let length = 0;
  texts.forEach((word, index) => {
    const before = texts[index - 1];
    length += (before === undefined ? '' : getSeparator(before, word)).length + word.length;
    ends.push(length);
  });
  let locale: string | undefined;
  try {
    locale = language ? Intl.getCanonicalLocales(language)[0] : undefined;
  } catch {
    locale = undefined;
  }
  const counts: number[] = [];
  let word = 0;
  for (const { segment, index } of new Intl.Segmenter(locale, {
    granularity: 'sentence',
  }).segment(joinWords(texts))) {
    const end = index + segment.trimEnd().length;
    let count = 0;
    while (word < texts.length && (ends[word] ?? 0) <= end) {
      word++;
      count++;
    }
    const isOpen = counts.length > 0 && goesOn.test(texts[word - count - 1] ?? '');
    if (isOpen) counts[counts.length - 1]! += count;
    else if (count > 0) counts.push(count);
  }
  if (word < texts.length) counts.push(texts.length - word);
  return counts;
}

/** Words with new times, and the turns of the same words before. */
const withTurns = (words: readonly Word[], before: readonly Word[]): Word[] =>
  words.map((word, index) => (before[index]?.opensTurn ? { ...word, opensTurn: true } : word));

/**
 * Makes a transcript from subtitles and silences.
 * @returns null if there are no words
 */
export function makeTranscript(
  cues: readonly Cue[],
  known: { silences: readonly Span[]; duration: number; language: string | null },
  cuesOfSentences?: SentenceCues,
): Transcript | null {
  const words = orderWords(
    cues.flatMap((cue) =>
      cue.timed
        ? cue.words.map((word) => trimToSound(word, known.silences))
        : withTurns(spreadOverSound(cue, known.silences), cue.words),
    ),
    known.duration,
  );
  if (words.length === 0) return null;
  const reactions = cues.flatMap((cue) => cue.reactions ?? []);
  return {
    language: known.language,
    words,
    sentences: splitSentences(words, known.language, cuesOfSentences),
    ...(reactions.length > 0 && { reactions }),
    ...(cues.some((cue) => !cue.timed) && { estimated: true }),
  };
}
