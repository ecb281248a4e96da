import { run } from '../../program/ffmpeg-process.ts';
import { decodeGuard, quietStart } from '../../program/input-guard.ts';
import type { Span } from '../../facts.ts';

/**
 * Writes a part of a source's sound as mono at 16 kHz. The extension of `output` decides the
 * format: `.flac` or `.wav`.
 * @param audioStream index of the sound track; if omitted, the first one
 */
export async function writeSound(
  source: string,
  { start, end }: Span,
  output: string,
  signal: AbortSignal,
  audioStream?: number,
): Promise<void> {
  await run(
    'ffmpeg',
    // prettier-ignore
    [
      ...quietStart, ...decodeGuard, '-vn', '-sn', '-dn',
      '-ss', start.toFixed(3), '-t', (end - start).toFixed(3), '-i', source,
      '-map', `0:${audioStream ?? 'a:0'}`, '-ac', '1', '-ar', '16000', '-sample_fmt', 's16',
      '-map_metadata', '-1', '-y', output,
    ],
    { signal, deadlineSeconds: 60 + (end - start) },
  );
}
