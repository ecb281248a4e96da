/** Reads and writes the texts for a post. */

/** At most this many tags, of at most this many characters each: what the service takes. */
const [maxTags, maxTagCharacters] = [8, 50];

/** The tags of what a person wrote: between commas, lines or `#`, each once. */
export function parseTags(written: string): string[] {
  const tags = new Map<string, string>();
  for (const part of written.split(/[,،、，#\n]/u)) {
    const tag = part.replace(/[\s\p{C}]+/gu, ' ').trim();
    const key = tag.toLowerCase();
    if (tag && tag.length <= maxTagCharacters && !tags.has(key)) tags.set(key, tag);
  }
  return [...tags.values()].slice(0, maxTags);
}

/** Tags as platforms link them: `#carbonfootprint`. */
export const formatHashtags = (tags: readonly string[]): string =>
  tags
    .map((tag) => tag.replace(/[^\p{L}\p{M}\p{N}_]+/gu, ''))
    .filter(Boolean)
    .map((tag) => `#${tag}`)
    .join(' ');

/** All texts of a post, with an empty line between them. */
export const joinTexts = ({
  title,
  description,
  tags,
}: {
  title: string;
  description: string;
  tags: readonly string[];
}): string => [title, description, formatHashtags(tags)].filter(Boolean).join('\n\n');
