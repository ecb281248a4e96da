import { access } from 'node:fs/promises';
import type { SourceFile } from '../facts.ts';
import { checkHead, checkMedia } from './check-file.ts';
import { hasWords, subtitlesInside } from './subtitle-source.ts';

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/**
 * Checks a local video file, and looks for subtitles: first beside it (same name, .vtt or .srt),
 * then inside it. Subtitles from inside are written to `directory`.
 * Throws {@link SourceError}, the file system's error if the file cannot be read, or the signal's
 * reason.
 */
export async function openLocal(
  path: string,
  options: { directory: string; maxSeconds: number; signal: AbortSignal },
): Promise<SourceFile> {
  await checkHead(path);
  const { probed, media } = await checkMedia(path, options);
  const stem = path.replace(/\.[^./\\]+$/, '');
  for (const beside of [`${stem}.vtt`, `${stem}.srt`]) {
    if ((await exists(beside)) && (await hasWords(beside))) {
      return { path, transcriptPath: beside, media };
    }
  }
  return { path, transcriptPath: await subtitlesInside(path, probed, options), media };
}
