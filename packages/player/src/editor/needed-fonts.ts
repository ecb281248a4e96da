import type { EditInputs } from 'clip-engine/drawing';
import type { EditChanges } from 'clip-kit/contract';

/** What the fonts of a clip must have: a style, and the letters that are not in its words. */
export interface NeededFonts {
  presetId: string | null;
  letters: string;
}

/** The fonts come with the letters of all words and of the title. */
export function neededFonts(
  { words, title }: Pick<EditInputs, 'words' | 'title'>,
  { words: corrections = {}, title: retitled = '', style_preset_id: preset }: EditChanges,
): NeededFonts {
  const known = new Set([title, ...(words ?? []).map(({ text }) => text)].join(''));
  const written = new Set([...Object.values(corrections), retitled].join(''));
  const letters = [...written].filter((letter) => !known.has(letter)).toSorted();
  return { presetId: preset ?? null, letters: letters.join('') };
}
