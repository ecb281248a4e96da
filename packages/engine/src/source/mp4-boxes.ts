import { type FileHandle, open } from 'node:fs/promises';

/** A box of MP4 or QuickTime. */
export interface Mp4Box {
  type: string;
  /** Where its content begins and ends. */
  from: number;
  to: number;
}

/** Reads the header of a box; null if it is none. */
function readBox(header: Buffer, at: number, end: number): Mp4Box | null {
  if (header.length < 8) return null;
  const short = header.readUInt32BE(0);
  if (short === 1 && header.length < 16) return null;
  const size = short === 1 ? Number(header.readBigUInt64BE(8)) : short || end - at;
  const from = at + (short === 1 ? 16 : 8);
  return at + size < from ? null : { type: header.toString('latin1', 4, 8), from, to: at + size };
}

/** The boxes in a part of the index. */
export function* listBoxes(index: Buffer, from: number, to: number): Generator<Mp4Box> {
  for (let at = from; at < to;) {
    const box = readBox(index.subarray(at, at + 16), at, to);
    if (!box) return;
    yield box;
    at = box.to;
  }
}

/** Reads a part of a file: less at its end. */
export async function readAt(file: FileHandle, at: number, bytes: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(bytes), position: at });
  return buffer.subarray(0, bytesRead);
}

/** The maximum number of boxes that are read of a file: ten hours of fragments, two a second. */
const maxBoxes = 200_000;

/** The outer boxes of a file. The last one may end after it. */
export async function* readBoxes(file: FileHandle, bytes: number): AsyncGenerator<Mp4Box> {
  let at = 0;
  for (let boxes = 0; boxes < maxBoxes && at < bytes; boxes++) {
    const box = readBox(await readAt(file, at, 16), at, bytes);
    if (!box) return;
    yield box;
    at = box.to;
  }
}

/** Whether the last fragment of a recording is not whole. False for a file without fragments. */
export async function isCutOff(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    let [hasFragments, isWhole] = [false, true];
    for await (const { type, to } of readBoxes(file, size)) {
      hasFragments ||= type === 'moof';
      // The data of a fragment follows its index.
      isWhole = type !== 'moof' && to <= size;
    }
    return hasFragments && !isWhole;
  } finally {
    await file.close();
  }
}
