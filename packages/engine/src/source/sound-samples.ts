import type { SoundFacts } from '../facts.ts';
import { run, type RunOptions } from '../program/ffmpeg-process.ts';
import { quietStart } from '../program/input-guard.ts';
import { type OpenedSource, makeSoundFilters } from './open-source.ts';
import { measuredRate } from './sound-levels.ts';

/** Options of an output of raw samples: mono, 16 bits, little-endian. */
export const rawSamples: readonly string[] = [
  ...['-ac', '1'],
  ...['-c:a', 'pcm_s16le', '-f', 's16le', 'pipe:1'],
];

/**
 * Streams the sound of a source from where it was opened: mono, at {@link measuredRate}, as raw
 * samples in chunks of any size.
 * @throws {@link ProcessError} if it cannot be decoded, or the signal's reason
 */
export async function streamSamples(
  opened: OpenedSource,
  {
    source,
    seconds,
    ...how
  }: {
    source: Omit<SoundFacts, 'hasAudio'>;
    seconds: number;
    signal: AbortSignal;
    niceness?: number;
    onStdout: NonNullable<RunOptions['onStdout']>;
  },
): Promise<void> {
  const graph = `${makeSoundFilters(source, opened, measuredRate)},atrim=end=${seconds.toFixed(6)}[a]`;
  await run(
    'ffmpeg',
    // prettier-ignore
    [
      ...quietStart, '-vn', '-sn', '-dn', ...opened.input,
      '-filter_complex', graph, '-map', '[a]', ...rawSamples,
    ],
    { ...how, deadlineSeconds: 600 + seconds },
  );
}

/**
 * Reads the sound of a source from where it was opened: mono, at {@link measuredRate}, with silence
 * after its end.
 * @throws {@link ProcessError} if it cannot be decoded, or the signal's reason
 */
export async function readSamples(
  opened: OpenedSource,
  options: Omit<Parameters<typeof streamSamples>[1], 'onStdout'>,
): Promise<Int16Array> {
  const chunks: Buffer[] = [];
  await streamSamples(opened, { ...options, onStdout: (chunk) => void chunks.push(chunk) });
  const bytes = Buffer.concat(chunks);
  const samples = new Int16Array(Math.round(options.seconds * measuredRate));
  const read = Math.min(samples.length, bytes.length >> 1);
  for (let at = 0; at < read; at++) samples[at] = bytes.readInt16LE(2 * at);
  return samples;
}
