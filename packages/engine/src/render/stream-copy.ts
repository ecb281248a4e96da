import type { Edit } from '../edit.ts';
import { run } from '../program/ffmpeg-process.ts';
import { decodeGuard, probeGuard, quietStart } from '../program/input-guard.ts';
import {
  findVideoStream,
  probe,
  type Probed,
  listSoundStreams,
  readStartTime,
} from '../source/probe.ts';
import { filterNumber } from './cut-graph.ts';
import { getSoundBitRate } from './encoding.ts';
import { listMusicInput } from './music.ts';
import { buildClipSound, formatSound, type SoundLevel } from './sound-graph.ts';

/** The sound may begin or end this much before or after the picture: a few packets of AAC. */
const maxSoundOffsetSeconds = 0.05;

interface CopyFiles {
  source: string;
  output: string;
  /** The change of the sound. */
  level: SoundLevel | null;
  /** Path of the edit's music. */
  music?: string | undefined;
  signal: AbortSignal;
}

/** Sound this close to its target is copied, in dB. */
const maxGainOfCopyDb = 1;

/** Options that copy the sound or, if it changes, encode only it. */
function listSoundCopyArguments(
  edit: Edit,
  tracks: readonly { index?: number }[],
  level: SoundLevel | null,
): string[] {
  const fits = !level || (!level.limited && Math.abs(level.gainDb) <= maxGainOfCopyDb);
  if (fits && !level?.onlySide && tracks.length === 1 && !edit.muted && !edit.music) {
    return ['-map', `0:${tracks[0]!.index}`, '-c:a', 'copy'];
  }
  // The copy already begins at 0.
  const begun = formatSound(edit.source, { clockSeconds: 0 });
  const length = filterNumber(edit.duration);
  const graph = [
    `${begun},apad=whole_dur=${length},atrim=end=${length}[kept]`,
    ...buildClipSound(edit, level, ['kept', 'a']),
  ];
  return [
    ...['-filter_complex', graph.join(';'), '-map', '[a]'],
    ...['-c:a', 'aac', '-b:a', getSoundBitRate('export')],
  ];
}

async function findCopyStart(
  edit: Edit,
  probed: Probed,
  { source, signal }: Pick<CopyFiles, 'source' | 'signal'>,
) {
  const startTime = readStartTime(probed);
  const { start, end } = edit.ranges[0]!;
  const video = findVideoStream(probed)!;
  const from = Math.max(0, start - 1) + startTime;
  const { stdout } = await run(
    'ffprobe',
    // prettier-ignore
    [
      '-v', 'error', ...probeGuard, '-select_streams', String(video.index),
      '-read_intervals', `${from.toFixed(3)}%${(end + startTime + 1).toFixed(3)}`,
      '-show_entries', 'packet=pts_time,flags', '-of', 'csv=p=0', '-i', source,
    ],
    { signal, deadlineSeconds: 600 },
  );
  return copyStart(edit, readPicturePackets(stdout, startTime));
}

/**
 * Whether a copy starts at 0 and has exactly the edit's frames, with the sound at the same times.
 */
function isWhole(edit: Edit, probed: Probed): boolean {
  const video = findVideoStream(probed);
  const [sound] = listSoundStreams(probed, {});
  const starts = [video, sound].map((stream) => Number(stream?.start_time ?? NaN));
  return (
    Number(video?.nb_frames) === Math.round(edit.duration * edit.frameRate) &&
    starts.every((start) => Math.abs(start) <= maxSoundOffsetSeconds) &&
    Math.abs(Number(video?.duration) - edit.duration) < 0.5 / edit.frameRate &&
    Math.abs(Number(sound?.duration) - edit.duration) <= maxSoundOffsetSeconds
  );
}

/**
 * Copies the edit's range of the source to `output` without encoding pictures. This needs an edit
 * that changes nothing, and a source with the streams of an export.
 * @returns false if the range must be encoded; `output` is not usable then
 */
export async function copySegment(edit: Edit, files: CopyFiles): Promise<boolean> {
  if (!isUnchanged(edit)) return false;
  const { source, output, signal } = files;
  const probed = await probe(source, signal);
  if (!canCopyStreams(edit, probed)) return false;
  const start = await findCopyStart(edit, probed, files);
  if (start === null) return false;
  await run(
    'ffmpeg',
    // prettier-ignore
    [
      ...quietStart, '-v', 'error', ...decodeGuard, '-ss', start.toFixed(6), '-i', source,
      ...listMusicInput(edit, files.music),
      '-map', `0:${findVideoStream(probed)!.index}`, '-map_metadata', '-1', '-map_chapters', '-1', '-c:v', 'copy',
      ...listSoundCopyArguments(edit, listSoundStreams(probed, edit.source), files.level),
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

/**
 * The time of a frame may be off by this share of a frame, because some files have a coarse clock.
 */
const maxJitter = 0.1;

/**
 * Whether an edit only changes where the video begins and ends: one range, no text, no bumpers, and
 * the whole picture of the source in its own size and frame rate.
 */
export function isUnchanged(edit: Edit): boolean {
  const { framing, source, dimensions } = edit;
  return (
    edit.ranges.length === 1 &&
    edit.captions.length === 0 &&
    edit.emojis.length === 0 &&
    edit.title === null &&
    !edit.intro &&
    !edit.outro &&
    source.hasAudio &&
    !source.content &&
    !source.transfer &&
    !source.firstField &&
    framing.mode === 'crop' &&
    framing.x === 0 &&
    framing.y === 0 &&
    framing.width === source.width &&
    framing.height === source.height &&
    dimensions.width === source.width &&
    dimensions.height === source.height &&
    Math.abs(source.frameRate - edit.frameRate) < 0.002
  );
}

/**
 * Whether the source's streams can be copied to an export: H.264 with 8-bit 4:2:0 colour, and AAC,
 * in MP4. Other containers have less exact seeking and times.
 */
export function canCopyStreams(edit: Edit, probed: Probed): boolean {
  const video = findVideoStream(probed);
  const sounds = listSoundStreams(probed, edit.source);
  const turned = video?.side_data_list?.some(({ rotation }) => rotation) ?? false;
  return (
    /^mov,mp4/.test(probed.format?.format_name ?? '') &&
    video?.codec_name === 'h264' &&
    (video.pix_fmt === 'yuv420p' || video.pix_fmt === 'yuvj420p') &&
    (video.field_order ?? 'progressive') === 'progressive' &&
    /^(?:1:1|0:1)$/.test(video.sample_aspect_ratio ?? '1:1') &&
    !turned &&
    video.width === edit.dimensions.width &&
    video.height === edit.dimensions.height &&
    sounds.length > 0 &&
    sounds.every(({ codec_name }) => codec_name === 'aac')
  );
}

/**
 * A video packet: when it is shown, in seconds from the file's start, and whether it is a keyframe.
 */
interface PicturePacket {
  time: number;
  key: boolean;
}

/** Reads packets from `packet=pts_time,flags` lines of ffprobe's CSV, in file order. */
export function readPicturePackets(csv: string, startTime: number): PicturePacket[] {
  return csv.split('\n').flatMap((line) => {
    const [time, flags = ''] = line.split(',');
    const shown = Number(time);
    return time && Number.isFinite(shown)
      ? [{ time: shown - startTime, key: flags.startsWith('K') }]
      : [];
  });
}

/**
 * The start of a copy of the edit's range, in seconds; null if the range must be encoded.
 * @param packets in file order, from before the range to after it. The range's own packets must be
 * next to each other in the file, begin with a keyframe, and be evenly spaced in time, as many as
 * the edit has frames. After them comes a keyframe or the end: otherwise frames before it may need
 * frames after it.
 */
export function copyStart(edit: Edit, packets: readonly PicturePacket[]): number | null {
  const rangeStart = edit.ranges[0]?.start ?? 0;
  const frame = 1 / edit.frameRate;
  const count = Math.round(edit.duration * edit.frameRate);
  const first = packets.findIndex(({ time }) => Math.abs(time - rangeStart) < frame / 2);
  const begin = packets[first];
  const kept = packets.slice(first, first + count);
  const next = packets[first + count];
  if (!begin?.key || kept.length < count || (next && !next.key)) return null;
  const even = kept
    .map(({ time }) => time)
    .toSorted((a, b) => a - b)
    .every((time, index) => Math.abs(time - begin.time - index * frame) < frame * maxJitter);
  return even ? begin.time : null;
}
