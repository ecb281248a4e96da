import type { Edit } from '../edit.ts';
import { type Probed, filmStream, soundStream } from '../source/probe.ts';

/**
 * The time of a frame may be off by this share of a frame, because some files have a coarse clock.
 */
const maxJitter = 0.1;

/**
 * Whether an edit only changes where the video begins and ends: one range, no text, and the whole
 * picture of the source in its own size and frame rate.
 */
export function changesNothing(edit: Edit): boolean {
  const { framing, source, dimensions } = edit;
  return (
    edit.ranges.length === 1 &&
    edit.captions.length === 0 &&
    edit.emojis.length === 0 &&
    edit.title === null &&
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
export function streamsFit(edit: Edit, probed: Probed): boolean {
  const film = filmStream(probed);
  const sound = soundStream(probed);
  const turned = film?.side_data_list?.some(({ rotation }) => rotation) ?? false;
  return (
    /^mov,mp4/.test(probed.format?.format_name ?? '') &&
    film?.codec_name === 'h264' &&
    (film.pix_fmt === 'yuv420p' || film.pix_fmt === 'yuvj420p') &&
    (film.field_order ?? 'progressive') === 'progressive' &&
    /^(?:1:1|0:1)$/.test(film.sample_aspect_ratio ?? '1:1') &&
    !turned &&
    film.width === edit.dimensions.width &&
    film.height === edit.dimensions.height &&
    sound?.codec_name === 'aac'
  );
}

/**
 * A video packet: when it is shown, in seconds from the file's start, and whether it is a keyframe.
 */
export interface PicturePacket {
  time: number;
  key: boolean;
}

/** Reads packets from `packet=pts_time,flags` lines of ffprobe's CSV, in file order. */
export function picturePackets(csv: string, startTime: number): PicturePacket[] {
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
