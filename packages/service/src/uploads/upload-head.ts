/** The first bytes of a file must come in one piece: they show what it is. */
export class HeadTooShort extends Error {
  override name = 'HeadTooShort';

  constructor(needed: number) {
    super(`The first request must send ${needed} bytes of the file or more: they show what it is.`);
  }
}

/**
 * The pieces of a file from its start on. Nothing is given before its first `needed` bytes were
 * checked. Throws what the check throws, or {@link HeadTooShort}.
 */
export async function* afterCheck(
  pieces: AsyncIterable<Uint8Array>,
  needed: number,
  check: (head: Uint8Array) => void,
): AsyncGenerator<Uint8Array> {
  const waiting: Uint8Array[] = [];
  let length = 0;
  for await (const piece of pieces) {
    if (length >= needed) {
      yield piece;
      continue;
    }
    waiting.push(piece);
    length += piece.length;
    if (length < needed) continue;
    const head = Buffer.concat(waiting);
    check(head);
    yield head;
  }
  if (length > 0 && length < needed) throw new HeadTooShort(needed);
}
