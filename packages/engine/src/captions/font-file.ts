import { readInProcess } from '../program/file-reader.ts';
import { isOfTheInput, ProcessError } from '../program/process-error.ts';
import { makeFontSubset } from './font-subset.ts';

/** A font that captions can be set in. */
export interface FontFile {
  /** The family name in the file, which styles use. */
  family: string;
  weight: 'regular' | 'bold';
  /** TrueType or OpenType, whatever was sent. */
  bytes: Uint8Array<ArrayBuffer>;
}

/** A file is not a font that can be used. The message says why, in one sentence. */
export class FontError extends Error {
  override name = 'FontError';
}

/** The largest file that is accepted, in bytes. */
export const maxFontBytes = 5 * 1024 * 1024;
/** The largest size of a WOFF2 file after decompression, in bytes. */
const maxUnpackedBytes = 16 * 1024 * 1024;
const maxTables = 64;

function refuse(message: string): never {
  throw new FontError(message);
}

async function unpackFont(bytes: Uint8Array): Promise<Uint8Array> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.byteLength < 48 || view.getUint32(8) !== bytes.byteLength) {
    return refuse('The WOFF2 file is not complete.');
  }
  if (view.getUint32(16) > maxUnpackedBytes) {
    return refuse('The font is larger than 16 MB when it is unpacked.');
  }
  const { decompress } = await import('wawoff2');
  return decompress(bytes).catch(() => refuse('The WOFF2 file cannot be unpacked.'));
}

type Tables = ReadonlyMap<string, DataView>;

/** The tables of a font, each of which lies in the file. */
function readTables(bytes: Uint8Array): Tables {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = bytes.byteLength >= 12 ? view.getUint16(4) : 0;
  if (count === 0 || count > maxTables || 12 + 16 * count > bytes.byteLength) {
    return refuse('The file has no table directory, so it is not a font.');
  }
  const tables = new Map<string, DataView>();
  for (let at = 12; at < 12 + 16 * count; at += 16) {
    const tag = String.fromCharCode(...bytes.subarray(at, at + 4));
    const [offset, length] = [view.getUint32(at + 8), view.getUint32(at + 12)];
    if (offset + length > bytes.byteLength) refuse(`The table ${tag} of the font is cut off.`);
    tables.set(tag, new DataView(bytes.buffer, bytes.byteOffset + offset, length));
  }
  const needed = ['cmap', 'head', 'hhea', 'hmtx', 'maxp', 'name', 'OS/2'];
  const missing = needed.filter((tag) => !tables.has(tag));
  if (missing.length > 0) refuse(`The font has no table ${missing.join(', ')}.`);
  if (!(tables.has('glyf') && tables.has('loca')) && !tables.has('CFF ') && !tables.has('CFF2')) {
    refuse('The font has no outlines.');
  }
  return tables;
}

const restricted = 0x2;
const milder = 0x4 | 0x8;
const notCutDown = 0x100;
const bitmapsOnly = 0x200;

/** Refuses a font whose licence bits do not allow embedding and subsetting. */
function checkLicence(os2: DataView): void {
  const bits = os2.getUint16(8);
  if ((bits & restricted && !(bits & milder)) || bits & bitmapsOnly) {
    refuse('The licence bits of the font (fsType) do not allow embedding it.');
  }
  if (bits & notCutDown) {
    refuse('The licence bits of the font (fsType) do not allow subsetting it.');
  }
}

/** Names that styles can use and libass looks for. */
const familyPattern = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,63}$/u;

function readFamily(name: DataView): string {
  const [count, strings] = [name.getUint16(2), name.getUint16(4)];
  const found: { rank: number; encoding: string; bytes: Uint8Array }[] = [];
  for (let at = 6; at < 6 + 12 * count; at += 12) {
    const [platform, , language, id, length, offset] = Array.from({ length: 6 }, (_, index) =>
      name.getUint16(at + 2 * index),
    ) as [number, number, number, number, number, number];
    if (id !== 1 || (platform !== 3 && platform !== 0 && platform !== 1)) continue;
    const bytes = new Uint8Array(name.buffer, name.byteOffset + strings + offset, length);
    const rank = platform === 3 && language === 0x409 ? 0 : platform === 3 ? 1 : 2 + platform;
    found.push({ rank, encoding: platform === 1 ? 'latin1' : 'utf-16be', bytes });
  }
  const [best] = found.toSorted((one, other) => one.rank - other.rank);
  if (!best) return refuse('The font has no family name.');
  // Only this one: thousands of names may share one long text.
  const text = new TextDecoder(best.encoding).decode(best.bytes).trim();
  if (!familyPattern.test(text)) {
    const shown = JSON.stringify(text.slice(0, 64));
    return refuse(
      `The family of the font is ${shown}: use one of 1 to 64 letters, digits, spaces, dots, - and _.`,
    );
  }
  return text;
}

/** The answer of `font-reader.ts`. The bytes are in base64. */
export type FontAnswer = { refused: string } | (Omit<FontFile, 'bytes'> & { bytes: string });

/** Letters that nearly every font has: cutting it down to them reads its outlines. */
const sample = 'Aag1 ';

/**
 * Checks that captions can be set in a font. Only for `font-reader.ts`: the code that it calls may
 * take long, or end its process.
 * @throws {@link FontError} which says why not
 */
export async function checkFont(sent: Uint8Array): Promise<FontFile> {
  const isPacked = String.fromCharCode(...sent.subarray(0, 4)) === 'wOF2';
  const bytes = Uint8Array.from(isPacked ? await unpackFont(sent) : sent);
  try {
    const tables = readTables(bytes);
    const os2 = tables.get('OS/2')!;
    checkLicence(os2);
    const isBold = (tables.get('head')!.getUint16(44) & 1) === 1 || os2.getUint16(4) >= 600;
    const family = readFamily(tables.get('name')!);
    await makeFontSubset(bytes, 0, sample);
    return { family, weight: isBold ? 'bold' : 'regular', bytes };
  } catch (error) {
    if (error instanceof FontError) throw error;
    throw new FontError('The font is broken: its tables cannot be read.', { cause: error });
  }
}

const script = new URL('./font-reader.ts', import.meta.url);

/**
 * Reads a font file, WOFF2, TrueType or OpenType, in a process of its own, and checks that it can
 * be drawn with.
 * @throws {@link FontError} which says why not, {@link ProcessError} if the machine is the cause,
 * or the signal's reason
 */
export async function readFontFile(sent: Uint8Array, signal: AbortSignal): Promise<FontFile> {
  if (sent.byteLength > maxFontBytes) refuse('The font is larger than 5 MB.');
  const kind = String.fromCharCode(...sent.subarray(0, 4));
  if (kind === 'ttcf') refuse('The file has several fonts: send one of them.');
  if (!['wOF2', '\0\x01\0\0', 'OTTO', 'true'].includes(kind)) {
    refuse('The file is not a font: send WOFF2, TTF or OTF.');
  }
  let answer: FontAnswer | undefined;
  try {
    const read = { script, args: ['check'], input: sent, signal };
    [answer] = (await readInProcess(read)) as FontAnswer[];
  } catch (cause) {
    if (!(cause instanceof ProcessError) || !isOfTheInput(cause)) throw cause;
    throw new FontError('The font is broken, or takes too much time or memory to read.', { cause });
  }
  if (!answer || 'refused' in answer) return refuse(answer?.refused ?? 'The font cannot be read.');
  return { ...answer, bytes: Uint8Array.from(Buffer.from(answer.bytes, 'base64')) };
}

/**
 * The fonts of files with only these letters, in a process of its own.
 * @throws {@link ProcessError}, or the signal's reason
 */
export async function makeFontSubsets(
  fonts: readonly { path: string; index: number }[],
  letters: Iterable<string>,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>[]> {
  const input = JSON.stringify({ fonts, letters: [...letters] });
  const answers = await readInProcess({ script, args: ['subset'], input, signal });
  return (answers as string[]).map((bytes) => Uint8Array.from(Buffer.from(bytes, 'base64')));
}
