import { setImmediate } from 'node:timers/promises';
import type { Dimensions } from '../edit.ts';
import type { PictureFacts } from '../facts.ts';
import { run } from '../program/ffmpeg-process.ts';
import { quietStart } from '../program/input-guard.ts';
import { shownTime } from '../scan/picture-scan.ts';
import { makePictureFilters, makeToneMapFilter, type OpenedSource } from '../source/open-source.ts';
import { analysisNiceness } from '../program/process-limits.ts';

/** Pictures that are decoded while another one is analysed. */
const readAhead = 4;
/** Buffers for those, the one that is read, the one that is analysed, and the one before it. */
const heldPictures = readAhead + 3;

/**
 * Joins raw bytes, in chunks of any size, to pictures: {@link heldPictures} in turns, which worker
 * threads can read without a copy.
 */
class PictureReader {
  readonly #pictures: readonly Uint8Array[];
  #number = 0;
  #filled = 0;

  constructor(size: number) {
    const bytes = () => new Uint8Array(new SharedArrayBuffer(size));
    this.#pictures = Array.from({ length: heldPictures }, bytes);
  }

  *read(bytes: Buffer): Generator<Uint8Array> {
    let from = 0;
    while (from < bytes.length) {
      const picture = this.#pictures[this.#number % heldPictures]!;
      const part = bytes.subarray(from, from + picture.length - this.#filled);
      picture.set(part, this.#filled);
      this.#filled += part.length;
      from += part.length;
      if (this.#filled < picture.length) return;
      this.#number += 1;
      this.#filled = 0;
      yield picture;
    }
  }
}

export interface ReadPicturesOptions {
  source: PictureFacts;
  /** ffmpeg's filters, which end with `format=rgba` in this size, and `showinfo`. */
  filters: string;
  size: Dimensions;
  /** Length of the decoded part. */
  seconds: number;
  /**
   * Decodes no other pictures, which takes a tenth of the time.
   * @default false
   */
  keyframesAlone?: boolean;
  signal: AbortSignal;
  onLine?: (line: string) => void;
}

/**
 * Decodes pictures of a source and hands them on one after the other. Throws ProcessError if they
 * cannot be decoded, or the signal's reason.
 * @returns the times of the pictures that were handed on, in seconds
 */
export async function readPictures(
  opened: OpenedSource,
  options: ReadPicturesOptions,
  onPicture: (picture: Uint8Array, time: number) => Promise<void>,
): Promise<number[]> {
  const { source, filters, size, seconds, keyframesAlone, signal, onLine } = options;
  const reader = new PictureReader(size.width * size.height * 4);
  const times: number[] = [];
  const waiting: Promise<void>[] = [];
  let count = 0;
  let hasEnded = false;
  let looked = Promise.resolve();
  try {
    await run(
      'ffmpeg',
      // prettier-ignore
      [
        // Each line counts, also if it is the same as the one before.
        ...quietStart, '-loglevel', 'repeat+info', '-an', '-sn', '-dn',
        '-skip_loop_filter', 'all', ...(keyframesAlone ? ['-skip_frame', 'nokey'] : []), ...opened.input,
        '-map', `0:${source.videoStream ?? 'v:0'}`,
        '-vf', filters, '-fps_mode', 'passthrough',
        '-f', 'rawvideo', 'pipe:1',
      ],
      {
        signal,
        niceness: analysisNiceness,
        deadlineSeconds: 120 + seconds * 20,
        onStderrLine: (line) => {
          onLine?.(line);
          const time = shownTime.exec(line);
          if (time) times.push(Math.max(0, Number(time[1])));
        },
        onStdout: async (chunk) => {
          for (const picture of reader.read(chunk)) {
            const index = count++;
            looked = looked.then(async () => {
              // Its line was written first, but may be read a moment later.
              while (times[index] === undefined && !hasEnded) await setImmediate();
              await onPicture(picture, times[index] ?? seconds);
            });
            // It is awaited later, when it may have failed for long.
            looked.catch(() => {});
            waiting.push(looked);
            if (waiting.length > readAhead) await waiting.shift();
          }
        },
      },
    );
    hasEnded = true;
    await looked;
  } finally {
    hasEnded = true;
    await Promise.allSettled(waiting);
  }
  return times;
}

/** Each input of an ffmpeg holds the source's index, which has 60 MB for five hours. */
const maxInputs = 3;

interface EachOptions extends Pick<ReadPicturesOptions, 'source' | 'size' | 'signal'> {
  frameRate: number;
}

/**
 * Decodes the picture that is shown at the time of each source. Those that no other picture needs
 * are not decoded: up to three earlier, another one is returned.
 * @returns a picture for each, or none at all if one of them cannot be decoded
 * @throws {@link ProcessError} if the file cannot be read, or the signal's reason
 */
export async function readOnePictureEach(
  opened: readonly OpenedSource[],
  options: EachOptions,
): Promise<Uint8Array[]> {
  const pictures: Uint8Array[] = [];
  for (let at = 0; at < opened.length; at += maxInputs) {
    const some = await readTogether(opened.slice(at, at + maxInputs), options);
    if (some.length === 0) return [];
    pictures.push(...some);
  }
  return pictures;
}

/** Decodes the picture of each source with one program. */
async function readTogether(
  opened: readonly OpenedSource[],
  options: EachOptions,
): Promise<Uint8Array[]> {
  const { source, size, signal, frameRate } = options;
  const graph = opened.map(
    (one, index) =>
      `[${index}:${source.videoStream ?? 'v:0'}]${makePictureFilters(one, source, frameRate)}trim=end_frame=1,setpts=0,scale=${size.width}:${size.height}:flags=area,${makeToneMapFilter(source)}format=rgba[p${index}]`,
  );
  const all = `${opened.map((_, index) => `[p${index}]`).join('')}concat=n=${opened.length}[all]`;
  const chunks: Buffer[] = [];
  await run(
    'ffmpeg',
    // prettier-ignore
    [
      ...quietStart, '-v', 'error',
      ...opened.flatMap(({ input }) => [
        '-an', '-sn', '-dn', '-skip_loop_filter', 'all', '-skip_frame', 'noref', ...input,
      ]),
      '-filter_complex', [...graph, all].join(';'), '-map', '[all]',
      '-fps_mode', 'passthrough', '-f', 'rawvideo', 'pipe:1',
    ],
    {
      ...{ signal, niceness: analysisNiceness, deadlineSeconds: 120 },
      onStdout: (chunk) => void chunks.push(chunk),
    },
  );
  const bytes = Buffer.concat(chunks);
  const length = size.width * size.height * 4;
  if (bytes.length !== length * opened.length) return [];
  return opened.map((_, index) => bytes.subarray(index * length, (index + 1) * length));
}
