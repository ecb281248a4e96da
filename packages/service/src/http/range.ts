/** What of a file is asked for: all, one range (both ends included), or nothing that it has. */
export type Range = 'whole' | 'unsatisfiable' | { start: number; end: number };

/**
 * Reads a `Range` header (RFC 9110, section 14) against a file of `size` bytes. One byte range is
 * honoured. Several at once, other units and malformed headers are ignored, as the RFC allows.
 */
export function parseRange(header: string | undefined, size: number): Range {
  const match = /^bytes\s*=\s*(\d*)-(\d*)\s*$/i.exec(header ?? '');
  if (!match || (match[1] === '' && match[2] === '')) return 'whole';
  if (match[1] === '') {
    const length = Math.min(Number(match[2]), size);
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 };
  }
  const start = Number(match[1]);
  if (match[2] !== '' && Number(match[2]) < start) return 'whole';
  if (start >= size) return 'unsatisfiable';
  return { start, end: match[2] === '' ? size - 1 : Math.min(Number(match[2]), size - 1) };
}

/** Whether `If-Range` lets the range stand: the client must have a part of the same file. */
export function ifRangeHolds(
  header: string | undefined,
  file: { etag: string; modified: Date },
): boolean {
  if (header === undefined) return true;
  if (header.startsWith('"') || header.startsWith('W/')) return header === file.etag;
  return Math.floor(file.modified.getTime() / 1000) * 1000 === Date.parse(header);
}

/** Whether `If-None-Match` names the file (weak comparison): then it has not changed. */
export const noneMatchNames = (header: string | undefined, etag: string): boolean =>
  header !== undefined &&
  (header.trim() === '*' ||
    header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag));
