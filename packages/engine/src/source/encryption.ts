import type { FileHandle } from 'node:fs/promises';
import { type Mp4Box, listBoxes, readBoxes, readAt } from './mp4-boxes.ts';

/** Boxes of MP4 on the way to the codecs of its tracks. */
const toCodecs = ['moov', 'trak', 'mdia', 'minf', 'stbl', 'stsd'] as const;

/** Names in the place of the codec's: Common Encryption, and that of an older shop. */
const encrypted: ReadonlySet<string> = new Set(['encv', 'enca', 'drmi', 'drms']);

/** No more of an index is read. */
const maxIndexBytes = 64 * 1024 * 1024;

/** The names of codecs in an index, from the content of a box on. */
function* listCodecs(index: Buffer, { type, from, to }: Mp4Box): Generator<string> {
  const inner = toCodecs[toCodecs.indexOf(type as (typeof toCodecs)[number]) + 1];
  // The list of codecs begins with a version and a count.
  for (const box of listBoxes(index, inner ? from : from + 8, Math.min(to, index.length))) {
    if (!inner) yield box.type;
    else if (box.type === inner) yield* listCodecs(index, box);
  }
}

/** Whether the index of an MP4 file names encrypted tracks. */
async function hasEncryptedTracks(file: FileHandle, bytes: number): Promise<boolean> {
  for await (const { type, from, to } of readBoxes(file, bytes)) {
    if (type !== 'moov') continue;
    const index = await readAt(file, from, Math.min(to - from, maxIndexBytes));
    const codecs = [...listCodecs(index, { type, from: 0, to: index.length })];
    return codecs.some((codec) => encrypted.has(codec));
  }
  return false;
}

const sampledBytes = 1024 * 1024;
const packetBytes = 188;
/** Tables and stuffing are never scrambled, and a receiver may need some seconds to begin. */
const minScrambledShare = 0.8;

/** Whether most packets of a transport stream are scrambled, in three places of the file. */
async function isScrambled(file: FileHandle, bytes: number): Promise<boolean> {
  let [scrambled, packets] = [0, 0];
  for (const share of [0, 0.5, 0.9]) {
    const part = await readAt(file, Math.floor(share * bytes), sampledBytes);
    let at = 0;
    while (at + packetBytes < part.length) {
      if (part[at] !== 0x47) {
        at += 1;
        continue;
      }
      packets += 1;
      if ((part[at + 3]! & 0xc0) !== 0) scrambled += 1;
      at += packetBytes;
    }
  }
  return packets > 0 && scrambled / packets > minScrambledShare;
}

/**
 * Whether the sound or the pictures of a file can only be read with a key.
 * @param container as its first bytes say
 */
export async function isEncrypted(file: FileHandle, container: string): Promise<boolean> {
  const { size } = await file.stat();
  if (container === 'mp4') return hasEncryptedTracks(file, size);
  return container === 'mpegts' && isScrambled(file, size);
}
