import type { Analysis, Sentence, Span, Transcript } from '../../facts.ts';
import { spreadWords } from '../subtitles.ts';
import { transcriptOf } from '../transcript.ts';
import { splitWords } from '../word-text.ts';

/** The sentences that are said, in whole or in part, in any of the stretches. */
export const sentencesWithin = (transcript: Transcript, spans: readonly Span[]): Sentence[] =>
  transcript.sentences.filter((sentence) =>
    spans.some((span) => sentence.start < span.end && sentence.end > span.start),
  );

/**
 * A transcript of translated sentences: each takes the time of its original, and its words share, by their length, those
 * parts of it in which something is heard. Null where the translations hold no words.
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
