import { analyse } from '../../packages/engine/src/scan/analyse.ts';
import { type Analysis, type IngestedSource } from '../../packages/engine/src/facts.ts';
import { pickCandidates } from '../../packages/engine/src/moments/candidates.ts';
import { familyOf, sumOf } from './family.ts';
import { tenMinutes } from './footage.ts';
import { median } from './statistics.ts';

const repeats = 3;
/** How many seconds of the video are scanned in a second of the clock: the median. */
export async function benchAnalyse(
  source: IngestedSource,
): Promise<{ speed: number; analysis: Analysis }> {
  const speeds: number[] = [];
  let analysis: Analysis | undefined;
  for (let round = 0; round < repeats; round += 1) {
    const began = performance.now();
    analysis = await analyse(source, { signal: new AbortController().signal });
    speeds.push(source.media.duration / ((performance.now() - began) / 1000));
  }
  if (!analysis) throw new RangeError('Nothing was analysed.');
  return { speed: median(speeds), analysis };
}

export interface CandidateFigures {
  /** Seconds of the video. */
  duration: number;
  /**
   * Processor seconds of this process and its ffmpeg from the file to the chosen clips: the median.
   */
  cpu: number;
  clips: number;
}

/** Ten minutes of 1080p, from the file on disk to its chosen clips. */
export async function benchCandidates(
  sample: IngestedSource,
  directory: string,
): Promise<CandidateFigures> {
  const source = await tenMinutes(sample, directory);
  const spent = async () => sumOf(await familyOf(process.pid), 'cpu');
  const seconds: number[] = [];
  let clips = 0;
  for (let round = 0; round < repeats; round += 1) {
    const before = await spent();
    const analysis = await analyse(source, { signal: new AbortController().signal });
    const wanted = { count: 10, min: 1, max: 180, target: 60 };
    clips = pickCandidates(analysis, wanted).length;
    seconds.push((await spent()) - before);
  }
  return { duration: source.media.duration, cpu: median(seconds), clips };
}
