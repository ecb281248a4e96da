import type { Edit } from '../edit.ts';
import type { Analysis, Span } from '../facts.ts';
import type { Candidate } from '../moments/candidates.ts';
import { untitledAt } from '../moments/title-words.ts';
import { fitTitle, openingQuote, titleOf } from '../moments/title.ts';
import { sentencesWithin } from '../words/translation.ts';
import type { EditInputs, EditOptions } from './edit-inputs.ts';
import { makeEdit } from './make-edit.ts';
import { clipInputs } from './make-inputs.ts';

/** A clip that can be rendered, with its title, score and explanation for people. */
export interface Clip {
  title: string;
  /** 0 to 1; higher is better. */
  score: number;
  explanation: string;
  /** The topic of the request that the clip is about; omitted if none was asked for. */
  topic?: string;
  edit: Edit;
  /** What the edit was made from. */
  inputs: EditInputs;
}

/** A title from the translated words of a clip, otherwise its opening words as its name. */
function namedIn({ transcript }: Analysis, clip: Candidate): Candidate {
  if (!transcript) return clip;
  const { language } = transcript;
  const said = sentencesWithin(transcript, [clip]);
  const title = titleOf(said, { language, start: clip.start });
  if (title !== null) return { ...clip, title };
  const name = openingQuote(said, language);
  return name === null ? clip : { ...clip, title: name, ownWords: false };
}

/**
 * Makes a clip of each chosen moment, in the same order.
 * @param candidates moments from `pickCandidatesAsync`
 * @param analyses.source analysis in the source's own language, where the moments were found
 * @param analyses.shown analysis in the language that is shown; the same object if nothing was
 * translated
 * @param options size and editing options; `name` is the title of clips without words
 * @example
 * ```ts
 * const clips = makeClips(candidates, { source: analysis, shown: analysis }, {
 *   dimensions: { width: 1080, height: 1920 },
 *   editing: {
 *     captions: true,
 *     emojis: true,
 *     intro_title: true,
 *     reframe: true,
 *     remove_silences: false,
 *   },
 * });
 * ```
 */
export function makeClips(
  candidates: readonly Candidate[],
  { source, shown }: { source: Analysis; shown: Analysis },
  options: EditOptions & { name?: string },
): Clip[] {
  return candidates.map((candidate) => {
    const named = shown === source ? candidate : namedIn(shown, candidate);
    const inputs = clipInputs(shown, named, options);
    return {
      title: named.title,
      score: Math.min(1, Math.max(0, candidate.score)),
      explanation: candidate.explanation,
      ...(candidate.topic !== undefined && { topic: candidate.topic }),
      edit: makeEdit(inputs),
      inputs,
    };
  });
}

/**
 * Makes a clip of the source segment that a person chose. Its hook title is the given name,
 * otherwise it is made from the words of the segment.
 * @param analysis in the language that is shown
 */
export function customClip(
  analysis: Analysis,
  { start, end, name }: Span & { name?: string | undefined },
  options: EditOptions,
): { name: string; inputs: EditInputs } {
  const { transcript } = analysis;
  const language = transcript?.language ?? null;
  const said = transcript ? sentencesWithin(transcript, [{ start, end }]) : [];
  const title = name === undefined ? titleOf(said, { language, start }) : fitTitle(name);
  return {
    name: name ?? title ?? openingQuote(said, language) ?? untitledAt(start, language ?? 'en'),
    inputs: clipInputs(analysis, { start, end, title: title ?? '' }, options),
  };
}
