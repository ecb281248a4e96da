import type { Edit } from '../edit.ts';
import type { Span } from '../facts.ts';
import { duckDb, duckFadeSeconds, musicFadeSeconds } from '../music-level.ts';
import { mergeSpans } from '../spans.ts';
import { type OpenedSource, makeSoundFilters } from '../source/open-source.ts';
import { cutAndJoin, filterNumber, formatNearest, frameRanges } from './cut-graph.ts';

/** The change of the level of an edit's sound. */
export interface SoundLevel {
  gainDb: number;
  /** Whether some peaks would be over the ceiling. */
  limited: boolean;
  /** Gain of the music where nobody speaks. Omitted if there is none. */
  musicDb?: number;
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

const toStereo = 'aformat=sample_fmts=fltp:channel_layouts=stereo';

/** Filters that convert sound to that of the output. */
export const convertFilters = `aresample=${soundSampleRate},${toStereo}`;

/** The output's sound, from the source's tracks on, without gaps and from the wanted time on. */
export const formatSound = (
  facts: Edit['source'],
  opened: Pick<OpenedSource, 'clockSeconds'>,
): string => `${makeSoundFilters(facts, opened, soundSampleRate)},${toStereo}`;

/** Filters that change the level of the source. */
function listGainFilters(level: SoundLevel | null): string[] {
  if (!level) return [];
  const side = level.onlySide === 'left' ? 'c0' : 'c1';
  return [
    ...(level.onlySide ? [`pan=stereo|c0=${side}|c1=${side}`] : []),
    `volume=${filterNumber(level.gainDb)}dB`,
  ];
}

/** The limiter works at twice the sample rate, because peaks are often between samples. */
const listLimiterFilters = (level: SoundLevel | null): string[] =>
  level?.limited
    ? [
        `aresample=${2 * soundSampleRate}`,
        `alimiter=limit=${filterNumber(10 ** (ceilingDb / 20))}:level=0:latency=1`,
        `aresample=${soundSampleRate}`,
      ]
    : [];

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

/** A volume by the time `t`: 0 in the spans, in order, and 1 from some seconds beside them on. */
const formatGate = (spans: readonly Span[], fadeSeconds: number): string =>
  formatNearest(spans, ({ start, end }) => {
    const [middle, reach] = [(start + end) / 2, (end - start) / 2];
    return `clip((abs(t-${filterNumber(middle)})-${filterNumber(reach)})/${fadeSeconds},0,1)`;
  });

/** The tone over muted words; none where they are silent. */
function listBleeps({ muted, duration }: Edit): string[] {
  if (muted?.sound !== 'bleep') return [];
  const gate = formatGate(mergeSpans(muted.spans), muteFadeSeconds);
  const tone = `sine=f=${bleepHertz}:r=${soundSampleRate}:d=${filterNumber(duration)}`;
  return [[tone, 'pan=stereo|c0=c0|c1=c0', ...makeVolumeFilters(`1-${gate}`)].join(',')];
}

/** The music of the second input, as long as the clip, and softer under speech. */
function listMusic({ music, duration }: Edit, { musicDb = 0 }: SoundLevel): string[] {
  if (!music) return [];
  const { speech } = music;
  const duck = 10 ** (-duckDb / 20);
  const gate = speech && speech.length > 0 ? formatGate(mergeSpans(speech), duckFadeSeconds) : null;
  const share = gate ? `${filterNumber(duck)}+${filterNumber(1 - duck)}*${gate}` : null;
  const out = Math.min(musicFadeSeconds.out, duration / 2);
  return [
    [
      `[1:a:0]aresample=${soundSampleRate}:async=1:first_pts=0`,
      `${toStereo},atrim=end=${filterNumber(duration)}`,
      ...(share ? makeVolumeFilters(share) : []),
      `volume=${filterNumber(speech ? musicDb : musicDb - duckDb)}dB`,
      `afade=t=in:d=${filterNumber(Math.min(musicFadeSeconds.in, duration / 2))}`,
      `afade=t=out:st=${filterNumber(duration - out)}:d=${filterNumber(out)}`,
    ].join(','),
  ];
}

/**
 * Returns the lines of the filter graph that make the clip's sound `to` of its kept parts `from`.
 * Without a level, which is measured first, bleeps and music are left out: they are not speech.
 */
export function buildClipSound(
  edit: Edit,
  level: SoundLevel | null,
  [from, to]: readonly [string, string],
): string[] {
  const { duration, muted } = edit;
  const mute = muted && formatGate(mergeSpans(muted.spans), muteFadeSeconds);
  const speech = [...(mute ? makeVolumeFilters(mute) : []), ...listGainFilters(level)];
  const last = [...listLimiterFilters(level), ...fadeFilters(duration)];
  const added = level ? [...listBleeps(edit), ...listMusic(edit, level)] : [];
  if (added.length === 0) return [`[${from}]${[...speech, ...last].join(',')}[${to}]`];
  const labels = added.map((_, index) => `[added${index}]`);
  const mix = `amix=inputs=${1 + added.length}:duration=first:normalize=0`;
  return [
    `[${from}]${speech.join(',')}[speech]`,
    ...added.map((line, index) => `${line}${labels[index]}`),
    `[speech]${labels.join('')}${[mix, ...last].join(',')}[${to}]`,
  ];
}

/** The part of the filter graph that makes the sound `to`. A source without sound gets silence. */
export function buildSoundGraph(
  edit: Edit,
  opened: OpenedSource,
  level: SoundLevel | null,
  to = 'a',
): string[] {
  const silence = `anullsrc=r=${soundSampleRate}:cl=stereo,atrim=end=${filterNumber(edit.duration)},aformat=sample_fmts=fltp`;
  if (!edit.source.hasAudio) {
    return [`${silence}[kept]`, ...buildClipSound(edit, level, ['kept', to])];
  }
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
