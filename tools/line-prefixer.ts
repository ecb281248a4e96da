/**
 * Writes text line by line, with a name before each line, to show which of several commands wrote
 * it.
 */
export function linePrefixer(
  name: string,
  write: (text: string) => unknown,
): (text: string) => void {
  let begun = '';
  return (text) => {
    const lines = (begun + text).split('\n');
    begun = lines.pop()!;
    if (lines.length) write(lines.map((line) => `${name.padEnd(10)} │ ${line}\n`).join(''));
  };
}
