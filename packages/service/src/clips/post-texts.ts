import { type EditInputs, maskListedWords } from 'clip-engine';
import type { EditChanges } from 'clip-kit/contract';

/** The name and description of a clip, as in its row. */
export interface ClipTexts {
  name: string;
  /** The name before a person changed the title; null if it was not changed. */
  made_name: string | null;
  /** Null if the clip has no words. */
  description: string | null;
  tags: string[];
}

/**
 * The texts of a clip: those that were made with it, or what a person wrote in their place. A title
 * is the clip's name, too.
 * @param made.name the name that was made
 */
export function makeClipTexts(
  { name, inputs }: { name: string; inputs: Pick<EditInputs, 'post' | 'options'> },
  { title, description, tags }: EditChanges,
): ClipTexts {
  const written = title?.trim();
  return {
    name: written || maskListedWords(name, inputs.options.mutedWords),
    made_name: written ? name : null,
    description: description?.trim() ?? inputs.post.description,
    tags: tags ?? inputs.post.tags,
  };
}
