import type { Edit } from '../edit.ts';
import type { Span } from '../facts.ts';
import { mergeSpans } from '../spans.ts';
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
function listLevelFilters(level: SoundLevel | null): string[] {
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

/** Pitch of a bleep, as broadcasters have it. ffmpeg's tone is about 4 dB softer than speech. */
const bleepHertz = 1000;

/** A cut through a sound is a click, unless the sound comes and goes within this time. */
const fadeSeconds = 0.02;

/** Filters that let a clip's sound come and go. */
export function fadeFilters(duration: number): string[] {
  const seconds = filterNumber(Math.min(fadeSeconds, duration / 2));
  const start = filterNumber(Math.max(duration / 2, duration - fadeSeconds));
  return [`afade=t=in:d=${seconds}`, `afade=t=out:st=${start}:d=${seconds}`];
}

/** Muted words: the sound goes and comes back in this time, before and after the word. */
const muteFadeSeconds = 0.008;

/** The volume of a sound by its time `t`, in steps of a millisecond. */
const makeVolumeFilters = (expression: string): string[] => [
  'asetnsamples=n=48:p=0',
  `volume=eval=frame:volume='${expression}'`,
  'asetnsamples=n=1024:p=0',
];

/**
 * A volume by the time `t`: 0 in the spans, which must be in order, and 1 from some seconds beside
 * them on. The time is searched for, because ffmpeg takes no expression of many terms.
 */
function formatGate(spans: readonly Span[], fadeSeconds: number): string {
  const half = spans.length >> 1;
  const [left, right] = [spans[half - 1], spans[half]!];
  if (!left) {
    const [middle, reach] = [(right.start + right.end) / 2, (right.end - right.start) / 2];
    return `clip((abs(t-${filterNumber(middle)})-${filterNumber(reach)})/${fadeSeconds},0,1)`;
  }
  const [before, after] = [spans.slice(0, half), spans.slice(half)];
  const between = filterNumber((left.end + right.start) / 2);
  return `if(lt(t,${between}),${formatGate(before, fadeSeconds)},${formatGate(after, fadeSeconds)})`;
}

/** Lines of the filter graph that make the clip's sound `to` of the kept parts `from`. */
export function buildClipSound(
  { duration, muted }: Edit,
  level: SoundLevel | null,
  [from, to]: readonly [string, string],
): string[] {
  const gate = muted && formatGate(mergeSpans(muted.spans), muteFadeSeconds);
  const heard = [...(gate ? makeVolumeFilters(gate) : []), ...listLevelFilters(level)];
  const fades = fadeFilters(duration);
  // Where the level is not known yet, a bleep would count as speech.
  if (!gate || muted.sound === 'mute' || !level) {
    return [`[${from}]${[...heard, ...fades].join(',')}[${to}]`];
  }
  const tone = `sine=f=${bleepHertz}:r=${soundSampleRate}:d=${filterNumber(duration)}`;
  const bleeps = ['pan=stereo|c0=c0|c1=c0', ...makeVolumeFilters(`1-${gate}`)];
  return [
    `[${from}]${heard.join(',')}[speech]`,
    `${tone},${bleeps.join(',')}[bleeps]`,
    `[speech][bleeps]amix=inputs=2:duration=first:normalize=0,${fades.join(',')}[${to}]`,
  ];
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
    ...buildClipSound(edit, level, ['kept', to]),
  ];
}
