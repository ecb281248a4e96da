import type { Analysis, Sentence, Span, Transcript } from '../facts.ts';
import { getBaseLanguage, parseLanguage } from './language-code.ts';
import { makeTranscript } from './transcript.ts';
import { withSpeakers } from './voices.ts';
import { splitWords, spreadWords } from './word-text.ts';

/** Translates texts. */
export interface Translator {
  /**
   * Translates to the language `to` (BCP 47). Returns one text per input, in the same order. `from`
   * is null if it is not known.
   * Throws an error with a message for the operator, without secrets, or the signal's reason.
   */
  translate(
    texts: readonly string[],
    options: {
      from: string | null;
      to: string;
      signal: AbortSignal;
      onProgress?: (share: number) => void;
    },
  ): Promise<string[]>;
  /** Codes of the languages that it can translate to. Throws the same errors as `translate`. */
  targets(signal: AbortSignal): Promise<string[]>;
}

/**
 * Finds a server's code for a language: the same code, otherwise one with the same base language
 * (`pt` for `pt-BR`).
 * @param language code in any spelling, or an English name
 * @param codes codes that the server knows
 * @returns null if none matches
 */
export function matchCode(language: string, codes: readonly string[]): string | null {
  const code = parseLanguage(language);
  if (!code) return null;
  const same = codes.find((one) => parseLanguage(one) === code);
  if (same) return same;
  const base = getBaseLanguage(code);
  return (
    codes.find((one) => one.toLowerCase() === base) ??
    codes.find((one) => getBaseLanguage(parseLanguage(one) ?? one) === base) ??
    null
  );
}

/**
 * Whether no translation is needed. Regions do not count, except for Chinese, where they can mean
 * another script.
 */
const isSame = (a: string, b: string): boolean =>
  a === b || (getBaseLanguage(a) === getBaseLanguage(b) && getBaseLanguage(a) !== 'zh');

/**
 * Translates the words of the given time ranges to the language `to` (BCP 47). Returns the same
 * object if there are no words in them, or if they are already in that language.
 * @throws what `options.translate` throws
 */
export async function translateAnalysis(
  analysis: Analysis,
  options: {
    to: string;
    spans: readonly Span[];
    /** Returns one translation per text, in the same order. `from` is null if it is not known. */
    translate: (
      texts: string[],
      languages: { from: string | null; to: string },
    ) => Promise<readonly string[]>;
  },
): Promise<Analysis> {
  const { transcript, silences, duration } = analysis;
  const to = parseLanguage(options.to) ?? options.to;
  if (!transcript || (transcript.language && isSame(transcript.language, to))) return analysis;
  const sentences = findSentencesWithin(transcript, options.spans);
  if (sentences.length === 0) return analysis;
  const texts = sentences.map(({ text }) => text);
  const translations = await options.translate(texts, { from: transcript.language, to });
  const known = { silences, duration, language: to };
  const translation = makeTranslatedTranscript(sentences, translations, known);
  const spoken = translation && withSpeakers(translation, matchSpeakers(translation, transcript));
  return { ...analysis, transcript: spoken, translated: true, spoken: transcript.words };
}

/** Returns the speaker of each translated sentence: that of the sentence at its time. */
function matchSpeakers(translation: Transcript, { sentences, words }: Transcript) {
  let at = 0;
  return translation.sentences.map(({ start, end }) => {
    while (at + 1 < sentences.length && sentences[at + 1]!.start <= (start + end) / 2) at += 1;
    return words[sentences[at]!.firstWord]!.speaker ?? null;
  });
}

/** The sentences that overlap any of the time ranges. */
export const findSentencesWithin = (transcript: Transcript, spans: readonly Span[]): Sentence[] =>
  transcript.sentences.filter((sentence) =>
    spans.some((span) => sentence.start < span.end && sentence.end > span.start),
  );

/**
 * Makes a transcript of translated sentences. Each takes the time of its original, and its words
 * share the parts of that time that are not silent.
 * @returns null if the translations have no words
 */
export function makeTranslatedTranscript(
  sentences: readonly Sentence[],
  translations: readonly string[],
  known: Pick<Analysis, 'silences' | 'duration'> & { language: string },
): Transcript | null {
  const cues = sentences.flatMap(({ start, end }, index) => {
    const words = spreadWords(splitWords(translations[index] ?? ''), start, end);
    return words.length > 0 ? [{ start, end, words, timed: false }] : [];
  });
  return makeTranscript(cues, known);
}
