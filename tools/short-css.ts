/**
 * Removes comments and insignificant white space from a style sheet. Its strings must not contain
 * any of `{};,>/`.
 */
export const shortenCss = (text: string): string =>
  text
    .replace(/\/\*[^]*?\*\//g, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,>/]) ?/g, '$1')
    // A space after a colon belongs to a declaration; one before it, to a selector.
    .replace(/: /g, ':')
    .replace(/;}/g, '}')
    // A simple name needs no quotes.
    .replace(/='([a-z][\w-]*)'\]/g, '=$1]')
    .replace(/\b0\./g, '.')
    .replace(/ !/g, '!')
    .trim();
