import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { IngestedSource, SourceFile } from '../facts.ts';
import { download, type Downloaded, DownloadError } from './download.ts';
import { fetchFromPlatform, isPlatformLink } from './platform-link.ts';
import { checkSource } from './sound-alone.ts';
import { SourceError } from './source-error.ts';
import {
  fetchSubtitles,
  findTranscript,
  hasSubtitleWords,
  findSubtitlesBeside,
  extractSubtitles,
} from './subtitle-source.ts';

/** Options for a source, wherever its file comes from. */
export interface IngestFileOptions {
  /** Existing directory for the files. */
  directory: string;
  /** Allows addresses in loopback and private ranges. */
  allowPrivate: boolean;
  /** Maximum length of the video, in seconds. */
  maxSeconds: number;
  /** The language of the speech (BCP 47), if it is known: subtitles in it are preferred. */
  language?: string | null | undefined;
  /**
   * The subtitles of the video: an address, or `null` if the caller has them and none are wanted.
   * If omitted, they are looked for.
   */
  subtitles?: string | null;
  signal: AbortSignal;
}

export interface IngestOptions extends IngestFileOptions {
  /**
   * Maximum size of the download, in bytes.
   * @default 20 GiB
   */
  maxBytes?: number;
  /**
   * Milliseconds after which the download fails.
   * @default 7_200_000
   */
  downloadMs?: number;
  /** Called with the progress, 0 to 1. */
  onProgress?: (share: number) => void;
}

const defaultMaxBytes = 20 * 1024 ** 3;

const asSourceError = (error: unknown): unknown =>
  error instanceof DownloadError
    ? new SourceError(`source-${error.fault}`, error.message, { cause: error })
    : error;

/**
 * Downloads a video, checks it, and looks for subtitles: first beside it (the same URL path with
 * .vtt or .srt), then inside it. Only writes to `directory`, and removes its files if it fails.
 * @throws {@link SourceError} if the video cannot be used, {@link ProcessError} if the machine is
 * the cause, or the signal's reason
 */
export async function downloadSource(url: string, options: IngestOptions): Promise<IngestedSource> {
  const { directory, signal } = options;
  return removeOnFailure(options, async () => {
    const part = join(directory, 'source.part');
    let fetched: Downloaded;
    if (isPlatformLink(url)) {
      fetched = await fetchFromPlatform(url, { ...options, path: part });
    } else {
      fetched = await download(url, {
        path: part,
        allowPrivate: options.allowPrivate,
        maxBytes: options.maxBytes ?? defaultMaxBytes,
        ...(options.downloadMs !== undefined && { deadlineMs: options.downloadMs }),
        signal,
        onProgress: (share) => options.onProgress?.(share * 0.9),
      });
    }
    const { probed, media, path: checked } = await checkSource(part, options);
    options.onProgress?.(0.95);
    const transcriptPath = await readTranscript(options, () =>
      findTranscript(fetched.url, part, probed, options),
    );
    const path = join(directory, 'source');
    await rename(checked, path);
    if (checked !== part) await rm(part);
    options.onProgress?.(1);
    const { size } = await stat(path);
    return { path, transcriptPath, media, sha256: fetched.sha256, bytes: size };
  });
}

/**
 * Checks a video file that is here already, and looks for subtitles inside it. Only writes to
 * `directory`, and removes its files if it fails.
 * @throws as {@link downloadSource}
 */
export const readSourceFile = (
  given: string,
  options: IngestFileOptions,
): Promise<IngestedSource> =>
  removeOnFailure(options, async () => {
    const { signal } = options;
    const { path, probed, media } = await checkSource(given, options);
    const transcriptPath = await readTranscript(options, () =>
      extractSubtitles(given, probed, options),
    );
    const hash = createHash('sha256');
    await pipeline(createReadStream(given, { highWaterMark: 1024 ** 2 }), hash, { signal });
    const { size } = await stat(path);
    return { path, transcriptPath, media, sha256: hash.digest('hex'), bytes: size };
  });

/** The subtitles that were given, or else those that are found. */
const readTranscript = async (
  options: IngestFileOptions,
  find: () => Promise<string | null>,
): Promise<string | null> =>
  typeof options.subtitles === 'string'
    ? fetchSubtitles(options.subtitles, options)
    : options.subtitles === null
      ? null
      : find();

/** Removes the files of the work from the directory if it fails. */
async function removeOnFailure<T>(
  { directory, signal }: Pick<IngestFileOptions, 'directory' | 'signal'>,
  work: () => Promise<T>,
): Promise<T> {
  const before = new Set(await readdir(directory));
  try {
    return await work();
  } catch (error) {
    const after = await readdir(directory).catch(() => []);
    for (const name of after) {
      if (!before.has(name)) await rm(join(directory, name), { recursive: true, force: true });
    }
    signal.throwIfAborted();
    throw asSourceError(error);
  }
}

/**
 * Checks a local video file, and looks for subtitles: first beside it (same name, as .vtt, .srt,
 * .ass, .ssa, .sbv or .ttml, also with a language: `talk.de.srt`), then inside it. A file that has
 * no words stays the transcript if there is no other. Subtitles from inside are written to
 * `directory`.
 * Throws {@link SourceError}, the file system's error if the file cannot be read, or the signal's
 * reason.
 */
export async function openLocal(
  given: string,
  options: {
    directory: string;
    maxSeconds: number;
    language?: string | null | undefined;
    signal: AbortSignal;
  },
): Promise<SourceFile> {
  const { path, probed, media } = await checkSource(given, options);
  const besides = await findSubtitlesBeside(given, options.language);
  for (const beside of besides) {
    if (await hasSubtitleWords(beside, options.signal))
      return { path, transcriptPath: beside, media };
  }
  const inside = await extractSubtitles(given, probed, options);
  // The reader of subtitles says why a file cannot be used.
  return { path, transcriptPath: inside ?? besides[0] ?? null, media };
}
