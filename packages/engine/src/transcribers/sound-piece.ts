import { run } from '../program/ffmpeg-process.ts';
import { quietStart } from '../program/input-guard.ts';
import { openSource, soundFrom } from '../source/open-source.ts';
import type { Span } from '../facts.ts';

const sampleRate = 16_000;

/**
 * Writes a part of a source's sound as mono at 16 kHz, with silence where it has none. The
 * extension of `output` decides the format: `.flac` or `.wav`.
 * @param audioStream index of the sound track; if omitted, the first one
 */
export async function writeSound(
  source: string,
  { start, end }: Span,
  output: string,
  signal: AbortSignal,
  audioStream?: number,
): Promise<void> {
  const seconds = end - start;
  const opened = await openSource(source, { from: start, picture: null, signal });
  const filters = `${soundFrom(opened, sampleRate)},apad=whole_dur=${seconds.toFixed(3)},atrim=end=${seconds.toFixed(3)}`;
  await run(
    'ffmpeg',
    // prettier-ignore
    [
      ...quietStart, '-vn', '-sn', '-dn', ...opened.input,
      '-map', `0:${audioStream ?? 'a:0'}`, '-af', filters, '-ac', '1', '-sample_fmt', 's16',
      '-map_metadata', '-1', '-y', output,
    ],
    { signal, deadlineSeconds: 60 + seconds },
  );
}
