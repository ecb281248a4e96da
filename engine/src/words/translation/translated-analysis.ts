import type { Analysis, Span } from '../../facts.ts';
import { baseLanguage, languageCode } from '../language-code.ts';
import { sentencesWithin, translatedTranscript } from './translated-transcript.ts';

/** Whether two codes need no translation between them. Regions do not count, except those of Chinese: they differ in script. */
const isSame = (a: string, b: string): boolean =>
  a === b || (baseLanguage(a) === baseLanguage(b) && baseLanguage(a) !== 'zh');

/**
 * The analysis with the words of the given stretches in the language `to` (BCP 47). It is the same object if nothing is
 * said in them, or if they are in that language already. Throws what `translate` throws.
 */
export async function translatedAnalysis(
  analysis: Analysis,
  wish: {
    to: string;
    spans: readonly Span[];
    /** As many texts as it is given, in the same order. `from` is null if it is not known. */
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
  return { ...analysis, transcript: translatedTranscript(sentences, translations, known) };
}
