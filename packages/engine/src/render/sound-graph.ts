import type { Edit } from '../edit.ts';
import { type OpenedSource, makeSoundFilters } from '../source/open-source.ts';
import { cutAndJoin, filterNumber, frameRanges } from './cut-graph.ts';

/** The change of the level of an edit's sound. */
export interface SoundLevel {
  gainDb: number;
  /** Whether some peaks would be over the ceiling. */
  limited: boolean;
  /** The only side with sound, which is played on both. Omitted if both have some. */
  onlySide?: 'left' | 'right';
}

/** Sample rate of the output's sound, in Hz. */
const soundSampleRate = 48_000;

/**
 * Highest level of the limiter's output in dBFS. The goal is a true peak under -1.5 dB, and AAC
 * makes peaks of noise, such as applause, up to 3 dB higher.
 */
export const ceilingDb = -4.5;

/** The output's sound, from the source's tracks on, without gaps and from the wanted time on. */
export const formatSound = (
  facts: Edit['source'],
  opened: Pick<OpenedSource, 'clockSeconds'>,
): string =>
  `${makeSoundFilters(facts, opened, soundSampleRate)},aformat=sample_fmts=fltp:channel_layouts=stereo`;

/**
 * Filters that change the level. The limiter works at twice the sample rate, because peaks are
 * often between samples.
 */
export function listLevelFilters(level: SoundLevel | null): string[] {
  if (!level) return [];
  const limit = filterNumber(10 ** (ceilingDb / 20));
  const side = level.onlySide === 'left' ? 'c0' : 'c1';
  return [
    ...(level.onlySide ? [`pan=stereo|c0=${side}|c1=${side}`] : []),
    `volume=${filterNumber(level.gainDb)}dB`,
    ...(level.limited
      ? [
          `aresample=${2 * soundSampleRate}`,
          `alimiter=limit=${limit}:level=0:latency=1`,
          `aresample=${soundSampleRate}`,
        ]
      : []),
  ];
}

/** A cut through a sound is a click, unless the sound comes and goes within this time. */
const fadeSeconds = 0.02;

/** Filters that let a clip's sound come and go. */
export function fadeFilters(duration: number): string[] {
  const seconds = filterNumber(Math.min(fadeSeconds, duration / 2));
  const start = filterNumber(Math.max(duration / 2, duration - fadeSeconds));
  return [`afade=t=in:d=${seconds}`, `afade=t=out:st=${start}:d=${seconds}`];
}

/** The part of the filter graph that makes the sound `to`. A source without sound gets silence. */
export function buildSoundGraph(
  edit: Edit,
  opened: OpenedSource,
  level: SoundLevel | null,
  to = 'a',
): string[] {
  const silence = `anullsrc=r=${soundSampleRate}:cl=stereo,atrim=end=${filterNumber(edit.duration)},aformat=sample_fmts=fltp[${to}]`;
  if (!edit.source.hasAudio) return [silence];
  const ranges = frameRanges(edit);
  const last = (ranges.at(-1)?.to ?? 1) / edit.frameRate;
  const seconds = (frames: number) => filterNumber(frames / edit.frameRate);
  return [
    `${formatSound(edit.source, opened)},apad=whole_dur=${filterNumber(last)}[sound]`,
    ...cutAndJoin(
      ['sound', 'kept'],
      ranges.map(({ from, to }) => `atrim=start=${seconds(from)}:end=${seconds(to)}`),
      'a',
    ),
    `[kept]${[...listLevelFilters(level), ...fadeFilters(edit.duration)].join(',')}[${to}]`,
  ];
}
