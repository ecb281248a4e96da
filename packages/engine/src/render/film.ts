import type { Edit } from '../edit.ts';
import type { Span } from '../facts.ts';
import { run } from '../program/ffmpeg-process.ts';
import { quietStart } from '../program/input-guard.ts';
import { pictureStrip, renderStrip, type PictureStrip } from './picture-strip.ts';
import { proxySize, renderProxy } from './proxy.ts';

/** How loud a film is at even distances: the peak of each, 0 to 1. */
export interface SoundWave {
  stepSeconds: number;
  /** Empty for a film without sound. */
  peaks: number[];
}

/** Height of a small picture in pixels. */
const stripHeight = 90;

const waveRate = 8000;
const leastWaveStep = 0.05;
const maxPeaks = 12_000;

async function soundWave(film: string, seconds: number, signal: AbortSignal): Promise<SoundWave> {
  const samples = Math.ceil(Math.max(leastWaveStep, seconds / maxPeaks) * waveRate);
  const peaks: number[] = [];
  let [peak, read] = [0, 0];
  await run(
    'ffmpeg',
    // prettier-ignore
    [
      ...quietStart, '-v', 'error', '-i', film, '-map', '0:a:0', '-ac', '1', '-ar', String(waveRate),
      '-f', 'u8', 'pipe:1',
    ],
    {
      signal,
      deadlineSeconds: 600,
      onStdout: (piece) => {
        for (const byte of piece) {
          peak = Math.max(peak, Math.abs(byte - 128));
          if (++read < samples) continue;
          peaks.push(Math.round((peak / 128) * 100) / 100);
          [peak, read] = [0, 0];
        }
      },
    },
  );
  return { stepSeconds: samples / waveRate, peaks };
}

/**
 * Makes what an editor shows of a stretch of the source: a proxy as `video`, a film strip as
 * `strip` (JPEG), and its sound wave.
 * @throws {@link ProcessError} if ffmpeg fails, or the signal's reason
 */
export async function renderFilm(
  facts: Edit['source'],
  stretch: Span,
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
  const seconds = stretch.end - stretch.start;
  const proxyShare = 0.9;
  await renderProxy(facts, stretch, {
    source,
    output: video,
    signal,
    onProgress: (share) => onProgress(share * proxyShare),
  });
  const made = pictureStrip(proxySize(facts), seconds, stripHeight);
  await renderStrip(made, { film: video, output: strip, signal });
  const wave = facts.hasAudio
    ? await soundWave(video, seconds, signal)
    : { stepSeconds: leastWaveStep, peaks: [] };
  return { strip: made, wave };
}
