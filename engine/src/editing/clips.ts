import type { Edit } from '../edit.ts';
import type { Analysis } from '../facts.ts';
import type { Candidate } from '../moments/candidates.ts';
import { inTranslation } from '../moments/explanation.ts';
import { titleOf } from '../moments/title.ts';
import { sentencesWithin } from '../words/translation/translated-transcript.ts';
import { editShort, type EditWish } from './make-edit.ts';

/** A clip that can be rendered, and what people are told of it. */
export interface Clip {
  title: string;
  /** 0 to 1. */
  score: number;
  explanation: string;
  edit: Edit;
}

/** A title of the translated words of a clip; null where there are none. */
const titleIn = ({ transcript }: Analysis, clip: Candidate): string | null =>
  transcript &&
  titleOf(sentencesWithin(transcript, [clip]), {
    language: transcript.language,
    start: clip.start,
  });

/** The explanation of a clip, with its quotation in the language that is shown. */
const explanationIn = (shown: Analysis, source: Analysis, clip: Candidate): string => {
  if (clip.firstSentence === undefined) return clip.explanation;
  const first = (analysis: Analysis) =>
    analysis.transcript && (sentencesWithin(analysis.transcript, [clip])[0]?.text ?? null);
  // A part of a sentence has no translation of its own.
  const whole = first(source) === clip.firstSentence;
  return inTranslation(clip.explanation, clip.firstSentence, whole ? first(shown) : null);
};

/**
 * The clips of chosen moments. Moments are found in the source's own words; `shown` is the analysis in the language that
 * is shown, the same object where nothing was translated.
 */
export function clipsOf(
  candidates: readonly Candidate[],
  { source, shown }: { source: Analysis; shown: Analysis },
  wish: EditWish & { name?: string },
): Clip[] {
  return candidates.map((candidate) => {
    const translated = shown !== source;
    const title = (translated ? titleIn(shown, candidate) : null) ?? candidate.title;
    return {
      title,
      score: Math.min(1, Math.max(0, candidate.score)),
      explanation: translated ? explanationIn(shown, source, candidate) : candidate.explanation,
      edit: editShort(shown, { ...candidate, title }, wish),
    };
  });
}
