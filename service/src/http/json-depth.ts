const [quote, backslash, openList, closeList, openObject, closeObject] = [...'"\\[]{}'].map(
  (character) => character.charCodeAt(0),
);

/**
 * Whether JSON text is nested deeper than `most`. It looks at brackets outside of strings only, in one pass without a stack:
 * what parses or walks the value afterwards need not fear for its own.
 */
export const isNestedDeeper = (text: string, most: number): boolean => {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === backslash) at += 1;
      else if (code === quote) inString = false;
    } else if (code === quote) inString = true;
    else if (code === openList || code === openObject) {
      depth += 1;
      if (depth > most) return true;
    } else if (code === closeList || code === closeObject) depth -= 1;
  }
  return false;
};
