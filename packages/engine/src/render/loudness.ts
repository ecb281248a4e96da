import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Edit } from '../edit.ts';
import { duckDb, targetLufs } from '../music-level.ts';
import { run } from '../program/ffmpeg-process.ts';
import { getFfmpegAbilities } from '../program/abilities.ts';
import { quietStart } from '../program/input-guard.ts';
import type { OpenedSource } from '../source/open-source.ts';
import { ceilingDb, buildSoundGraph, type SoundLevel } from './sound-graph.ts';

/** The maximum gain: more would amplify noise and the hum of the room. */
const maxGainDb = 24;
/** Below this there is only noise, in LUFS: the sound stays as it is. */
const silentLufs = -50;
/** The largest distance of the loudness from the target. */
const toleranceLu = 0.5;
/** Soft music in pauses lowers the loudness of the whole: speech gives way by this much at most. */
const maxSpeechChangeDb = 0.7;
/** The limiter lowers the loudness. The gain is corrected at most this often. */
const maxCorrections = 3;

/** A side that is this much softer than the other has no sound of its own, in dB. */
const minSideDifferenceDb = 30;
/** The same sound on both sides is this much louder than on one. */
const bothSidesLu = 10 * Math.log10(2);

/** Integrated loudness (EBU R 128), the highest sample, and the mean power of both sides. */
interface Measured {
  lufs: number;
  peakDb: number;
  sidesDb: [left: number, right: number];
}

const parseDecibels = (text: string | undefined): number =>
  text === '-inf' ? -Infinity : Number(text);

/** Reads what ffmpeg's `ebur128` and `astats` say at the end of its log. */
export class LoudnessSummary {
  #begun = false;
  #values: Partial<Measured> = {};
  readonly #sidesDb: [number, number] = [-Infinity, -Infinity];
  #side = 0;

  line(text: string): void {
    const [, what, said] =
      /^\[Parsed_astats_\d+ @ \S+\] (Channel|RMS level dB): (\S+)$/.exec(text) ?? [];
    if (what === 'Channel') this.#side = Number(said) - 1;
    else if (what) this.#sidesDb[this.#side] = parseDecibels(said);
    if (/^\[Parsed_ebur128_\d+ @ \S+\] Summary:/.test(text)) this.#begun = true;
    if (!this.#begun) return;
    const [, name, value] = /^ +(I|Peak): +(\S+) (?:LUFS|dBFS)$/.exec(text) ?? [];
    const number = parseDecibels(value);
    if (name === 'I') this.#values.lufs = number;
    if (name === 'Peak') this.#values.peakDb = number;
  }

  /** Null if there was no sound to measure. */
  end(): Measured | null {
    const { lufs = NaN, peakDb = NaN } = this.#values;
    return Number.isNaN(lufs) || Number.isNaN(peakDb)
      ? null
      : { lufs, peakDb, sidesDb: this.#sidesDb };
  }
}

interface Files {
  opened: OpenedSource;
  /** An existing directory for the filter graph. */
  directory: string;
  signal: AbortSignal;
}

/** Both leave the sound as it is. */
const meter =
  '[a]astats=measure_overall=none:measure_perchannel=RMS_level,ebur128=framelog=verbose:peak=sample[m]';

function findOnlySide([left, right]: Measured['sidesDb']): SoundLevel['onlySide'] {
  if (left - right >= minSideDifferenceDb) return 'left';
  return right - left >= minSideDifferenceDb ? 'right' : undefined;
}

async function measureLoudness(
  edit: Edit,
  level: SoundLevel | null,
  { opened, directory, signal }: Files,
): Promise<Measured | null> {
  const summary = new LoudnessSummary();
  const graph = [...buildSoundGraph(edit, opened, level), meter];
  const { graphFile } = await getFfmpegAbilities();
  await writeFile(join(directory, 'loudness.txt'), graph.join(';\n'));
  await run(
    'ffmpeg',
    // prettier-ignore
    [
      ...quietStart, '-vn', '-sn', '-dn', ...opened.input,
      graphFile, 'loudness.txt', '-map', '[m]', '-f', 'null', '-',
    ],
    {
      signal,
      cwd: directory,
      deadlineSeconds: 120 + edit.duration,
      onStderrLine: (line) => summary.line(line),
    },
  );
  return summary.end();
}

/** The change that brings speech to the target, on both sides. */
async function measureSpeechLevel(edit: Edit, own: Measured, files: Files): Promise<SoundLevel> {
  const within = (gainDb: number) => Math.min(maxGainDb, gainDb);
  const onlySide = findOnlySide(own.sidesDb);
  const sides = onlySide && { onlySide };
  let gainDb = within(targetLufs - own.lufs - (onlySide ? bothSidesLu : 0));
  if (own.peakDb + gainDb <= ceilingDb) return { gainDb, limited: false, ...sides };
  for (let round = 0; round < maxCorrections; round++) {
    const now = await measureLoudness(edit, { gainDb, limited: true, ...sides }, files);
    const missing = targetLufs - (now?.lufs ?? targetLufs);
    if (Math.abs(missing) <= toleranceLu || within(gainDb + missing) === gainDb) break;
    gainDb = within(gainDb + missing);
  }
  return { gainDb, limited: true, ...sides };
}

/**
 * The change that brings an edit's sound to -14 LUFS, with peaks below the ceiling, on both sides.
 * Null for no sound, or only noise, without music. The loudness is that of the clip, not of the
 * whole source.
 * @throws {@link ProcessError} if the sound cannot be decoded, or the signal's reason
 */
export async function measureSoundLevel(edit: Edit, files: Files): Promise<SoundLevel | null> {
  const { music, ...plain } = edit;
  const own = plain.source.hasAudio ? await measureLoudness(plain, null, files) : null;
  const isHeard = own !== null && own.lufs >= silentLufs;
  const speech = isHeard ? await measureSpeechLevel(plain, own, files) : null;
  if (!music) return speech;
  // Speech that is too soft for the largest gain stays softer than the target.
  const lackLu = isHeard ? Math.min(0, own.lufs + maxGainDb - targetLufs) : 0;
  const musicDb = isHeard ? lackLu - music.levelDb + duckDb : 0;
  const level = { gainDb: 0, ...speech, limited: true, musicDb };
  const now = await measureLoudness(edit, level, files);
  const missing = targetLufs + lackLu - (now?.lufs ?? targetLufs);
  const most = isHeard ? maxSpeechChangeDb : maxGainDb;
  const step = Math.max(-most, Math.min(most, missing));
  return { ...level, gainDb: level.gainDb + (isHeard ? step : 0), musicDb: musicDb + step };
}
