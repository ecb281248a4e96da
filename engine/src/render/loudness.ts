import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Edit } from '../edit.ts';
import { run } from '../program/ffmpeg-process.ts';
import { quietStart } from '../program/input-guard.ts';
import { sourceInput } from './render-arguments.ts';
import { ceilingDb, soundGraph, type SoundLevel } from './sound-graph.ts';

/** What video platforms play back at, in LUFS. */
const targetLufs = -14;
/** More would lift noise and the hum of the room. */
const maxGainDb = 24;
/** Below this there is only noise, in LUFS: the sound stays as it is. */
const silentLufs = -50;
/** How far the loudness may be from the target. */
const toleranceLu = 0.5;
/** The limiter lowers the loudness. The gain is corrected at most this often. */
const maxCorrections = 3;

/** Integrated loudness (EBU R 128) and the highest sample. */
interface Measured {
  lufs: number;
  peakDb: number;
}

/** Reads the summary of ffmpeg's `ebur128`, which is at the end of its log. */
export class LoudnessSummary {
  #begun = false;
  #values: Partial<Measured> = {};

  line(text: string): void {
    if (/^\[Parsed_ebur128_\d+ @ \S+\] Summary:/.test(text)) this.#begun = true;
    if (!this.#begun) return;
    const [, name, value] = /^ +(I|Peak): +(\S+) (?:LUFS|dBFS)$/.exec(text) ?? [];
    const number = value === '-inf' ? -Infinity : Number(value);
    if (name === 'I') this.#values.lufs = number;
    if (name === 'Peak') this.#values.peakDb = number;
  }

  /** Null if there was no sound to measure. */
  end(): Measured | null {
    const { lufs = NaN, peakDb = NaN } = this.#values;
    return Number.isNaN(lufs) || Number.isNaN(peakDb) ? null : { lufs, peakDb };
  }
}

interface Files {
  source: string;
  /** An existing directory for the filter graph. */
  directory: string;
  signal: AbortSignal;
}

async function measured(
  edit: Edit,
  level: SoundLevel | null,
  { source, directory, signal }: Files,
): Promise<Measured | null> {
  const summary = new LoudnessSummary();
  const graph = [...soundGraph(edit, level), '[a]ebur128=framelog=verbose:peak=sample[m]'];
  await writeFile(join(directory, 'loudness.txt'), graph.join(';\n'));
  await run(
    'ffmpeg',
    // prettier-ignore
    [
      ...quietStart, '-vn', '-sn', '-dn', ...sourceInput(edit, source),
      '-filter_complex_script', 'loudness.txt', '-map', '[m]', '-f', 'null', '-',
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

/**
 * The change that brings an edit's sound to -14 LUFS, with peaks below the ceiling. Null for no
 * sound, or only noise. The loudness is that of the clip, not of the whole source.
 * @throws {@link ProcessError} if the sound cannot be decoded, or the signal's reason
 */
export async function soundLevel(edit: Edit, files: Files): Promise<SoundLevel | null> {
  if (!edit.source.hasAudio) return null;
  const own = await measured(edit, null, files);
  if (!own || own.lufs < silentLufs) return null;
  const within = (gainDb: number) => Math.min(maxGainDb, gainDb);
  let gainDb = within(targetLufs - own.lufs);
  if (own.peakDb + gainDb <= ceilingDb) return { gainDb, limited: false };
  for (let round = 0; round < maxCorrections; round++) {
    const now = await measured(edit, { gainDb, limited: true }, files);
    const missing = targetLufs - (now?.lufs ?? targetLufs);
    if (Math.abs(missing) <= toleranceLu || within(gainDb + missing) === gainDb) break;
    gainDb = within(gainDb + missing);
  }
  return { gainDb, limited: true };
}
