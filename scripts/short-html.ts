/**
 * Removes the white space between the tags of a template. `texts` are its texts around the values;
 * between two words of text, a blank stays.
 */
export function shortHtml(texts: readonly string[]): string[] {
  let isInTag = false;
  return texts.map((text) =>
    text.replace(/[<>]|\s*\n\s*/g, (found) => {
      if (found === '<') isInTag = true;
      else if (found === '>') isInTag = false;
      else return isInTag ? ' ' : '';
      return found;
    }),
  );
}
