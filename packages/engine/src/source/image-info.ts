import type { Dimensions } from '../edit.ts';

/** Supported image formats. */
export type ImageKind = 'png' | 'jpeg' | 'webp' | 'gif';

/**
 * The format of an image from its first 16 bytes or more; null for any other file, including SVG.
 */
export function imageKind(head: Uint8Array): ImageKind | null {
  const starts = (...bytes: number[]) => bytes.every((byte, index) => head[index] === byte);
  const ascii = (from: number, to: number) => String.fromCharCode(...head.subarray(from, to));
  if (starts(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return 'png';
  if (starts(0xff, 0xd8, 0xff)) return 'jpeg';
  if (ascii(0, 4) === 'RIFF' && ascii(8, 12) === 'WEBP') return 'webp';
  if (ascii(0, 4) === 'GIF8') return 'gif';
  return null;
}

/** Whether the first bytes of an unsupported file look like SVG. */
export const looksLikeSvg = (head: Uint8Array): boolean =>
  /^(?:\ufeff)?\s*<(?:\?xml|svg|!DOCTYPE svg|!--)/i.test(new TextDecoder().decode(head));

/** Width and height from a PNG's header (its first 24 bytes); null if it has none. */
export function pngSize(head: Uint8Array): Dimensions | null {
  if (imageKind(head) !== 'png' || head.length < 24) return null;
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  return { width: view.getUint32(16), height: view.getUint32(20) };
}

const pictureChunks = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND']);

/**
 * A PNG with only its picture: without texts, colour profiles and animation, where a few kilobytes
 * can expand to gigabytes. The picture itself is not checked.
 */
export function plainPng(bytes: Buffer): Buffer {
  const parts = [bytes.subarray(0, 8)];
  for (let at = 8; at + 12 <= bytes.length;) {
    const end = at + 12 + bytes.readUInt32BE(at);
    if (pictureChunks.has(bytes.toString('latin1', at + 4, at + 8))) {
      parts.push(bytes.subarray(at, end));
    }
    at = end;
  }
  return Buffer.concat(parts);
}
