import type { Dimensions } from '../edit.ts';
import type { Span } from '../facts.ts';
import { run } from '../program/ffmpeg-process.ts';
import { decodeGuard, quietStart } from '../program/input-guard.ts';
import { shownTime } from '../scan/picture-scan.ts';
import type { OpenFinder, Subject, SubjectFinder } from './subject-finder.ts';

/** What is seen of a clip, in seconds from its start. */
export interface ClipLook {
  /** About four a second. */
  sightings: Sighting[];
  /** First instants of new shots. */
  cuts: number[];
}

export interface Sighting {
  time: number;
  subjects: Subject[];
}

/** Longest side in pixels of the small pictures. */
const longest = 480;
/** Seconds between two pictures, a little less than a quarter. */
const step = 0.245;
/** Mean change of the pixels, of 100, from which on two neighbouring frames are different shots. */
const cutThreshold = 8;
/** A shot that is shorter is a flash, or part of a passage. */
const shortestShot = 0.3;

/** Size of the small pictures of a video of this size as shown: the same shape, even sides. */
export function smallSize({ width, height }: Dimensions): Dimensions {
  const scale = longest / Math.max(width, height);
  const even = (side: number) => Math.max(16, Math.round((side * scale) / 2) * 2);
  return { width: even(width), height: even(height) };
}

/**
 * The filters: frames are made small, cuts are logged, and about four pictures a second pass as raw pixels, logged with
 * their times.
 */
const lookFilter = ({ width, height }: Dimensions): string =>
  [
    `scale=${width}:${height}:flags=area`,
    `scdet=threshold=${cutThreshold}`,
    `select='isnan(prev_selected_t)+gte(t-prev_selected_t,${step})'`,
    'format=rgba',
    'showinfo=checksum=0',
  ].join(',');

/** A cut in a line of ffmpeg's `scdet`. */
const cutTime = /^\[(?:Parsed_)?scdet\S* @ \S+\] lavfi\.scd\.score: .*lavfi\.scd\.time: *([\d.]+)/;

/** Cuts that are no flashes: of several within a moment the last, when the picture has come to rest. */
export const steadyCuts = (cuts: readonly number[]): number[] =>
  cuts.filter(
    (time, index) =>
      time > 0 && (cuts[index + 1] === undefined || cuts[index + 1]! - time >= shortestShot),
  );

/** Puts raw bytes that come in pieces of any size together to pictures. */
class PictureReader {
  readonly #size: number;
  #picture: Uint8Array;
  #filled = 0;

  constructor(size: number) {
    this.#size = size;
    this.#picture = new Uint8Array(size);
  }

  *piece(bytes: Buffer): Generator<Uint8Array> {
    let from = 0;
    while (from < bytes.length) {
      const part = bytes.subarray(from, from + this.#size - this.#filled);
      this.#picture.set(part, this.#filled);
      this.#filled += part.length;
      from += part.length;
      if (this.#filled < this.#size) return;
      yield this.#picture;
      this.#picture = new Uint8Array(this.#size);
      this.#filled = 0;
    }
  }
}

/** Asks the finders in turn: the first that sees something has answered. One that breaks is asked no more. */
class Finders {
  #open: SubjectFinder[];
  readonly #onBroken: (error: unknown) => void;

  constructor(open: SubjectFinder[], onBroken: (error: unknown) => void) {
    this.#open = open;
    this.#onBroken = onBroken;
  }

  async look(picture: Uint8Array, signal: AbortSignal): Promise<Subject[]> {
    for (const finder of this.#open) {
      try {
        const subjects = await finder.look(picture);
        if (subjects.length > 0) return subjects;
      } catch (error) {
        signal.throwIfAborted();
        this.#open = this.#open.filter((one) => one !== finder);
        this.#onBroken(error);
      }
    }
    return [];
  }
}

export interface LookOptions {
  /** Source seconds from the file's start. */
  span: Span;
  /** Size of the source as shown. */
  source: Dimensions;
  /** Width over height of the window that is to be cut. */
  shape: number;
  /** In the order in which they are asked. */
  finders: readonly OpenFinder[];
  signal: AbortSignal;
  /** A finder has broken; the others go on. */
  onBroken?: (error: unknown) => void;
  onProgress?: (share: number) => void;
}

/**
 * Looks at a stretch of a video: where its subjects are and where new shots begin. One decode, without the frames that no
 * other frame needs. Throws ProcessError where it cannot be decoded, or the signal's reason.
 */
export async function lookAtClip(path: string, options: LookOptions): Promise<ClipLook> {
  const { span, signal, onBroken, onProgress } = options;
  const size = smallSize(options.source);
  const seconds = span.end - span.start;
  const looking = { size, shape: options.shape, signal };
  const open = options.finders.map((finder) => finder(looking));
  const finders = new Finders(open, (error) => onBroken?.(error));
  const reader = new PictureReader(size.width * size.height * 4);
  const times: number[] = [];
  const cuts: number[] = [];
  const seen: Subject[][] = [];
  try {
    await run(
      'ffmpeg',
      [
        ...[...quietStart, ...decodeGuard, '-an', '-sn', '-dn'],
        ...['-skip_frame', 'noref', '-skip_loop_filter', 'all'],
        ...['-ss', span.start.toFixed(6), '-t', seconds.toFixed(6), '-i', path],
        ...['-map', '0:v:0', '-vf', lookFilter(size), '-vsync', 'passthrough'],
        ...['-f', 'rawvideo', 'pipe:1'],
      ],
      {
        signal,
        deadlineSeconds: 120 + seconds * 20,
        onStderrLine: (line) => {
          const cut = cutTime.exec(line);
          const time = shownTime.exec(line);
          if (cut) cuts.push(Number(cut[1]));
          else if (time) times.push(Math.max(0, Number(time[1])));
        },
        onStdout: async (piece) => {
          for (const picture of reader.piece(piece)) {
            seen.push(await finders.look(picture, signal));
            onProgress?.(Math.min(1, (seen.length * step) / seconds));
          }
        },
      },
    );
  } finally {
    await Promise.all(open.map((finder) => finder.close()));
  }
  const sightings = seen.flatMap((subjects, index) =>
    times[index] === undefined ? [] : [{ time: times[index], subjects }],
  );
  return { sightings, cuts: steadyCuts(cuts) };
}
