import type { Row } from './command.ts';

function cell(value: Row[string] | undefined): string {
  if (value instanceof Date) return value.toISOString();
  return value === null || value === undefined ? '-' : String(value);
}

/** Rows in columns. */
export function columns(rows: readonly Row[]): string {
  const [first] = rows;
  if (!first) return 'Nothing.\n';
  const names = Object.keys(first);
  const lines = [names, ...rows.map((row) => names.map((name) => cell(row[name])))];
  const widths = names.map((_, at) => Math.max(...lines.map((line) => line[at]!.length)));
  return lines
    .map(
      (line) =>
        `${line
          .map((text, at) => text.padEnd(widths[at]!))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}
