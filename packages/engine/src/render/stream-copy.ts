import { changesNothing, copyStart, picturePackets, streamsFit } from './copy-rules.ts';
import { run } from '../program/ffmpeg-process.ts';
import { decodeGuard, probeGuard, quietStart } from '../program/input-guard.ts';
import type { Edit } from '../edit.ts';
import { filterNumber } from './cut-graph.ts';
import { soundBitRate } from './render-arguments.ts';
import { formattedSound, levelFilters, type SoundLevel } from './sound-graph.ts';
import { filmStream, soundStream, startOf, probe, type Probed } from '../source/probe.ts';

/** The sound may begin or end this much before or after the picture: a few packets of AAC. */
const maxSoundOffsetSeconds = 0.05;

interface CopyFiles {
  source: string;
  output: string;
  /** What to change about the sound. */
  level: SoundLevel | null;
  signal: AbortSignal;
}

/** Sound this close to its target is copied, in dB. */
const maxGainOfCopyDb = 1;

/** Options that copy the sound or, if its level changes, encode only it. */
function soundCodec(level: SoundLevel | null, duration: number): string[] {
  const fits = !level || (!level.limited && Math.abs(level.gainDb) <= maxGainOfCopyDb);
  if (fits && !level?.onlySide) {
    return ['-c:a', 'copy'];
  }
  // The copy already begins at 0.
  const begun = formattedSound({ clockSeconds: 0 });
  const filters = [begun, `apad=whole_dur=${filterNumber(duration)}`, ...levelFilters(level)];
  return ['-af', filters.join(','), '-c:a', 'aac', '-b:a', soundBitRate('export')];
}

async function copiedFrom(
  edit: Edit,
  probed: Probed,
  { source, signal }: Pick<CopyFiles, 'source' | 'signal'>,
) {
  const startTime = startOf(probed);
  const { start, end } = edit.ranges[0]!;
  const film = filmStream(probed)!;
  const from = Math.max(0, start - 1) + startTime;
  const { stdout } = await run(
    'ffprobe',
    // prettier-ignore
    [
      '-v', 'error', ...probeGuard, '-select_streams', String(film.index),
      '-read_intervals', `${from.toFixed(3)}%${(end + startTime + 1).toFixed(3)}`,
      '-show_entries', 'packet=pts_time,flags', '-of', 'csv=p=0', '-i', source,
    ],
    { signal, deadlineSeconds: 600 },
  );
  return copyStart(edit, picturePackets(stdout, startTime));
}

/**
 * Whether a copy starts at 0 and has exactly the edit's frames, with the sound at the same times.
 */
function isWhole(edit: Edit, probed: Probed): boolean {
  const film = filmStream(probed);
  const sound = soundStream(probed);
  const starts = [film, sound].map((stream) => Number(stream?.start_time ?? NaN));
  return (
    Number(film?.nb_frames) === Math.round(edit.duration * edit.frameRate) &&
    starts.every((start) => Math.abs(start) <= maxSoundOffsetSeconds) &&
    Math.abs(Number(film?.duration) - edit.duration) < 0.5 / edit.frameRate &&
    Math.abs(Number(sound?.duration) - edit.duration) <= maxSoundOffsetSeconds
  );
}

/**
 * Copies the edit's range of the source to `output` without encoding pictures. This needs an edit
 * that changes nothing, and a source with the streams of an export.
 * @returns false if the range must be encoded; `output` is not usable then
 */
export async function copyStretch(edit: Edit, files: CopyFiles): Promise<boolean> {
  if (!changesNothing(edit)) return false;
  const { source, output, signal } = files;
  const probed = await probe(source, signal);
  if (!streamsFit(edit, probed)) return false;
  const start = await copiedFrom(edit, probed, files);
  if (start === null) return false;
  const sound = soundStream(probed);
  await run(
    'ffmpeg',
    // prettier-ignore
    [
      ...quietStart, '-v', 'error', ...decodeGuard, '-ss', start.toFixed(6), '-i', source,
      '-map', `0:${filmStream(probed)!.index}`, '-map', `0:${sound!.index}`,
      '-map_metadata', '-1', '-map_chapters', '-1', '-c:v', 'copy',
      ...soundCodec(files.level, edit.duration),
      // `-t` counts in decoding order and takes a few pictures too many; `-frames:v` would end the
      // sound early.
      '-bsf:v', `noise=amount=0:drop=gte(n\\,${Math.round(edit.duration * edit.frameRate)})`,
      '-t', edit.duration.toFixed(6),
      '-movflags', '+faststart', '-f', 'mp4', '-y', output,
    ],
    { signal, deadlineSeconds: 120 + edit.duration },
  );
  return isWhole(edit, await probe(output, signal));
}
