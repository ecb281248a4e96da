/** Writes text line by line, each line behind a name: of several commands at once it can be seen which says what. */
export const linePrefixer = (
  name: string,
  write: (text: string) => unknown,
): ((text: string) => void) => {
  let begun = '';
  return (text) => {
    const lines = (begun + text).split('\n');
    begun = lines.pop()!;
    if (lines.length) write(lines.map((line) => `${name.padEnd(8)} │ ${line}\n`).join(''));
  };
};
