const [quote, backslash, openList, closeList, openObject, closeObject] = [...'"\\[]{}'].map(
  (character) => character.charCodeAt(0),
);

/**
 * Whether JSON text is nested deeper than `maxDepth`. It only looks at brackets outside of strings,
 * in one pass without a stack: it is safe for text that would exhaust the stack of a parser.
 */
export function isNestedDeeper(text: string, maxDepth: number): boolean {
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
      if (depth > maxDepth) return true;
    } else if (code === closeList || code === closeObject) depth -= 1;
  }
  return false;
}
