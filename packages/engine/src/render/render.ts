import { mkdtemp, open, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { writeAssDocument } from '../captions/ass.ts';
import { filterGraph, linkFonts, type Overlay, placeImage, prepareEmojis } from './filter-graph.ts';
import { getFfmpegAbilities } from '../program/abilities.ts';
import { placeFile, ProcessError, readProgressSeconds, run } from '../program/ffmpeg-process.ts';
import { quietStart } from '../program/input-guard.ts';
import { readPngSize } from './watermark.ts';
import type { Dimensions, Edit } from '../edit.ts';
import { type OpenedSource, openSource } from '../source/open-source.ts';
import { probe, readStatedDuration } from '../source/probe.ts';
import { type ExportQuality, renderArguments, renderSize, segmentPlaylist } from './encoding.ts';
import {
  type BumperFiles,
  joinBumpers,
  listBumperInputs,
  openBumpers,
  sumSeconds,
} from './bumpers.ts';
import { measureSoundLevel } from './loudness.ts';
import type { SoundLevel } from './sound-graph.ts';
import { listMusicInput } from './music.ts';
import { copySegment } from './stream-copy.ts';

/**
 * A watermark: a PNG file from `fetchWatermark`. `pos_*` (0 to 1) is its place in the free space,
 * from the top left; `scale` is a factor of its own size.
 */
export interface WatermarkImage {
  path: string;
  pos_x: number;
  pos_y: number;
  scale: number;
}

export interface RenderOptions {
  /** Path of the source file. */
  source: string;
  /** Path of the MP4 file to write. */
  output: string;
  /** `preview` is about 360 pixels wide; `export` has the size of the edit. */
  quality: 'export' | 'preview';
  /**
   * Bits and work of an export.
   * @default 'standard'
   */
  exportQuality?: ExportQuality | undefined;
  watermark?: WatermarkImage;
  /** Paths of fonts that are not installed. */
  fonts?: readonly string[];
  /** Path of the edit's music, from `readMusicFile`. */
  music?: string | undefined;
  /** The edit's bumpers: an export plays them, and a preview does not. */
  bumpers?: BumperFiles | undefined;
  /** Path of a JPEG picture that players and file managers show for the file. */
  cover?: string | undefined;
  /**
   * Priority of the encode: a higher number gives way to a lower one.
   * @default 10
   */
  niceness?: number | undefined;
  /** If omitted, the render begins with `prepareRender`. */
  prepared?: Promise<PreparedRender>;
  signal: AbortSignal;
  /** Called with the progress, 0 to 1. */
  onProgress?: (share: number) => void;
  /** Called and awaited before the encode. Not called if the source can be copied. */
  onEncode?: () => Promise<void>;
  /**
   * Called with the path of each part of the file as soon as it is encoded: the initialization
   * segment of a fragmented MP4, then its media segments of about a second each, one call after the
   * other. The file may be moved away, and is deleted after the render. Not called for a copy.
   * @throws what it throws fails the render
   */
  onSegment?: ((path: string) => Promise<void>) | undefined;
}

/** The opened source of an edit, and the change of its sound. */
export interface PreparedRender {
  opened: OpenedSource;
  level: SoundLevel | null;
}

/** The result of a render. */
export interface Rendered {
  /** Length in seconds, from the file's header. */
  duration: number;
  /** Size of the file. */
  bytes: number;
  /** Whether the source's pictures were copied, without an encode. */
  copied: boolean;
  /** Processor time of the encode (user and system, all threads); 0 for a copy. */
  cpuSeconds: number;
}

async function readImageSize(path: string) {
  const file = await open(path);
  const head = Buffer.alloc(24);
  await file.read({ buffer: head }).finally(() => file.close());
  const size = readPngSize(head);
  if (!size) throw new Error('The stored watermark is not a PNG file.');
  return size;
}

/** Place and size of a watermark in a render of that size. */
async function placeWatermark(
  image: WatermarkImage,
  input: number,
  edit: Edit,
  size: { width: number; height: number },
): Promise<Overlay> {
  const scale = image.scale * (size.width / edit.dimensions.width);
  return { input, ...placeImage(await readImageSize(image.path), { ...image, scale }, size) };
}

/** Processor seconds from ffmpeg's `-benchmark` line; null for any other line. */
export function readBenchmarkSeconds(line: string): number | null {
  const match = /bench: utime=([\d.]+)s stime=([\d.]+)s/.exec(line);
  return match ? Number(match[1]) + Number(match[2]) : null;
}

async function check(
  path: string,
  wanted: { seconds: number; frameRate: number; size: Dimensions },
  signal: AbortSignal,
) {
  const { seconds, frameRate, size } = wanted;
  const probed = await probe(path, signal);
  const duration = readStatedDuration(probed);
  const video = probed.streams?.find((stream) => stream.codec_type === 'video');
  const sound = probed.streams?.find((stream) => stream.codec_type === 'audio');
  const fits =
    Math.abs(duration - seconds) <= 1 / frameRate + 0.002 &&
    video?.codec_name === 'h264' &&
    sound?.codec_name === 'aac' &&
    video.width === size.width &&
    video.height === size.height;
  if (!fits) {
    throw new Error(
      `The render does not match its edit: ${duration.toFixed(3)} s of ${seconds.toFixed(3)} s, ` +
        `${video?.width}x${video?.height} of ${size.width}x${size.height}.`,
    );
  }
  return duration;
}

/** Calls `onSegment` with the segments of a render that were not there at the call before. */
function createSegmentReader(directory: string, onSegment: (path: string) => Promise<void>) {
  let count = 0;
  let last: Promise<void> = Promise.resolve();
  const read = async (): Promise<void> => {
    const playlist = await readFile(join(directory, segmentPlaylist), 'utf8').catch(() => '');
    const names = playlist.match(/segment-(?:init\.mp4|\d+\.m4s)/g) ?? [];
    for (const name of names.slice(count)) {
      count += 1;
      await onSegment(join(directory, name));
    }
  };
  return (): Promise<void> => (last = last.then(read));
}

/**
 * Tries to copy instead of encoding. If the copy fails, the source is encoded, and may fail there.
 */
async function tryCopy(
  edit: Edit,
  part: string,
  level: SoundLevel | null,
  options: RenderOptions,
): Promise<boolean> {
  const { source, music, signal } = options;
  if (options.quality !== 'export' || options.watermark) return false;
  try {
    return await copySegment(edit, { source, output: part, level, music, signal });
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ProcessError) return false;
    throw error;
  }
}

/** Attaches a picture to an MP4 file beside it. Returns the path of the new file. */
async function withCover(
  part: string,
  cover: string,
  { signal }: Pick<RenderOptions, 'signal'>,
): Promise<string> {
  const output = join(dirname(part), 'covered.mp4');
  await run(
    'ffmpeg',
    // prettier-ignore
    [
      ...quietStart, '-i', part, '-f', 'image2', '-pattern_type', 'none', '-c:v', 'mjpeg', '-i', cover,
      '-map', '0:v', '-map', '0:a', '-map', '1:v', '-c', 'copy', '-disposition:v:1', 'attached_pic',
      '-map_metadata', '-1', '-map_chapters', '-1', '-movflags', '+faststart', '-f', 'mp4', '-y', output,
    ],
    { signal, deadlineSeconds: 600 },
  );
  return output;
}

async function handOver(
  part: string,
  wanted: Parameters<typeof check>[1],
  options: RenderOptions,
  /** Null for a copy. */
  cpuSeconds: number | null,
): Promise<Rendered> {
  const whole = options.cover === undefined ? part : await withCover(part, options.cover, options);
  const duration = await check(whole, wanted, options.signal);
  const { size: bytes } = await stat(whole);
  await placeFile(whole, options.output);
  options.onProgress?.(1);
  return { duration, bytes, copied: cpuSeconds === null, cpuSeconds: cpuSeconds ?? 0 };
}

/** Writes the filter graph of an encode, and what it reads. Returns the inputs after the source. */
async function writeGraph(
  edit: Edit,
  { opened, level }: PreparedRender,
  size: Dimensions,
  directory: string,
  options: RenderOptions,
) {
  const { watermark, signal } = options;
  const files = options.quality === 'export' ? (options.bumpers ?? {}) : null;
  const bumpers = await openBumpers(edit, files, signal);
  const firstInput = edit.music ? 2 : 1;
  const { images, overlays } = await prepareEmojis(edit, size, { directory, firstInput });
  if (watermark) {
    overlays.push(await placeWatermark(watermark, firstInput + images.length, edit, size));
    images.push(watermark.path);
  }
  const joined = joinBumpers(edit, size, bumpers, firstInput + images.length);
  const captions = edit.captions.length > 0 || edit.title !== null;
  if (captions) await writeFile(join(directory, 'c.ass'), writeAssDocument(edit));
  await linkFonts(directory, options.fonts);
  const graph = filterGraph(edit, opened, size, { captions, overlays, level, joined });
  await writeFile(join(directory, 'graph.txt'), graph);
  return { images, bumpers: listBumperInputs(bumpers), seconds: sumSeconds(edit, bumpers) };
}

/**
 * Does what a render needs of an edit's ranges alone: it can be done before the edit is framed.
 * @param options.directory an existing one for temporary files
 */
export async function prepareRender(
  edit: Edit,
  {
    source,
    music,
    directory,
    signal,
  }: { source: string; music?: string | undefined; directory: string; signal: AbortSignal },
): Promise<PreparedRender> {
  const from = edit.ranges[0]!.start;
  const own = await openSource(source, { from, picture: edit.source, signal });
  const opened = { ...own, input: [...own.input, ...listMusicInput(edit, music)] };
  const level = await measureSoundLevel(edit, { opened, directory, signal });
  return { opened, level };
}

/**
 * Renders an edit to an MP4 file (H.264 and AAC at -14 LUFS, index at the front): one encode, or a
 * copy of the pictures if the edit changes nothing. The file is written under a temporary name in
 * the same directory, checked, synced and renamed, so `output` is complete or does not exist.
 * @throws {@link ProcessError} if ffmpeg fails, or the signal's reason
 * @example
 * ```ts
 * const { duration, bytes } = await render(edit, {
 *   source: 'talk.mp4',
 *   output: 'clip.mp4',
 *   quality: 'export',
 *   signal,
 * });
 * ```
 */
export async function render(edit: Edit, options: RenderOptions): Promise<Rendered> {
  const { output, signal } = options;
  const work = await mkdtemp(join(dirname(output), '.render-'));
  try {
    const size = renderSize(edit, options.quality);
    const part = join(work, 'part.mp4');
    const { source, music } = options;
    const preparing = { source, music, directory: work, signal };
    const prepared = await (options.prepared ?? prepareRender(edit, preparing));
    const wanted = { seconds: edit.duration, frameRate: edit.frameRate, size };
    if (await tryCopy(edit, part, prepared.level, options)) {
      return await handOver(part, wanted, options, null);
    }
    await options.onEncode?.();
    const inputs = await writeGraph(edit, prepared, size, work, options);
    const { seconds } = inputs;
    const { graphFile } = await getFfmpegAbilities();
    const { onSegment } = options;
    const readSegments = onSegment && createSegmentReader(work, onSegment);
    let cpuSeconds = 0;
    await run(
      'ffmpeg',
      renderArguments(
        edit,
        { opened: prepared.opened, output: 'part.mp4', ...inputs, inSegments: !!onSegment },
        graphFile,
        options.quality,
        options.exportQuality,
      ),
      {
        signal,
        cwd: work,
        ...(options.niceness !== undefined && { niceness: options.niceness }),
        // A minute of 1080p takes about one minute on one core, and machines may be busy.
        deadlineSeconds: 300 + seconds * 60,
        onStderrLine: (line) => {
          cpuSeconds = readBenchmarkSeconds(line) ?? cpuSeconds;
        },
        onStdout: (chunk) => {
          const done = readProgressSeconds(chunk.toString('latin1'));
          if (done !== null) options.onProgress?.(Math.min(1, done / seconds));
          // The last call, which is awaited, rejects as well.
          readSegments?.().catch(() => {});
        },
      },
    );
    await readSegments?.();
    return await handOver(part, { ...wanted, seconds }, options, cpuSeconds);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
