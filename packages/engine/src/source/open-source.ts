import type { MediaInfo, PictureFacts, SoundFacts } from '../facts.ts';
import { run } from '../program/ffmpeg-process.ts';
import { decodeGuard, probeGuard } from '../program/input-guard.ts';
import { formatRate } from './frame-rate.ts';

/**
 * A source that ffmpeg reads from somewhat before a time on. Its tracks keep the times of the file
 * (`-copyts`), because ffmpeg would move each choice of tracks by another amount.
 */
export interface OpenedSource {
  /** Options of ffmpeg's input. */
  input: string[];
  /** The wanted time by the clock of the file, in seconds. */
  clockSeconds: number;
}

/** A source that can be entered again, without another search for keyframes. */
export interface EnteredSource extends OpenedSource {
  /** The time by which the keyframe is earlier than the wanted time, if that is known. */
  leadSeconds: number;
  /** Opens it for another time, from a keyframe on: seconds from the source's start. */
  enter: (from: number, keyframe: number) => OpenedSource;
}

interface Clock {
  startTime: number;
  container: string;
  /** Keyframes before the time, in seconds from the source's start. */
  keyframes: number[];
}

/**
 * The time before a picture in which its keyframe is looked for, in seconds: most keyframes are
 * close.
 */
const leads = [0.5, 4, 16, 64] as const;

/** Containers whose index leads to the keyframe before a time, by the names of the demuxers. */
const indexed = /^(?:mov,mp4|matroska|avi|flv)/;

/**
 * Others are entered this much earlier: sound and pictures of the same time are apart in the file,
 * and pictures are stored before they are shown.
 */
const entrySeconds = 1.2;

/** MPEG's program streams do not say when each picture is shown: that follows from their order. */
const allTimes = ['-fflags', '+genpts'] as const;

interface ProbedPackets {
  format?: { start_time?: string; format_name?: string };
  packets?: { pts_time?: string; dts_time?: string; flags?: string }[];
}

/** Reads the clock of a file, and its keyframes between two times. */
async function readClock(
  path: string,
  {
    between,
    stream,
    signal,
  }: { between: [number, number] | null; stream: string; signal: AbortSignal },
): Promise<Clock> {
  const [begin, end] = between ?? [0, 0];
  const { stdout } = await run(
    'ffprobe',
    // prettier-ignore
    [
      '-v', 'error', ...probeGuard, ...allTimes, '-of', 'json', '-show_entries',
      `format=start_time,format_name${between ? ':packet=pts_time,dts_time,flags' : ''}`,
      ...(between
        ? ['-select_streams', stream, '-read_intervals', `+${begin.toFixed(6)}%+${(end - begin + 1e-3).toFixed(6)}`]
        : []),
      '-i', path,
    ],
    { signal, deadlineSeconds: 600 },
  );
  const { format, packets = [] } = JSON.parse(stdout) as ProbedPackets;
  const startTime = Number(format?.start_time ?? 0) || 0;
  return {
    startTime,
    container: format?.format_name ?? '',
    keyframes: packets
      .filter(({ flags }) => flags?.startsWith('K'))
      .map(({ pts_time, dts_time }) => Number(pts_time ?? dts_time) - startTime)
      .filter((time) => time <= end + 1e-3),
  };
}

/** Where to enter the file, in seconds from the source's start; 0 or less is its beginning. */
async function findEntry(
  from: number,
  read: (between: [number, number] | null) => Promise<Clock>,
): Promise<{ startTime: number; container: string; entry: number; keyframe?: number }> {
  for (const lead of leads) {
    if (from <= lead) break;
    const { startTime, container, keyframes } = await read([from - lead, from]);
    if (keyframes.length === 0) continue;
    const keyframe = Math.max(...keyframes);
    return { startTime, container, entry: computeEntry(keyframe, from, container), keyframe };
  }
  const { startTime, container } = await read(null);
  // Some streams have no keyframes at all: their pictures become whole after a while.
  return { startTime, container, entry: from - leads.at(-1)! };
}

/** Where to enter a file for a keyframe. ffmpeg enters earlier if pictures are not in order. */
const computeEntry = (keyframe: number, from: number, container: string): number =>
  indexed.test(container) ? Math.min(from, keyframe + 0.2) : keyframe - entrySeconds;

/**
 * Opens a source so that the picture and the sound of a time are certain to be read.
 * @param options.from in seconds from the source's start, which is that of its first track
 * @param options.picture facts of the picture track; null if no exact picture is needed
 * @param options.startTime the start by the clock of the file, if it is known
 * @throws {@link ProcessError} if the file cannot be read, or the signal's reason
 */
export async function openSource(
  path: string,
  options: {
    from: number;
    picture: Pick<PictureFacts, 'videoStream'> | null;
    startTime?: number;
    signal: AbortSignal;
  },
): Promise<EnteredSource> {
  const { from, picture, signal } = options;
  const read = (between: [number, number] | null) =>
    readClock(path, { between, stream: String(picture?.videoStream ?? 'v:0'), signal });
  const { startTime, container, entry, keyframe } =
    picture && from > 0
      ? await findEntry(from, read)
      : {
          ...(options.startTime === undefined
            ? await read(null)
            : { startTime: options.startTime, container: '' }),
          entry: from - entrySeconds,
          keyframe: undefined,
        };
  const enterAt = (seconds: number, place: number): OpenedSource => {
    const seek = place > 0 ? ['-noaccurate_seek', '-ss', place.toFixed(6)] : [];
    const input = [...decodeGuard, ...allTimes, '-copyts', ...seek, '-i', path];
    return { input, clockSeconds: startTime + seconds };
  };
  return {
    ...enterAt(from, entry),
    leadSeconds: from - (keyframe ?? from),
    enter: (time, begin) => enterAt(time, computeEntry(begin, time, container)),
  };
}

/** The filter that makes the wanted time 0. Pictures that began before it begin at 0. */
export const makePictureClock = ({ clockSeconds }: OpenedSource): string =>
  `setpts='max(0,PTS-${clockSeconds.toFixed(6)}/TB)'`;

/**
 * Filters that put decoded pictures on the output's frame grid: the first frame is the picture that
 * is shown at the wanted time, also if it began long before.
 * @param frameRate null: each picture stays at its own time
 */
export const makePictureFilters = (
  opened: OpenedSource,
  facts: PictureFacts,
  frameRate: number | null,
): string =>
  [
    `${makeDeinterlaceFilter(facts)}${makePictureClock(opened)}`,
    // Two more of the last one: a video that ended before the wanted time still has a picture.
    'tpad=stop=2:stop_mode=clone',
    ...(frameRate === null ? [] : [`fps=${formatRate(frameRate)}:start_time=0`]),
    `${withoutBars(facts.content)}${makeEightBitFilter(facts)}`,
  ].join(',');

/** Gaps in the sound from this length on become silence, in seconds: less than a frame. */
const minGapSeconds = 0.03;

/**
 * The beginning of a filter graph: the sound from the wanted time on, continuous, with silence in
 * its gaps. Several tracks are mixed as they are, as their loudness is that of people in one room.
 */
export function makeSoundFilters(
  { audioStream, mixedAudioStreams = [] }: Omit<SoundFacts, 'hasAudio'>,
  { clockSeconds }: Pick<OpenedSource, 'clockSeconds'>,
  sampleRate: number,
): string {
  const filters = [
    `asetpts='PTS-${clockSeconds.toFixed(6)}/TB'`,
    'atrim=start=0',
    `aresample=${sampleRate}:async=1:min_hard_comp=${minGapSeconds}:first_pts=0`,
  ].join(',');
  const tracks = [audioStream ?? 'a:0', ...mixedAudioStreams];
  if (tracks.length === 1) return `[0:${tracks[0]}]${filters}`;
  const alike = 'aformat=sample_fmts=fltp:channel_layouts=stereo';
  return [
    ...tracks.map((track, at) => `[0:${track}]${filters},${alike}[track${at}]`),
    `${tracks.map((_, at) => `[track${at}]`).join('')}amix=inputs=${tracks.length}:normalize=0`,
  ].join(';');
}

const share = (value: number): string => String(Number(value.toFixed(6)));

/** Removes interlacing. */
export function makeDeinterlaceFilter({ firstField }: PictureFacts): string {
  const field = firstField === 'top' ? 'tff' : 'bff';
  return firstField ? `bwdif=mode=send_frame:parity=${field}:deint=all,` : '';
}

/**
 * Makes pictures of standard range 8 bits deep: in deeper ones, a window at an odd place takes half
 * of a colour's bytes. Kinds of 8 bits stay as they are.
 */
export const makeEightBitFilter = ({ transfer }: PictureFacts): string =>
  transfer ? '' : 'format=yuv420p|yuvj420p|yuv422p|yuvj422p|yuv444p|yuvj444p|gray|gbrp|rgb24,';

/** The size of a picture without its black bars. */
export function computeSizeWithoutBars(
  { width, height }: Pick<MediaInfo, 'width' | 'height'>,
  content: PictureFacts['content'],
): Pick<MediaInfo, 'width' | 'height'> {
  if (!content) return { width, height };
  return {
    width: Math.max(1, Math.round(width * content.width)),
    height: Math.max(1, Math.round(height * content.height)),
  };
}

/** Removes black bars only. */
export function withoutBars(content: PictureFacts['content']): string {
  if (!content) return '';
  const { x, y, width, height } = content;
  return `crop=w=iw*${share(width)}:h=ih*${share(height)}:x=iw*${share(x)}:y=ih*${share(y)},`;
}

const transfers = { pq: 'smpte2084', hlg: 'arib-std-b67' } as const;
/** Brightness of white paper in high dynamic range, in cd/m² (ITU-R BT.2408). */
const whiteNits = 203;

/**
 * Converts high dynamic range to BT.709: brightness up to 70 % of white stays, and highlights up to
 * five times as bright as white are brought below it.
 */
export function makeToneMapFilter({ transfer }: PictureFacts): string {
  if (!transfer) return '';
  return [
    `setparams=color_primaries=bt2020:color_trc=${transfers[transfer]}:colorspace=bt2020nc:range=tv`,
    `zscale=t=linear:npl=${whiteNits}`,
    'format=gbrpf32le',
    'zscale=p=bt709',
    'tonemap=mobius:param=0.7:peak=5:desat=0',
    'zscale=t=bt709:m=bt709:r=tv',
    'format=yuv420p,',
  ].join(',');
}
