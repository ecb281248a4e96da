import { copyFile, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Dimensions } from '../edit.ts';
import { run } from '../program/ffmpeg-process.ts';
import { quietStart } from '../program/input-guard.ts';
import { isOfTheInput, ProcessError } from '../program/process-error.ts';
import { download, DownloadError } from '../source/download.ts';
import { SourceError, makeTooMuchWorkError } from '../source/source-error.ts';

export interface FetchWatermarkOptions {
  /** Existing directory for the image. */
  directory: string;
  /** Allows addresses in loopback and private ranges. */
  allowPrivate: boolean;
  signal: AbortSignal;
}

const maxBytes = 10 * 1024 * 1024;
const maxPixels = 16_000_000;
/** A person waits for the answer. */
const deadlineMs = 2 * 60_000;

/** Ten times what such an image needs. */
const limits = { memoryBytes: 1024 ** 3, fileBytes: 256 * 1024 ** 2 };

/** The demuxer and the decoder of each format, so that ffmpeg does not guess from the bytes. */
const readers = {
  png: ['png_pipe', 'png'],
  jpeg: ['jpeg_pipe', 'mjpeg'],
  webp: ['webp_pipe', 'webp'],
  gif: ['gif', 'gif'],
} as const;

const makeImageError = (why: string) =>
  new SourceError(
    'watermark-not-image',
    `${why} Use a PNG, JPEG, WebP (not animated) or GIF image.`,
  );

/**
 * Downloads a watermark with the same address checks as a source, checks its format (PNG, JPEG,
 * WebP, the first frame of a GIF; not SVG) and its limits (10 MB, 16 million pixels), and stores it
 * as `watermark.png`.
 * @returns path of the stored file
 * @throws {@link SourceError} if the image cannot be used, or the signal's reason; its files are
 * removed then
 */
export const fetchWatermark = (url: string, options: FetchWatermarkOptions): Promise<string> =>
  checkImage(options, (path) => {
    const { allowPrivate, signal } = options;
    return download(url, { path, allowPrivate, maxBytes, deadlineMs, signal });
  });

/**
 * The same as `fetchWatermark` for a local file. Also throws the file system's error if it cannot
 * be read.
 */
export const readWatermark = (
  file: string,
  options: Pick<FetchWatermarkOptions, 'directory' | 'signal'>,
): Promise<string> =>
  checkImage(options, async (path) => {
    if ((await stat(file)).size > maxBytes) {
      throw new SourceError(
        'watermark-too-large',
        `The watermark is larger than ${maxBytes / 1024 ** 2} MB. Use a smaller image.`,
      );
    }
    await copyFile(file, path);
  });

/** Checks and stores the image that `bring` writes. */
async function checkImage(
  { directory, signal }: Pick<FetchWatermarkOptions, 'directory' | 'signal'>,
  bring: (path: string) => Promise<unknown>,
): Promise<string> {
  const part = join(directory, 'watermark.part');
  const made = join(directory, 'watermark.part.png');
  const path = join(directory, 'watermark.png');
  try {
    await bring(part);
    const bytes = await readFile(part);
    const head = bytes.subarray(0, 32);
    const kind = readImageKind(head);
    if (!kind && isLikeSvg(head)) {
      throw makeImageError(
        'The watermark is an SVG or another XML file. These are not allowed, because they can load other files.',
      );
    }
    if (!kind) throw makeImageError('The watermark is not an image in a supported format.');
    if (kind === 'png') await writeFile(part, stripPng(bytes));
    const [demuxer, decoder] = readers[kind];
    const input = [
      '-threads',
      '1',
      '-protocol_whitelist',
      'file,pipe',
      '-max_pixels',
      String(maxPixels),
    ];
    await run(
      'ffmpeg',
      // prettier-ignore
      [
        ...quietStart, '-v', 'error', ...input, '-f', demuxer, '-c:v', decoder, '-i', part,
        '-frames:v', '1', '-pix_fmt', 'rgba', '-c:v', 'png', '-f', 'image2', '-update', '1',
        '-y', made,
      ],
      { signal, deadlineSeconds: 15, limits },
    );
    await rename(made, path);
    return path;
  } catch (error) {
    signal.throwIfAborted();
    throw explainFailure(error);
  } finally {
    await rm(part, { force: true });
    await rm(made, { force: true });
  }
}

/** Returns the error to throw for a failed download or conversion; any other error as it is. */
function explainFailure(error: unknown): unknown {
  if (error instanceof DownloadError) {
    const fault = error.fault === 'truncated' ? 'unreachable' : error.fault;
    return new SourceError(`watermark-${fault}`, error.message, { cause: error });
  }
  if (!(error instanceof ProcessError && isOfTheInput(error))) return error;
  if (error.end !== 'failed' && error.end !== 'crashed')
    return makeTooMuchWorkError('watermark', error);
  if (/exceeds|max_pixels|picture size/i.test(error.stderrTail)) {
    return new SourceError(
      'watermark-too-large',
      'The watermark has more than 16 million pixels. Use a smaller image.',
    );
  }
  return makeImageError('The watermark cannot be read: it is damaged or animated.');
}

/** Supported image formats. */
type ImageKind = 'png' | 'jpeg' | 'webp' | 'gif';

/**
 * The format of an image from its first 16 bytes or more; null for any other file, including SVG.
 */
export function readImageKind(head: Uint8Array): ImageKind | null {
  const starts = (...bytes: number[]) => bytes.every((byte, index) => head[index] === byte);
  const ascii = (from: number, to: number) => String.fromCharCode(...head.subarray(from, to));
  if (starts(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return 'png';
  if (starts(0xff, 0xd8, 0xff)) return 'jpeg';
  if (ascii(0, 4) === 'RIFF' && ascii(8, 12) === 'WEBP') return 'webp';
  if (ascii(0, 4) === 'GIF8') return 'gif';
  return null;
}

/** Whether the first bytes of an unsupported file look like SVG. */
const isLikeSvg = (head: Uint8Array): boolean =>
  /^(?:\ufeff)?\s*<(?:\?xml|svg|!DOCTYPE svg|!--)/i.test(new TextDecoder().decode(head));

/** Width and height from a PNG's header (its first 24 bytes); null if it has none. */
export function readPngSize(head: Uint8Array): Dimensions | null {
  if (readImageKind(head) !== 'png' || head.length < 24) return null;
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  return { width: view.getUint32(16), height: view.getUint32(20) };
}

const pictureChunks = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND']);

/**
 * A PNG with only its picture: without texts, colour profiles and animation, where a few kilobytes
 * can expand to gigabytes. The picture itself is not checked.
 */
export function stripPng(bytes: Buffer): Buffer {
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
