import { mkdtemp, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { assDocument } from '../captions/ass.ts';
import { prepareEmojis } from './emoji-overlay.ts';
import { ProcessError, run } from '../program/ffmpeg-process.ts';
import { framingAt } from '../framing/framing.ts';
import { filterGraph, placeImage, type Overlay } from './filter-graph.ts';
import { pngSize } from '../source/image-info.ts';
import { quietStart } from '../program/input-guard.ts';
import type { Edit } from '../edit.ts';
import { probe, statedDuration } from '../source/probe.ts';
import { copyStretch } from './stream-copy.ts';
import { frameCount, renderArguments, renderSize, sourceInput } from './render-arguments.ts';

/** An image on disk (PNG, as `fetchWatermark` stores it); `pos_*` 0 to 1 within the free space, `scale` of its own size. */
export interface WatermarkImage {
  path: string;
  pos_x: number;
  pos_y: number;
  scale: number;
}

export interface RenderOptions {
  source: string;
  output: string;
  quality: 'export' | 'preview';
  watermark?: WatermarkImage;
  signal: AbortSignal;
  /** Called with the share done, 0 to 1. */
  onProgress?: (share: number) => void;
  /** Called before the encode, where one is needed; it is waited for. */
  onEncode?: () => Promise<void>;
}

export interface Rendered {
  /** Seconds, as the file states it. */
  duration: number;
  bytes: number;
  /** Whether the source's streams were taken over as they are, without an encode. */
  copied: boolean;
  /** Processor time of the encode, user and system, all threads; 0 for a copy. */
  cpuSeconds: number;
}

async function sizeOfImage(path: string) {
  const file = await open(path);
  const head = Buffer.alloc(24);
  await file.read({ buffer: head }).finally(() => file.close());
  const size = pngSize(head);
  if (!size) throw new Error('The stored watermark is no PNG.');
  return size;
}

/** Where and how large a watermark lies on a render of that size. */
export async function watermarkOverlay(
  image: WatermarkImage,
  input: number,
  edit: Edit,
  size: { width: number; height: number },
): Promise<Overlay> {
  const scale = image.scale * (size.width / edit.dimensions.width);
  return { input, ...placeImage(await sizeOfImage(image.path), { ...image, scale }, size) };
}

/** Processor seconds in ffmpeg's `-benchmark` line; null where the line is another. */
export function benchmarkSeconds(line: string): number | null {
  const match = /bench: utime=([\d.]+)s stime=([\d.]+)s/.exec(line);
  return match ? Number(match[1]) + Number(match[2]) : null;
}

/** Seconds of output in a line of `-progress`; null where the line is another. */
export function progressSeconds(line: string): number | null {
  const match = /^out_time_(?:us|ms)=(\d+)/m.exec(line);
  return match ? Number(match[1]) / 1e6 : null;
}

async function check(
  path: string,
  edit: Edit,
  size: { width: number; height: number },
  signal: AbortSignal,
) {
  const probed = await probe(path, signal);
  const duration = statedDuration(probed);
  const video = probed.streams?.find((stream) => stream.codec_type === 'video');
  const sound = probed.streams?.find((stream) => stream.codec_type === 'audio');
  const fits =
    Math.abs(duration - edit.duration) <= 1 / edit.frameRate + 0.002 &&
    video?.codec_name === 'h264' &&
    sound?.codec_name === 'aac' &&
    video.width === size.width &&
    video.height === size.height;
  if (!fits) {
    throw new Error(
      `The render does not fit its edit: ${duration.toFixed(3)} s of ${edit.duration.toFixed(3)} s, ` +
        `${video?.width}x${video?.height} of ${size.width}x${size.height}.`,
    );
  }
  return duration;
}

async function syncToDisk(path: string): Promise<void> {
  const file = await open(path, 'r+');
  await file.sync().finally(() => file.close());
}

/** Whether the render could be had by copying; a source that cannot be copied is encoded, and fails there if it has to. */
async function copied(edit: Edit, part: string, options: RenderOptions): Promise<boolean> {
  const { source, signal } = options;
  if (options.quality !== 'export' || options.watermark) return false;
  try {
    return await copyStretch(edit, { source, output: part, signal });
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ProcessError) return false;
    throw error;
  }
}

async function handOver(
  part: string,
  edit: Edit,
  size: { width: number; height: number },
  options: RenderOptions,
  /** Null: copied. */
  cpuSeconds: number | null,
): Promise<Rendered> {
  const duration = await check(part, edit, size, options.signal);
  await syncToDisk(part);
  const { size: bytes } = await stat(part);
  await rename(part, options.output);
  options.onProgress?.(1);
  return { duration, bytes, copied: cpuSeconds === null, cpuSeconds: cpuSeconds ?? 0 };
}

/**
 * Renders an edit to `output`: H.264 and AAC in MP4, the index at the front, by one ffmpeg with one encode, or by a copy where
 * the edit changes nothing. Written under a temporary name in the same directory, checked against the edit, synced and renamed: `output` is whole or not there.
 * `preview` is a small render (about 360 pixels wide) of the same edit.
 * Throws ProcessError where ffmpeg fails, or the signal's reason.
 */
export async function render(edit: Edit, options: RenderOptions): Promise<Rendered> {
  const { output, signal } = options;
  const work = await mkdtemp(join(dirname(output), '.render-'));
  try {
    const size = renderSize(edit, options.quality);
    const part = join(work, 'part.mp4');
    if (await copied(edit, part, options)) return await handOver(part, edit, size, options, null);
    await options.onEncode?.();
    const emojis = await prepareEmojis(edit, size, { directory: work, firstInput: 1 });
    const overlays = [...emojis.overlays];
    const images = [...emojis.images];
    if (options.watermark) {
      images.push(options.watermark.path);
      overlays.push(await watermarkOverlay(options.watermark, images.length, edit, size));
    }
    const captions = edit.captions.length > 0 || edit.title !== null;
    if (captions) await writeFile(join(work, 'c.ass'), assDocument(edit));
    await writeFile(join(work, 'graph.txt'), filterGraph(edit, size, { captions, overlays }));
    let cpuSeconds = 0;
    await run(
      'ffmpeg',
      renderArguments(edit, { source: options.source, output: part, images }, options.quality),
      {
        signal,
        cwd: work,
        // Pixels decide the time: a 1080p minute takes about one minute on a core, and machines may be busy.
        deadlineSeconds: 300 + edit.duration * 60,
        onStderrLine: (line) => {
          cpuSeconds = benchmarkSeconds(line) ?? cpuSeconds;
        },
        onStdout: (piece) => {
          const done = progressSeconds(piece.toString('latin1'));
          if (done !== null) options.onProgress?.(Math.min(1, done / edit.duration));
        },
      },
    );
    return await handOver(part, edit, size, options, cpuSeconds);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Writes a JPEG of the preview's size, a third into the edit, without captions. Whole or not there. */
export async function renderPoster(
  edit: Edit,
  options: { source: string; output: string; signal: AbortSignal },
): Promise<void> {
  const work = await mkdtemp(join(dirname(options.output), '.poster-'));
  try {
    const at = Math.floor(frameCount(edit) / 3) / edit.frameRate;
    const range = edit.ranges.find(({ start, end }) => at < end - start) ?? edit.ranges[0]!;
    const start = range.start + Math.min(at, (range.end - range.start) / 2);
    const shot: Edit = {
      ...edit,
      framing: framingAt(edit.framing, Math.floor(frameCount(edit) / 3)),
      ranges: [{ start, end: start + 1 / edit.frameRate }],
      duration: 1 / edit.frameRate,
      source: { ...edit.source, hasAudio: false },
    };
    const size = renderSize(edit, 'preview');
    const graph = filterGraph(shot, size, { captions: false, overlays: [] });
    // JPEG codes its colours by BT.601, over the full range.
    const coded =
      '[v]scale=in_color_matrix=bt709:out_color_matrix=bt601:out_range=pc,format=yuvj420p[j]';
    await writeFile(join(work, 'graph.txt'), `${graph};${coded};[a]anullsink`);
    const part = join(work, 'part.jpg');
    await run(
      'ffmpeg',
      [
        ...[...quietStart, ...sourceInput(shot, options.source)],
        ...['-filter_complex_script', 'graph.txt', '-map', '[j]', '-frames:v', '1'],
        ...['-q:v', '4', '-f', 'image2', '-update', '1', '-y', part],
      ],
      { signal: options.signal, cwd: work, deadlineSeconds: 120 },
    );
    const { size: bytes } = await stat(part);
    if (bytes === 0) throw new ProcessError('ffmpeg', 0, 'no picture was written');
    await syncToDisk(part);
    await rename(part, options.output);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
