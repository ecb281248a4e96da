const zeroPadded = (value: number): string => String(value).padStart(2, '0');

/** Seconds as a length: `0:27`, `1:02:03`. */
export function clock(seconds: number): string {
  const rounded = Math.round(seconds);
  const hours = Math.floor(rounded / 3600);
  const minutes = Math.floor(rounded / 60) % 60;
  const rest = zeroPadded(rounded % 60);
  return hours ? `${hours}:${zeroPadded(minutes)}:${rest}` : `${minutes}:${rest}`;
}

/** Formats rows in columns. Columns of numbers are aligned to the right. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((_, column) =>
    Math.max(...[head, ...rows].map((row) => [...(row[column] ?? '')].length)),
  );
  const isNumber = head.map((_, column) =>
    rows.every((row) => /^[\d.:]+$/.test(row[column] ?? '')),
  );
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => {
        const space = ' '.repeat(widths[column]! - [...cell].length);
        return isNumber[column] ? space + cell : cell + space;
      })
      .join('  ')
      .trimEnd();
  return [head, ...rows].map((row) => `${line(row)}\n`).join('');
}
