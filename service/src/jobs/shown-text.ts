import {
  type Analysis,
  type Span,
  type Candidate,
  inTranslation,
  titleOf,
  sentencesWithin,
} from 'clip-engine';

/** The explanation of a clip, with its quotation in the language that is shown. */
export const explanationIn = (shown: Analysis, source: Analysis, clip: Candidate): string => {
  if (shown === source || clip.firstSentence === undefined) return clip.explanation;
  const first = (analysis: Analysis) =>
    analysis.transcript && (sentencesWithin(analysis.transcript, [clip])[0]?.text ?? null);
  // A part of a sentence has no translation of its own.
  const whole = first(source) === clip.firstSentence;
  return inTranslation(clip.explanation, clip.firstSentence, whole ? first(shown) : null);
};

/** A title of the translated words of a clip; null where there are none. */
export const titleIn = ({ transcript }: Analysis, clip: Span): string | null =>
  transcript &&
  titleOf(sentencesWithin(transcript, [clip]), {
    language: transcript.language,
    start: clip.start,
  });
