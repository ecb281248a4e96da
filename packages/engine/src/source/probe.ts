import { ProcessError, run } from '../program/ffmpeg-process.ts';
import type { ColourMatrix, MediaInfo, PictureFacts, SoundFacts } from '../facts.ts';
import { isReadable, probeGuard } from '../program/input-guard.ts';
import { getBaseLanguage, parseLanguage } from '../words/language-code.ts';
import { isSureRate, chooseNominalRate, measureSteadyRate } from './frame-rate.ts';

export interface ProbedStream {
  index?: number;
  codec_type?: string;
  codec_name?: string;
  codec_tag_string?: string;
  width?: number;
  height?: number;
  sample_aspect_ratio?: string;
  color_space?: string;
  color_transfer?: string;
  pix_fmt?: string;
  field_order?: string;
  nb_frames?: string;
  start_time?: string;
  time_base?: string;
  avg_frame_rate?: string;
  r_frame_rate?: string;
  duration?: string;
  duration_ts?: number;
  disposition?: Record<string, number>;
  tags?: Record<string, string>;
  side_data_list?: { rotation?: number }[];
}

/** The fields of ffprobe's answer that are used. */
export interface Probed {
  streams?: ProbedStream[];
  format?: {
    duration?: string;
    format_name?: string;
    start_time?: string;
    tags?: Record<string, string>;
  };
}

function parseRatio(text: string | undefined, mark: string): number {
  const [above, below] = (text ?? '').split(mark).map(Number);
  return above && below ? above / below : 0;
}

const textSubtitles = new Set(['subrip', 'srt', 'ass', 'ssa', 'mov_text', 'webvtt', 'text']);

/**
 * The sound track that players choose: the first one that they can read and that is meant to be
 * played by default.
 */
export function findSoundStream(probed: Probed): ProbedStream | undefined {
  const sounds = probed.streams?.filter((stream) => stream.codec_type === 'audio') ?? [];
  const readable = sounds.filter(({ codec_name }) => isReadable(codec_name ?? ''));
  const all = readable.length > 0 ? readable : sounds;
  return all.find((stream) => stream.disposition?.['default']) ?? all[0];
}

/** The sound tracks that are heard, the main one first. */
export function listSoundStreams(
  probed: Probed,
  { audioStream, mixedAudioStreams = [] }: Omit<SoundFacts, 'hasAudio'>,
): ProbedStream[] {
  if (audioStream === undefined)
    return [findSoundStream(probed)].filter((one) => one !== undefined);
  return [audioStream, ...mixedAudioStreams].flatMap(
    (wanted) => probed.streams?.filter(({ index }) => index === wanted) ?? [],
  );
}

/** The first video stream that is not a cover picture. */
export const findVideoStream = (probed: Probed): ProbedStream | undefined =>
  probed.streams?.find(
    (stream) =>
      stream.codec_type === 'video' &&
      !stream.disposition?.['attached_pic'] &&
      !stream.disposition?.['still_image'] &&
      Boolean(stream.width && stream.height),
  );

/**
 * The position of a text subtitle stream among the subtitle streams (`0:s:N`): the first in the
 * wanted language, otherwise the first, or null.
 */
export function findSubtitlePosition(probed: Probed, wanted?: string | null): number | null {
  const all = (probed.streams ?? []).filter((stream) => stream.codec_type === 'subtitle');
  const texts = [...all.entries()].filter(([, one]) => textSubtitles.has(one.codec_name ?? ''));
  // Containers have codes of three letters, such as `deu` or `ger`.
  const isWanted = (tag: string | undefined) =>
    wanted != null && getBaseLanguage(parseLanguage(tag) ?? '') === getBaseLanguage(wanted);
  const own = texts.find(([, { tags }]) => isWanted(tags?.['language']));
  return (own ?? texts[0])?.[0] ?? null;
}

/** MP4's numbers for a duration that was not known when the header was written: all bits are 1. */
const unknownTicks: ReadonlySet<number | undefined> = new Set([2 ** 32 - 1, -1]);

/** The longest duration in the headers, in seconds; 0 if they have none. */
export function readStatedDuration({ streams = [], format }: Probed): number {
  const known = streams.filter(({ duration_ts }) => !unknownTicks.has(duration_ts));
  // That of the whole file is made from those of its tracks.
  const whole = known.length < streams.length ? [] : [format?.duration];
  const stated = [...whole, ...known.map(({ duration }) => duration)];
  return Math.max(0, ...stated.map(Number).filter(Number.isFinite));
}

function readMatrix({
  color_space: stated = '',
  width = 0,
  height = 0,
}: ProbedStream): ColourMatrix {
  if (stated.startsWith('bt2020')) return 'bt2020';
  if (stated === 'bt709') return 'bt709';
  if (stated === 'smpte170m' || stated === 'bt470bg') return 'bt601';
  return Math.max(width, height) >= 1280 || Math.min(width, height) >= 720 ? 'bt709' : 'bt601';
}

/** Reads the coding of the pictures of a track, as far as its header says. */
function readPictureFacts(video: ProbedStream): PictureFacts {
  const transfer = { smpte2084: 'pq', 'arib-std-b67': 'hlg' } as const;
  const field = { tt: 'top', tb: 'top', bb: 'bottom', bt: 'bottom' } as const;
  const high = transfer[video.color_transfer as keyof typeof transfer];
  const first = field[video.field_order as keyof typeof field];
  return {
    ...(video.index !== undefined && { videoStream: video.index }),
    ...(high && { transfer: high }),
    ...(first && { firstField: first }),
  };
}

/** Width / height of one pixel; 1 if the file does not say. */
export const readPixelShape = (video: ProbedStream): number =>
  parseRatio(video.sample_aspect_ratio, ':') || 1;

/** The start of the first track by the clock of the file, in seconds. */
export const readStartTime = (probed: Probed): number =>
  Number(probed.format?.start_time ?? 0) || 0;

/** The time code of the first picture: QuickTime has a track for it, Matroska a tag. */
function readTimecode({ streams = [], format }: Probed): Pick<MediaInfo, 'timecode'> {
  const track = streams.find(({ codec_tag_string }) => codec_tag_string === 'tmcd');
  const tags = [track?.tags, ...streams.map((stream) => stream.tags), format?.tags];
  const start = tags.map((some) => some?.['timecode'] ?? some?.['TIMECODE']).find(Boolean);
  const video = findVideoStream({ streams });
  const rates = [track?.avg_frame_rate, video?.avg_frame_rate, video?.r_frame_rate];
  const frameRate = rates.map((rate) => parseRatio(rate, '/')).find(Boolean);
  return start && frameRate ? { timecode: { start, frameRate } } : {};
}

/** The average and the base rate of a track, in its header. */
const readStatedRates = (video: ProbedStream): [average: number, base: number] => [
  parseRatio(video.avg_frame_rate, '/'),
  parseRatio(video.r_frame_rate, '/'),
];

/**
 * @param steady the rate of the packets, by {@link measurePacketRate}
 * @returns null if the file has no video
 */
export function makeMediaInfo(
  probed: Probed,
  duration: number,
  steady: number | null = null,
): MediaInfo | null {
  const video = findVideoStream(probed);
  if (!video?.width || !video.height) return null;
  const audio = findSoundStream(probed);
  const rotation =
    video.side_data_list?.find((data) => data.rotation !== undefined)?.rotation ??
    Number(video.tags?.['rotate'] ?? 0);
  const shownWidth = Math.max(1, Math.round(video.width * readPixelShape(video)));
  const sideways = Math.abs(Math.round(rotation / 90)) % 2 === 1;
  return {
    duration,
    width: sideways ? video.height : shownWidth,
    height: sideways ? shownWidth : video.height,
    frameRate: chooseNominalRate(...readStatedRates(video), steady),
    ...(readStartTime(probed) !== 0 && { startTime: readStartTime(probed) }),
    hasAudio: audio !== undefined,
    ...(audio?.index !== undefined && { audioStream: audio.index }),
    videoCodec: video.codec_name ?? 'unknown',
    audioCodec: audio?.codec_name ?? null,
    colourMatrix: readMatrix(video),
    ...readTimecode(probed),
    ...readPictureFacts(video),
  };
}

/**
 * When packets are shown, and how long, in seconds, from `packet=pts_time,dts_time,duration_time`
 * lines of ffprobe's CSV. AVI only says when a picture is decoded: at most a few frames earlier.
 */
function parsePacketTimes(lines: readonly string[]): { time: number; length: number }[] {
  return lines.flatMap((line) => {
    const [shown = NaN, decoded = NaN, length = NaN] = line.split(',').map(Number.parseFloat);
    const time = Number.isFinite(shown) ? shown : decoded;
    return Number.isFinite(time) ? [{ time, length: Number.isFinite(length) ? length : 0 }] : [];
  });
}

/** The latest end of the packets in {@link parsePacketTimes} lines, in seconds, or 0. */
export const findLastPacketEnd = (lines: readonly string[]): number =>
  parsePacketTimes(lines).reduce((last, { time, length }) => Math.max(last, time + length), 0);

const packetEntries = 'packet=pts_time,dts_time,duration_time';

/** Finds width and height of a rejected picture in ffmpeg's log. */
export const pictureSize = /picture size (\d+)x(\d+) (?:exceeds|is invalid)/i;

/** Reads the headers of an untrusted file. Throws ProcessError if it cannot be opened. */
export async function probe(path: string, signal: AbortSignal): Promise<Probed> {
  const args = ['-v', 'error', ...probeGuard, '-show_format', '-show_streams', '-of', 'json'];
  const output = await run('ffprobe', [...args, '-i', path], { signal, deadlineSeconds: 60 });
  const probed = JSON.parse(output.stdout) as Probed;
  // If pictures are too large, some streams only lose their size, and ffprobe still succeeds.
  if (!findVideoStream(probed) && pictureSize.test(output.stderrTail)) {
    throw new ProcessError('ffprobe', 1, output.stderrTail);
  }
  return probed;
}

/**
 * The real end of the last packet, in seconds from the file's start. Only packets after `from`
 * seconds are read.
 */
export async function measurePacketEnd(
  path: string,
  options: { from: number; startTime: number; signal: AbortSignal },
): Promise<number> {
  let [end, rest] = [0, ''];
  await run(
    'ffprobe',
    // prettier-ignore
    [
      '-v', 'error', ...probeGuard,
      '-read_intervals', `${Math.max(0, options.from + options.startTime).toFixed(3)}%`,
      '-show_entries', packetEntries, '-of', 'csv=p=0', '-i', path,
    ],
    {
      signal: options.signal,
      deadlineSeconds: 600,
      onStdout: (chunk) => {
        const lines = (rest + chunk.toString('latin1')).split('\n');
        rest = lines.pop()!;
        end = Math.max(end, findLastPacketEnd(lines));
      },
    },
  );
  return end > 0 ? end - options.startTime : 0;
}

/** A rate is measured in this much of a source, from its start, in seconds. */
const measuredSeconds = 30;

/**
 * The steady rate of the pictures' packets, if the header leaves a doubt of it; otherwise, or if
 * they are uneven, null.
 */
export async function measurePacketRate(
  path: string,
  probed: Probed,
  signal: AbortSignal,
): Promise<number | null> {
  const video = findVideoStream(probed);
  if (video?.index === undefined || isSureRate(...readStatedRates(video))) return null;
  const { stdout } = await run(
    'ffprobe',
    // prettier-ignore
    [
      '-v', 'error', ...probeGuard, '-select_streams', String(video.index),
      '-read_intervals', `%+${measuredSeconds}`, '-show_entries', packetEntries,
      '-of', 'csv=p=0', '-i', path,
    ],
    { signal, deadlineSeconds: 60 },
  );
  return measureSteadyRate(parsePacketTimes(stdout.split('\n')).map(({ time }) => time));
}
