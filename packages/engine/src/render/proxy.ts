import { mkdtemp, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Dimensions, Edit } from '../edit.ts';
import type { Span } from '../facts.ts';
import { placeFile, readProgressSeconds, run } from '../program/ffmpeg-process.ts';
import { quietStart } from '../program/input-guard.ts';
import {
  makeDeinterlaceFilter,
  makeEightBitFilter,
  openSource,
  makeToneMapFilter,
  withoutBars,
} from '../source/open-source.ts';
import { filterNumber } from './cut-graph.ts';
import { formatSound } from './sound-graph.ts';
import { planPictureStrip, type PictureStrip, renderStrip } from './source-pictures.ts';

/** The shorter side of a proxy in pixels, if the source is not smaller. */
const proxySidePixels = 540;
/** Clocks of files round times by less than this. */
const clockErrorSeconds = 0.002;

/** The size of a proxy in pixels: the shape of the source, never larger than it. */
export function computeProxySize({ width, height }: Dimensions): Dimensions {
  const scale = Math.min(1, proxySidePixels / Math.min(width, height));
  const even = (side: number) => Math.max(16, Math.round((side * scale) / 2) * 2);
  return { width: even(width), height: even(height) };
}

/**
 * Renders a source segment small, for browsers that draw its edits live: H.264 with a keyframe
 * each second, and AAC. Its pictures are those that a render begins with, whole, without black bars
 * and in standard colours, at the times of the source: second 0 is the start of the segment.
 * `output` is complete or does not exist.
 * @throws {@link ProcessError} if ffmpeg fails, or the signal's reason
 */
export async function renderProxy(
  facts: Edit['source'],
  segment: Span,
  {
    source,
    output,
    signal,
    onProgress,
  }: {
    source: string;
    output: string;
    signal: AbortSignal;
    /** Called with the progress, 0 to 1. */
    onProgress?: (share: number) => void;
  },
): Promise<void> {
  const opened = await openSource(source, { from: segment.start, picture: facts, signal });
  const seconds = segment.end - segment.start;
  const { width, height } = computeProxySize(facts);
  const begin = opened.clockSeconds.toFixed(6);
  const picture = [
    `[0:${facts.videoStream ?? 'v:0'}]${makeDeinterlaceFilter(facts)}setpts='PTS-${begin}/TB'`,
    `trim=start=-${clockErrorSeconds}:end=${filterNumber(seconds)},setpts='max(0,PTS)'`,
    `${withoutBars(facts.content)}${makeEightBitFilter(facts)}${makeToneMapFilter(facts)}scale=${width}:${height}:flags=bicubic:in_color_matrix=${facts.colourMatrix ?? 'bt709'}:out_color_matrix=bt709:out_range=tv`,
    'setsar=1,format=yuv420p[v]',
  ].join(',');
  const sound = `${formatSound(facts, opened)},atrim=end=${filterNumber(seconds)}[a]`;
  const work = await mkdtemp(join(dirname(output), '.proxy-'));
  try {
    const part = join(work, 'part.mp4');
    await run(
      'ffmpeg',
      // prettier-ignore
      [
        ...quietStart, '-v', 'error', '-progress', 'pipe:1', ...opened.input,
        '-filter_complex', facts.hasAudio ? `${picture};${sound}` : picture,
        '-map', '[v]', ...(facts.hasAudio ? ['-map', '[a]', '-c:a', 'aac', '-b:a', '96k'] : []),
        '-map_metadata', '-1', '-map_chapters', '-1',
        // Without B-frames a browser shows the first picture after a seek sooner.
        '-c:v', 'libx264', '-preset', 'veryfast', '-crf', '23', '-bf', '0',
        '-force_key_frames', 'expr:gte(t,n_forced)', '-fps_mode', 'vfr',
        '-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709',
        '-color_range', 'tv', '-movflags', '+faststart', '-f', 'mp4', '-y', part,
      ],
      {
        signal,
        deadlineSeconds: 300 + seconds * 20,
        onStdout: (chunk) => {
          const done = readProgressSeconds(chunk.toString('latin1'));
          if (done !== null) onProgress?.(Math.min(1, done / seconds));
        },
      },
    );
    await placeFile(part, output);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** The loudness of a video at even distances: the peak of each, 0 to 1. */
export interface SoundWave {
  stepSeconds: number;
  /** Empty for a video without sound. */
  peaks: number[];
}

/** Height of a small picture in pixels. */
const stripHeight = 90;

const sampleRate = 8000;
const minStepSeconds = 0.05;
const maxPeaks = 12_000;

/** Options of an ffmpeg output that a {@link PeakReader} reads. */
export const peakSamples = ['-ac', '1', '-ar', String(sampleRate), '-f', 'u8'] as const;

/** Measures the peaks of a sound from its samples, in chunks of any size. */
export class PeakReader {
  readonly #samples: number;
  #peak = 0;
  #count = 0;

  constructor(seconds: number) {
    this.#samples = Math.ceil(Math.max(minStepSeconds, seconds / maxPeaks) * sampleRate);
  }

  get stepSeconds(): number {
    return this.#samples / sampleRate;
  }

  /** Returns the peaks that a chunk completes, each 0 to 1. */
  read(chunk: Uint8Array): number[] {
    const peaks: number[] = [];
    for (const byte of chunk) {
      this.#peak = Math.max(this.#peak, Math.abs(byte - 128));
      if (++this.#count < this.#samples) continue;
      peaks.push(Math.round((this.#peak / 128) * 100) / 100);
      [this.#peak, this.#count] = [0, 0];
    }
    return peaks;
  }
}

async function measureSoundWave(
  video: string,
  seconds: number,
  signal: AbortSignal,
): Promise<SoundWave> {
  const reader = new PeakReader(seconds);
  const peaks: number[] = [];
  await run(
    'ffmpeg',
    [...quietStart, '-v', 'error', '-i', video, '-map', '0:a:0', ...peakSamples, 'pipe:1'],
    {
      signal,
      deadlineSeconds: 600,
      onStdout: (chunk) => void peaks.push(...reader.read(chunk)),
    },
  );
  return { stepSeconds: reader.stepSeconds, peaks };
}

/**
 * Renders what an editor shows of a source segment: a proxy as `video`, a filmstrip as
 * `strip` (JPEG), and its sound wave.
 * @throws {@link ProcessError} if ffmpeg fails, or the signal's reason
 */
export async function renderPreview(
  facts: Edit['source'],
  segment: Span,
  {
    source,
    video,
    strip,
    signal,
    onProgress = () => {},
  }: {
    source: string;
    video: string;
    strip: string;
    signal: AbortSignal;
    /** Called with the progress, 0 to 1. */
    onProgress?: (share: number) => void;
  },
): Promise<{ strip: PictureStrip; wave: SoundWave }> {
  const seconds = segment.end - segment.start;
  const proxyShare = 0.9;
  await renderProxy(facts, segment, {
    source,
    output: video,
    signal,
    onProgress: (share) => onProgress(share * proxyShare),
  });
  const made = planPictureStrip(computeProxySize(facts), seconds, stripHeight);
  await renderStrip(made, { video: video, output: strip, signal });
  const wave = facts.hasAudio
    ? await measureSoundWave(video, seconds, signal)
    : { stepSeconds: minStepSeconds, peaks: [] };
  return { strip: made, wave };
}
