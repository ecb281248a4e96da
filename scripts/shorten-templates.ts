/** Shortening of what stands in `css` and `html` templates, which a minifier of JavaScript leaves as it is. */

/** The style sheet without comments and without white space that means nothing. Strings in it must hold none of `{};,`. */
export const shortCss = (text: string): string =>
  text
    .replace(/\/\*[^]*?\*\//g, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,]) ?/g, '$1')
    // A blank after a colon is that of a declaration; one before it, a selector's.
    .replace(/: /g, ':')
    .replace(/;}/g, '}')
    // A name needs no quotes.
    .replace(/='([a-z][\w-]*)'\]/g, '=$1]')
    .replace(/\b0\./g, '.')
    .replace(/ !/g, '!')
    .trim();

/**
 * The texts of an `html` template (those around its expressions) without indentation: a line break is a blank inside a
 * tag, and nothing between tags, texts and expressions. Attribute values must hold no `<` or `>`.
 */
export const shortHtml = (texts: readonly string[]): string[] => {
  let inTag = false;
  return texts.map((text) =>
    text.replace(/(\s*\n\s*(>?))|[<>]/g, (found, breaks: string | undefined, end: string) => {
      if (!breaks || end) {
        inTag = found === '<';
        return end || found;
      }
      return inTag ? ' ' : '';
    }),
  );
};
