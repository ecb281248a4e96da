import type { SourceFile } from '../facts.ts';
import { checkHead, checkMedia } from './check-file.ts';
import { hasWords, subtitlesBeside, subtitlesInside } from './subtitle-source.ts';

/**
 * Checks a local video file, and looks for subtitles: first beside it (same name, .vtt or .srt,
 * also with a language: `talk.de.srt`), then inside it. Subtitles from inside are written to
 * `directory`.
 * Throws {@link SourceError}, the file system's error if the file cannot be read, or the signal's
 * reason.
 */
export async function openLocal(
  path: string,
  options: {
    directory: string;
    maxSeconds: number;
    language?: string | null | undefined;
    signal: AbortSignal;
  },
): Promise<SourceFile> {
  await checkHead(path);
  const { probed, media } = await checkMedia(path, options);
  for (const beside of await subtitlesBeside(path, options.language)) {
    if (await hasWords(beside)) return { path, transcriptPath: beside, media };
  }
  return { path, transcriptPath: await subtitlesInside(path, probed, options), media };
}
