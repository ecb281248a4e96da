import { readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { download, DownloadError } from './download.ts';
import { run } from '../program/ffmpeg-process.ts';
import { decodeGuard, quietStart } from '../program/input-guard.ts';
import { isPlatformLink } from './platform-link.ts';
import { isOfTheInput, ProcessError } from '../program/process-error.ts';
import { subtitleStream, type Probed } from './probe.ts';
import { parseSubtitles, TooManyWords } from '../words/subtitles.ts';

const maxSubtitleBytes = 16 * 1024 * 1024;

/** Addresses where subtitles may be: the video's path with .vtt or .srt as its extension. */
export function subtitleUrls(url: string): string[] {
  const beside = new URL(url);
  const match = /^(.*\/[^/]+?)\.[A-Za-z0-9]{2,5}$/.exec(beside.pathname);
  if (!match?.[1]) return [];
  const stem = match[1];
  return ['.vtt', '.srt'].map((extension) => {
    beside.pathname = stem + extension;
    return beside.href;
  });
}

/**
 * Whether a subtitle file has words. Too many words also count: the transcriber refuses them later,
 * with a reason.
 */
export async function hasWords(path: string): Promise<boolean> {
  try {
    return (await parseSubtitles(await readFile(path, 'utf8'))).length > 0;
  } catch (error) {
    if (error instanceof TooManyWords) return true;
    throw error;
  }
}

/**
 * Writes the subtitles inside a source to `directory`.
 * @returns the file's path, or null if there are none to use
 */
export async function subtitlesInside(
  source: string,
  probed: Probed,
  { directory, signal }: { directory: string; signal: AbortSignal },
): Promise<string | null> {
  const stream = subtitleStream(probed);
  if (!stream) return null;
  const path = join(directory, 'transcript.vtt');
  const map = `0:s:${stream.position}`;
  try {
    await run(
      'ffmpeg',
      [...quietStart, ...decodeGuard, '-i', source, '-map', map, '-f', 'webvtt', '-y', path],
      // The same size limit as for a subtitle file beside the source.
      { signal, deadlineSeconds: 600, limits: { fileBytes: maxSubtitleBytes } },
    );
    if (await hasWords(path)) return path;
  } catch (error) {
    if (!(error instanceof ProcessError) || !isOfTheInput(error)) throw error;
  }
  await rm(path, { force: true });
  return null;
}

/**
 * Looks for a transcript beside the source, then inside it. If the server has none, or answers with
 * a page, the source has no transcript: that is not an error.
 * @returns the file's path, or null
 */
export async function findTranscript(
  url: string,
  source: string,
  probed: Probed,
  options: { allowPrivate: boolean; signal: AbortSignal },
): Promise<string | null> {
  const directory = dirname(source);
  for (const beside of isPlatformLink(url) ? [] : subtitleUrls(url)) {
    const path = join(directory, beside.includes('.vtt') ? 'transcript.vtt' : 'transcript.srt');
    try {
      await download(beside, {
        path,
        allowPrivate: options.allowPrivate,
        maxBytes: maxSubtitleBytes,
        signal: options.signal,
        idleTimeoutMs: 10_000,
      });
      if (await hasWords(path)) return path;
      await rm(path, { force: true });
    } catch (error) {
      if (!(error instanceof DownloadError)) throw error;
    }
  }
  return subtitlesInside(source, probed, { directory, signal: options.signal });
}
