/**
 * Removes the white space between the tags of a template, and line breaks at the end of a tag.
 * `texts` are its texts around the values; between two words of text, a blank stays.
 */
export function shortenHtml(texts: readonly string[]): string[] {
  let isInTag = false;
  return texts.map((text) =>
    text.replace(/<|(?:\s*\n\s*)?>|\s*\n\s*/g, (found) => {
      const last = found.trim();
      if (!last) return isInTag ? ' ' : '';
      isInTag = last === '<';
      return last;
    }),
  );
}
