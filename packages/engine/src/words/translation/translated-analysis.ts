import type { Analysis, Span } from '../../facts.ts';
import { baseLanguage, languageCode } from '../language-code.ts';
import { sentencesWithin, translatedTranscript } from './translated-transcript.ts';

/**
 * Whether no translation is needed. Regions do not count, except for Chinese, where they can mean
 * another script.
 */
const isSame = (a: string, b: string): boolean =>
  a === b || (baseLanguage(a) === baseLanguage(b) && baseLanguage(a) !== 'zh');

/**
 * Translates the words of the given time ranges to the language `to` (BCP 47). Returns the same
 * object if there are no words in them, or if they are already in that language.
 * @throws what `wish.translate` throws
 */
export async function translatedAnalysis(
  analysis: Analysis,
  wish: {
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
  const to = languageCode(wish.to) ?? wish.to;
  if (!transcript || (transcript.language && isSame(transcript.language, to))) return analysis;
  const sentences = sentencesWithin(transcript, wish.spans);
  if (sentences.length === 0) return analysis;
  const texts = sentences.map(({ text }) => text);
  const translations = await wish.translate(texts, { from: transcript.language, to });
  const known = { silences, duration, language: to };
  const translation = translatedTranscript(sentences, translations, known);
  return { ...analysis, transcript: translation, translated: true };
}
