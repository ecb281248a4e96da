import type { Sentence, Span, Transcript, Word } from '../facts.ts';
import { type Cue, spreadWords } from './subtitles.ts';
import { outside } from '../spans.ts';
import { glue, joinWords } from './word-text.ts';

/** Spreads a cue's words over those parts of its time in which something is heard. */
function spreadOverSound(cue: Cue, silences: readonly Span[]): Word[] {
  const heard = outside(cue, silences).filter((part) => part.end - part.start > 0.08);
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
    // Each word goes whole into one part: the one in which its middle lies.
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

/** Ends a word where its sound ends: subtitle files often let a word last until the next begins. */
function trimToSound(word: Word, silences: readonly Span[]): Word {
  const heard = outside(word, silences);
  // A bit at an edge is the next word's or the last one's: written times are not exact.
  const long = heard.filter((part) => part.end - part.start >= 0.15);
  const parts = long.length > 0 ? long : heard;
  const first = parts[0];
  const last = parts.at(-1);
  if (!first || !last) return word;
  return { ...word, start: first.start, end: last.end };
}

/** Shortest word in seconds: captions and cuts need each word to last. */
const shortest = 0.02;

/** Words in order, each of some length, none beginning before the one ahead has ended. */
function inOrder(words: readonly Word[], duration: number): Word[] {
  const ordered: Word[] = [];
  let at = 0;
  for (const word of words) {
    const start = Math.max(word.start, at);
    const end = Math.min(Math.max(word.end, start + shortest), duration);
    if (end - start < shortest / 2) continue;
    ordered.push({ text: word.text, start, end });
    at = end;
  }
  return ordered;
}

/** Longest pause in seconds inside one sentence; a longer one ends it, full stop or not. */
const longestPause = 1.6;

/** Sentences of timed words, by the rules of the language. */
export function sentencesOf(words: readonly Word[], language: string | null): Sentence[] {
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
    if (next && next.start - (words[index]?.end ?? 0) < longestPause) continue;
    const block = words.slice(blockStart, index + 1).map((word) => word.text);
    let word = blockStart;
    for (const count of wordsOfSentences(block, language)) {
      add(word, word + count - 1);
      word += count;
    }
    blockStart = index + 1;
  }
  return sentences;
}

/** Short forms that a number follows within a sentence: “No. 5”, “Fig. 3”. */
const beforeNumber =
  /^\P{L}*(?:\p{L}|no|nr|nos|fig|figs|vol|art|sec|ch|chap|pp|pt|ca|approx|abs|bd)\.$/iu;

/**
 * The rules of Unicode do not end a sentence at a full stop before a number (“It was late. 12 people came”). A letter in the place of
 * the digit lets them.
 */
const withFreshNumbers = (texts: readonly string[]): string[] =>
  texts.map((text, index) => {
    const before = texts[index - 1];
    const fresh = before?.endsWith('.') && !beforeNumber.test(before);
    return fresh ? text.replace(/^[$€£]?\d/, (start) => 'A'.padEnd(start.length, 'a')) : text;
  });

/** How many of the words each sentence of a text takes. */
function wordsOfSentences(written: readonly string[], language: string | null): number[] {
  const texts = withFreshNumbers(written);
  const ends: number[] = [];
  let length = 0;
  texts.forEach((word, index) => {
    const before = texts[index - 1];
    length += (before === undefined ? '' : glue(before, word)).length + word.length;
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
    if (count > 0) counts.push(count);
  }
  if (word < texts.length) counts.push(texts.length - word);
  return counts;
}

/** Makes the transcript of a source from its subtitles and what is known of its sound. Null where nothing is said. */
export function transcriptOf(
  cues: readonly Cue[],
  known: { silences: readonly Span[]; duration: number; language: string | null },
): Transcript | null {
  const words = inOrder(
    cues.flatMap((cue) =>
      cue.timed
        ? cue.words.map((word) => trimToSound(word, known.silences))
        : spreadOverSound(cue, known.silences),
    ),
    known.duration,
  );
  if (words.length === 0) return null;
  return {
    language: known.language,
    words,
    sentences: sentencesOf(words, known.language),
    ...(cues.some((cue) => !cue.timed) && { estimated: true }),
  };
}
