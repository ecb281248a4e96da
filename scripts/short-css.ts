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
