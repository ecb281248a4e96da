import type { Edit } from '../edit.ts';
import type { Analysis, Span } from '../facts.ts';
import type { Candidate } from '../moments/candidates.ts';
import { nameUntitled } from '../moments/title-words.ts';
import { noTexts, type PostTexts, postTextsWithin } from '../moments/post-texts.ts';
import { fitTitle } from '../moments/title.ts';
import type { EditInputs, EditOptions } from './edit-inputs.ts';
import { makeEdit } from './make-edit.ts';
import { makeClipInputs } from './make-inputs.ts';
import { maskListedWords } from './muted-words.ts';

/** A clip that can be rendered, with its title, score and explanation for people. */
export interface Clip {
  title: string;
  /** 0 to 1; higher is better. */
  score: number;
  explanation: string;
  /** The requested topic that the clip is about; omitted if none was requested. */
  topic?: string;
  /** Texts for posting it, in the language that is shown. */
  post: PostTexts;
  edit: Edit;
  /** The inputs that the edit was made from. */
  inputs: EditInputs;
}

/** A title from the translated words of a clip, otherwise its opening words as its name. */
function nameClip({ transcript }: Analysis, clip: Candidate): Candidate {
  if (!transcript) return clip;
  const texts = postTextsWithin(transcript, clip);
  if (!texts) return clip;
  const { title, ...post } = texts;
  const [name = clip.title] = post.titles;
  return { ...clip, post, title: name, ...(title === null && { ownWords: false }) };
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
    const named = shown === source ? candidate : nameClip(shown, candidate);
    const inputs = makeClipInputs(shown, named, options);
    const { mutedWords } = options;
    return {
      title: maskListedWords(named.title, mutedWords),
      score: Math.min(1, Math.max(0, candidate.score)),
      explanation: maskListedWords(candidate.explanation, mutedWords),
      ...(candidate.topic !== undefined && { topic: candidate.topic }),
      post: inputs.post,
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
export function makeCustomClip(
  analysis: Analysis,
  { start, end, name }: Span & { name?: string | undefined },
  options: EditOptions,
): { name: string; inputs: EditInputs } {
  const { transcript } = analysis;
  const { title: own = null, ...post } =
    (transcript && postTextsWithin(transcript, { start, end })) ?? noTexts;
  const title = name === undefined ? own : fitTitle(name);
  const made = name ?? post.titles[0] ?? nameUntitled(start, transcript?.language ?? 'en');
  return {
    name: maskListedWords(made, options.mutedWords),
    inputs: makeClipInputs(analysis, { start, end, title: title ?? '', post }, options),
  };
}
