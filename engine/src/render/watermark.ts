import { copyFile, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { download, DownloadError } from '../source/download.ts';
import { run } from '../program/ffmpeg-process.ts';
import { imageKind, looksLikeSvg, plainPng } from '../source/image-info.ts';
import { quietStart } from '../program/input-guard.ts';
import { isOfTheInput, ProcessError } from '../program/process-error.ts';
import { SourceError, tooMuchWork } from '../source/source-error.ts';

export interface FetchWatermarkOptions {
  directory: string;
  allowPrivate: boolean;
  signal: AbortSignal;
}

const maxBytes = 10 * 1024 * 1024;
const maxPixels = 16_000_000;

/** Ten times what such a picture takes. */
const limits = { memoryBytes: 1024 ** 3, fileBytes: 256 * 1024 ** 2 };

/** The demuxer that reads each kind from a pipe, and its decoder: nothing is guessed from the bytes. */
const readers = {
  png: ['png_pipe', 'png'],
  jpeg: ['jpeg_pipe', 'mjpeg'],
  webp: ['webp_pipe', 'webp'],
  gif: ['gif', 'gif'],
} as const;

const notImage = (why: string) =>
  new SourceError(
    'watermark-not-image',
    `${why} Give the address of a PNG, JPEG, WebP (not animated) or GIF image.`,
  );

/**
 * Fetches the image under the same guard as sources, checks its kind (PNG, JPEG, WebP, the first frame of a GIF; SVG is
 * refused) and its limits (10 MB, 16 million pixels), and stores it as `watermark.png`.
 * Throws {@link SourceError}; nothing is left in the directory then. @returns the path of the stored file
 */
export const fetchWatermark = (url: string, options: FetchWatermarkOptions): Promise<string> =>
  checked(options, (path) => {
    const { allowPrivate, signal } = options;
    return download(url, { path, allowPrivate, maxBytes, signal });
  });

/** As `fetchWatermark`, for an image file of this machine. Throws the file system's error if it cannot be read, too. */
export const readWatermark = (
  file: string,
  options: Pick<FetchWatermarkOptions, 'directory' | 'signal'>,
): Promise<string> =>
  checked(options, async (path) => {
    if ((await stat(file)).size > maxBytes) {
      throw new SourceError(
        'watermark-too-large',
        `The watermark is larger than ${maxBytes / 1024 ** 2} MB. Give a smaller image.`,
      );
    }
    await copyFile(file, path);
  });

/** Checks and stores the image that `bring` writes to a path. */
async function checked(
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
    const kind = imageKind(head);
    if (!kind && looksLikeSvg(head)) {
      throw notImage(
        'The watermark is an SVG (or another XML file), which can name files and addresses.',
      );
    }
    if (!kind) throw notImage('The watermark is no image of a kind that is taken.');
    if (kind === 'png') await writeFile(part, plainPng(bytes));
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
      [
        ...[...quietStart, '-v', 'error', ...input, '-f', demuxer, '-c:v', decoder, '-i', part],
        ...['-frames:v', '1', '-pix_fmt', 'rgba', '-c:v', 'png', '-f', 'image2', '-update', '1'],
        ...['-y', made],
      ],
      { signal, deadlineSeconds: 15, limits },
    );
    await rename(made, path);
    return path;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof DownloadError) {
      if (error.fault === 'truncated') {
        throw new SourceError('watermark-unreachable', error.message, { cause: error });
      }
      throw new SourceError(`watermark-${error.fault}`, error.message, { cause: error });
    }
    if (error instanceof ProcessError && isOfTheInput(error)) {
      if (error.end !== 'failed' && error.end !== 'crashed') throw tooMuchWork('watermark', error);
      if (/exceeds|max_pixels|picture size/i.test(error.stderrTail)) {
        throw new SourceError(
          'watermark-too-large',
          'The watermark has more than 16 million pixels. Give a smaller image.',
        );
      }
      throw notImage('The watermark cannot be read: it is damaged or animated.');
    }
    throw error;
  } finally {
    await rm(part, { force: true });
    await rm(made, { force: true });
  }
}
