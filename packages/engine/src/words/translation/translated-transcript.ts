import type { Analysis, Sentence, Span, Transcript } from '../../facts.ts';
import { spreadWords } from '../spread-words.ts';
import { transcriptOf } from '../transcript.ts';
import { splitWords } from '../word-text.ts';

/** The sentences that overlap any of the time ranges. */
export const sentencesWithin = (transcript: Transcript, spans: readonly Span[]): Sentence[] =>
  transcript.sentences.filter((sentence) =>
    spans.some((span) => sentence.start < span.end && sentence.end > span.start),
  );

/**
 * Makes a transcript of translated sentences. Each takes the time of its original, and its words
 * share the parts of that time that are not silent.
 * @returns null if the translations have no words
 */
export function translatedTranscript(
  sentences: readonly Sentence[],
  translations: readonly string[],
  known: Pick<Analysis, 'silences' | 'duration'> & { language: string },
): Transcript | null {
  const cues = sentences.flatMap(({ start, end }, index) => {
    const words = spreadWords(splitWords(translations[index] ?? ''), start, end);
    return words.length > 0 ? [{ start, end, words, timed: false }] : [];
  });
  return transcriptOf(cues, known);
}
