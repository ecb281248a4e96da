/** A part of a file, counted from 1, with its first byte and the one after its last. */
export interface FilePart {
  readonly number: number;
  readonly start: number;
  readonly end: number;
}

/** The parts of a file that have not arrived, or not whole. */
export function missingParts(
  size: number,
  partSize: number,
  arrived: readonly { readonly number: number; readonly size: number }[],
): FilePart[] {
  const sizes = new Map(arrived.map((part) => [part.number, part.size]));
  return Array.from({ length: Math.ceil(size / partSize) }, (_, at) => ({
    number: at + 1,
    start: at * partSize,
    end: Math.min(size, (at + 1) * partSize),
  })).filter(({ number, start, end }) => sizes.get(number) !== end - start);
}
