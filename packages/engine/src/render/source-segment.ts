import type { Edit } from '../edit.ts';
import type { Span } from '../facts.ts';
import { run } from '../program/ffmpeg-process.ts';
import { decodeGuard, probeGuard, quietStart } from '../program/input-guard.ts';
import { ProcessError } from '../program/process-error.ts';
import {
  findVideoStream,
  probe,
  listSoundStreams,
  readStartTime,
  type Probed,
  type ProbedStream,
} from '../source/probe.ts';

/** A source segment that a clip is rendered from: the same packets, in a file of their own. */
export interface SourceSegment {
  /** Source seconds of the beginning of the file. */
  offset: number;
  /**
   * The source seconds that it has.
   * @default only the clip is certain
   */
  start?: number;
  end?: number;
}

/** The time in the segment before and after the clip, for a later change of its ends. */
const marginSeconds = 15;

/** The time that the copy may lack at its end: pictures that need later ones. */
const lostSeconds = 1;

/** Times at the start of the file, as the first packets may be decoded before they are shown. */
const leadSeconds = 1;

/** Containers that keep times exactly, by the names of ffmpeg's demuxers and muxers. */
const muxers: readonly [demuxer: RegExp, muxer: string][] = [
  [/^mov,mp4/, 'mov'],
  [/^matroska/, 'matroska'],
];

/** Facts of a track that must be the same, as the container may have said it. */
const trackFacts = (tracks: readonly ProbedStream[]) =>
  tracks.map((track) => [
    track.codec_name,
    track.width,
    track.height,
    track.pix_fmt,
    track.sample_aspect_ratio,
    track.color_space,
    track.color_transfer,
    track.field_order,
    track.side_data_list?.find(({ rotation }) => rotation)?.rotation,
  ]);

interface Packet {
  /** Microseconds. */
  time: number;
  key: boolean;
  hash: string;
}

/** The packets of a track from a keyframe on, with times as the file has them. */
async function readPackets(
  path: string,
  track: number,
  { from, to }: { from: number; to: number },
  signal: AbortSignal,
): Promise<Packet[]> {
  const { stdout } = await run(
    'ffprobe',
    // prettier-ignore
    [
      '-v', 'error', ...probeGuard, '-select_streams', String(track),
      '-read_intervals', `${from.toFixed(6)}%${to.toFixed(6)}`, '-show_data_hash', 'CRC32',
      '-show_entries', 'packet=pts_time,flags,data_hash', '-of', 'csv=p=0', '-i', path,
    ],
    { signal, deadlineSeconds: 600 },
  );
  return stdout.split('\n').flatMap((line) => {
    const [time = '', flags = '', hash = ''] = line.split(',');
    const at = Math.round(Number(time) * 1e6);
    return time && Number.isFinite(at) ? [{ time: at, key: flags.startsWith('K'), hash }] : [];
  });
}

const readTicks = (timeBase: string | undefined): number => Number(timeBase?.split('/')[1]) || 1;

function computeLeastCommonMultiple(one: number, other: number): number {
  let [a, b] = [one, other];
  while (b) [a, b] = [b, a % b];
  return (one / a) * other;
}

/** Whether a segment has all that an edit shows: a person may have made the clip longer. */
export const isSegmentComplete = (
  { start = -Infinity, end = Infinity }: SourceSegment,
  { ranges }: Pick<Edit, 'ranges'>,
): boolean => ranges[0]!.start >= start && ranges.at(-1)!.end <= end;

/**
 * Moves an edit to its segment, to render from it: its times are those of the file, which has only
 * the tracks of the edit, the picture first.
 */
export function moveToSegment(edit: Edit, { offset }: SourceSegment): Edit {
  const { videoStream: _video, audioStream: _audio, mixedAudioStreams, ...source } = edit.source;
  const mixed = mixedAudioStreams && {
    audioStream: 1,
    mixedAudioStreams: mixedAudioStreams.map((_, index) => index + 2),
  };
  const earlier = <Timed extends Span>(one: Timed): Timed => ({
    ...one,
    start: one.start - offset,
    end: one.end - offset,
  });
  const ranges = edit.ranges.map(earlier);
  const { manualFraming } = edit;
  const latest = edit.latestStart !== undefined && { latestStart: edit.latestStart - offset };
  const shots = manualFraming && {
    manualFraming: { ...manualFraming, shots: manualFraming.shots.map(earlier) },
  };
  return { ...edit, source: { ...source, ...mixed }, ranges, ...latest, ...shots };
}

interface Part {
  path: string;
  /** The picture, then the sound. */
  tracks: readonly ProbedStream[];
  /** Whole seconds that times in the file are earlier than in the source. */
  shift: number;
}

/**
 * Measures the delay of a track of the copy against that of the source, in microseconds, where the
 * clip is. Null if it does not have the same packets, or not at the same distances.
 */
async function measureDelay(
  place: number,
  { from, to }: { from: number; to: number },
  [source, copy]: readonly [Part, Part],
  signal: AbortSignal,
): Promise<number | null> {
  const packetsOf = ({ path, tracks, shift }: Part, start: number): Promise<Packet[]> => {
    const track = tracks[place]?.index;
    const range = { from: start - shift, to: to - shift };
    return track === undefined ? Promise.resolve([]) : readPackets(path, track, range, signal);
  };
  const theirs = await packetsOf(source, from);
  // Earlier, as the packets of the copy may be in another order.
  const ours = await packetsOf(copy, from - 0.5);
  // In the order of the file, where pictures that are shown later may come before others.
  const needed = theirs.slice(0, theirs.findLastIndex(({ time }) => time < (to - 0.5) * 1e6) + 1);
  const first = needed[0];
  if (!first) return ours.length === 0 ? 0 : null;
  const delayAt = (index: number): number => ours[index]!.time + copy.shift * 1e6 - first.time;
  // Packets of silence are all the same.
  const begins = [...ours.keys()]
    .filter((index) => ours[index]!.hash === first.hash)
    .toSorted((one, other) => Math.abs(delayAt(one)) - Math.abs(delayAt(other)));
  const begin = begins.find((index) =>
    needed.every(({ time, hash }, more) => {
      const other = ours[index + more];
      return other?.hash === hash && other.time + copy.shift * 1e6 - time === delayAt(index);
    }),
  );
  return begin === undefined ? null : delayAt(begin);
}

/** The part of a source to copy, and how its times are written. */
interface CopyPlan {
  probed: Probed;
  muxer: string;
  /** The picture, then the sounds. */
  tracks: readonly ProbedStream[];
  clip: Span;
  /** Source seconds from which packets are copied. */
  begin: number;
  /** Whole seconds that times are made earlier. */
  shift: number;
  timeScale: number;
}

/** Plans the copy of the part that a clip needs; null if its times could not be exact. */
async function planCopy(edit: Edit, source: string, signal: AbortSignal): Promise<CopyPlan | null> {
  const probed = await probe(source, signal);
  const [, muxer] =
    muxers.find(([demuxer]) => demuxer.test(probed.format?.format_name ?? '')) ?? [];
  const video = findVideoStream(probed);
  const sounds = edit.source.hasAudio ? listSoundStreams(probed, edit.source) : [];
  if (!muxer || video?.index === undefined) return null;
  const tracks = [video, ...sounds];
  const clip = { start: edit.ranges[0]!.start, end: edit.ranges.at(-1)!.end };
  const begin = Math.max(0, clip.start - marginSeconds);
  const at = begin + readStartTime(probed);
  const [first] = await readPackets(source, video.index, { from: at, to: at + 0.001 }, signal);
  if (!first?.key) return null;
  // Whole seconds, so that no clock of a track has to round.
  const shift = Math.floor(first.time / 1e6) - leadSeconds;
  const timeScale = tracks
    .map(({ time_base }) => readTicks(time_base))
    .reduce(computeLeastCommonMultiple);
  return timeScale > 2 ** 31 ? null : { probed, muxer, tracks, clip, begin, shift, timeScale };
}

/** Copies the packets of a plan, each sound with a delay in seconds. Returns the copy's facts. */
async function copyTracks(
  { muxer, tracks, clip, begin, shift, timeScale }: CopyPlan,
  { source, output, signal }: { source: string; output: string; signal: AbortSignal },
  soundDelays: readonly number[],
): Promise<Probed> {
  const input = ['-ss', begin.toFixed(6), '-t', (clip.end + marginSeconds - begin).toFixed(6)];
  await run(
    'ffmpeg',
    // prettier-ignore
    [
      ...quietStart, '-v', 'error',
      ...decodeGuard, ...input, '-i', source,
      ...soundDelays.flatMap((delay) =>
        [...decodeGuard, ...input, '-itsoffset', delay.toFixed(6), '-i', source]),
      ...tracks.flatMap(({ index }, place) => ['-map', `${place}:${index}`]),
      '-map_metadata', '-1', '-map_chapters', '-1', '-c', 'copy', '-copyts',
      '-output_ts_offset', String(-shift),
      ...(muxer === 'mov' ? ['-movie_timescale', String(timeScale)] : []),
      '-f', muxer, '-y', output,
    ],
    { signal, deadlineSeconds: 600 },
  );
  return probe(output, signal);
}

/**
 * Copies the part of the source that the clip needs, with 15 seconds before and after it, from
 * keyframe to keyframe. A render of `moveToSegment(edit, segment)` from it has the same frames as
 * one of the edit from the source.
 * @returns null if the copy would not be exact; `output` is not usable then
 * @throws {@link ProcessError} if the machine is the cause, or the signal's reason
 */
export async function cutSegment(
  edit: Edit,
  { source, output, signal }: { source: string; output: string; signal: AbortSignal },
): Promise<SourceSegment | null> {
  const plan = await planCopy(edit, source, signal);
  if (!plan) return null;
  const { probed, tracks, clip, begin, shift } = plan;
  const copy = (delays: readonly number[]) => copyTracks(plan, { source, output, signal }, delays);
  const tracksOf = (copied: Probed) =>
    (copied.streams ?? []).filter(({ codec_type }) => /^(?:video|audio)$/.test(codec_type ?? ''));
  const delays = async (copied: Probed) => {
    const range = {
      from: clip.start + readStartTime(probed),
      to: clip.end + readStartTime(probed) + 1.5,
    };
    const parts = [
      { path: source, tracks, shift: 0 },
      { path: output, tracks: tracksOf(copied), shift },
    ] as const;
    const found: (number | null)[] = [];
    for (const place of tracks.keys()) found.push(await measureDelay(place, range, parts, signal));
    return found;
  };
  try {
    let copied = await copy(tracks.slice(1).map(() => 0));
    let late = await delays(copied);
    // Matroska's muxer forgets that the first samples of Opus are not heard.
    if (late[0] === 0 && late.some(Boolean) && !late.includes(null)) {
      copied = await copy(late.slice(1).map((delay) => -delay! / 1e6));
      late = await delays(copied);
    }
    if (late.some((delay) => delay !== 0)) return null;
    const same =
      JSON.stringify(trackFacts(tracks)) === JSON.stringify(trackFacts(tracksOf(copied)));
    if (!same) return null;
    const microseconds = shift * 1e6 + (readStartTime(copied) - readStartTime(probed)) * 1e6;
    const ends = clip.end + marginSeconds;
    const length = Number(probed.format?.duration ?? Infinity);
    return {
      offset: Math.round(microseconds) / 1e6,
      start: begin,
      end: Math.max(clip.end, ends < length ? ends - lostSeconds : length),
    };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ProcessError && error.end === 'failed') return null;
    throw error;
  }
}
