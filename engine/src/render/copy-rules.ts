import type { Edit } from '../edit.ts';
import { type Probed, filmStream } from '../source/probe.ts';

/** A frame's length may differ from the even one by this share of it where the clock of the file is coarse. */
const uneven = 0.1;

/**
 * Whether an edit changes nothing of the picture or the sound but where they begin and end: one stretch, no text, the
 * source's whole picture in its own size and rate.
 */
export function changesNothing(edit: Edit): boolean {
  const { framing, source, dimensions } = edit;
  return (
    edit.ranges.length === 1 &&
    edit.captions.length === 0 &&
    edit.emojis.length === 0 &&
    edit.title === null &&
    source.hasAudio &&
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
 * Whether the streams are what an export is made of, so that they can be taken over: H.264 in 4:2:0 of 8 bits, and AAC, in an
 * MP4 (other containers seek and count time too coarsely).
 */
export function streamsFit(edit: Edit, probed: Probed): boolean {
  const film = filmStream(probed);
  const sound = probed.streams?.find((stream) => stream.codec_type === 'audio');
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

/** A packet of the picture: when it is shown, in seconds from the file's start, and whether one can begin there. */
export interface PicturePacket {
  time: number;
  key: boolean;
}

/** Packets in `packet=pts_time,flags` lines of ffprobe's csv, as they stand in the file. */
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
 * The instant in seconds at which a copy of the edit's stretch begins; null where the stretch has to be encoded.
 * @param packets as they stand in the file, from before the stretch to after it. Its own must be side by side in the file,
 *   begin with one that can be begun with, be followed by another such or by the end (frames before it may need those
 *   after it otherwise), and be evenly spaced in time, as many as the edit has frames.
 */
export function copyStart(edit: Edit, packets: readonly PicturePacket[]): number | null {
  const wanted = edit.ranges[0]?.start ?? 0;
  const frame = 1 / edit.frameRate;
  const count = Math.round(edit.duration * edit.frameRate);
  const first = packets.findIndex(({ time }) => Math.abs(time - wanted) < frame / 2);
  const begin = packets[first];
  const kept = packets.slice(first, first + count);
  const next = packets[first + count];
  if (!begin?.key || kept.length < count || (next && !next.key)) return null;
  const even = kept
    .map(({ time }) => time)
    .toSorted((a, b) => a - b)
    .every((time, index) => Math.abs(time - begin.time - index * frame) < frame * uneven);
  return even ? begin.time : null;
}
