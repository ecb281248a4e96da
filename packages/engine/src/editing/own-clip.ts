import type { Analysis, Span } from '../facts.ts';
import { fitTitle, titleOf } from '../moments/title.ts';
import { untitledAt } from '../moments/title-words.ts';
import { sentencesWithin } from '../words/translation.ts';
import type { Basis, EditWish } from './basis.ts';
import { shortBasis } from './make-edit.ts';

/**
 * A clip of a stretch that a person chose. Its hook title is the name that they gave, otherwise it
 * is made from the words of the stretch.
 * @param analysis in the language that is shown
 */
export function ownClip(
  analysis: Analysis,
  { start, end, name }: Span & { name?: string | undefined },
  wish: EditWish,
): { name: string; basis: Basis } {
  const { transcript } = analysis;
  const language = transcript?.language ?? null;
  const said = transcript ? sentencesWithin(transcript, [{ start, end }]) : [];
  const title = name === undefined ? titleOf(said, { language, start }) : fitTitle(name);
  return {
    name: name ?? title ?? untitledAt(start, language ?? 'en'),
    basis: shortBasis(analysis, { start, end, title: title ?? '' }, wish),
  };
}
