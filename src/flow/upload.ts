/** The facts about a file before it is sent. */
export interface FileFacts {
  readonly name: string;
  /** The media type that the browser gives; may be empty. */
  readonly type: string;
  /** In bytes. */
  readonly size: number;
  /** Length of the video; null if the browser cannot read it. */
  readonly seconds: number | null;
}

export interface FileLimits {
  readonly maxBytes: number | null;
  readonly maxSeconds: number;
}

export type FileFault = 'file-empty' | 'file-not-video' | 'file-too-large' | 'file-too-long';

const videoEnding = /\.(3gp|avi|flv|m2ts|m4v|mkv|mov|mp4|mpe?g|mts|mxf|ogv|ts|webm|wmv)$/i;
const soundEnding = /\.(aac|flac|m4a|m4b|mp3|og[ag]|opus|wav)$/i;
const subtitlesEnding = /\.(srt|vtt|ass|ssa|sbv|ttml)$/i;

/** Whether it is a file of subtitles, by its name. */
export const isSubtitles = (name: string): boolean => subtitlesEnding.test(name);

/** A file's name without its ending, as the name of a video. */
export const nameWithoutEnding = (name: string): string => name.replace(/(?<=.)\.\w{1,5}$/, '');

/** Why a file cannot be made into clips; null if nothing is against it. */
export function findFileFault(file: FileFacts, limits: FileLimits): FileFault | null {
  // Browsers know no type of some files, and use a type of their own for others.
  const isMedia =
    /^(?:video|audio)\//.test(file.type) ||
    videoEnding.test(file.name) ||
    soundEnding.test(file.name);
  if (!isMedia) return 'file-not-video';
  if (!file.size) return 'file-empty';
  if (limits.maxBytes !== null && file.size > limits.maxBytes) return 'file-too-large';
  return file.seconds !== null && file.seconds > limits.maxSeconds ? 'file-too-long' : null;
}

/** Grants one turn at a time. Of those that wait, the one with the lowest place is next. */
export class TurnQueue {
  #isTaken = false;
  /** The functions that begin a turn, each with its place. */
  readonly #waiting = new Map<() => void, number>();

  /** Resolves with the function that ends the turn; rejects with the signal's reason before it. */
  take(place: number, signal: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(signal.reason);
        return;
      }
      const leave = (): void => {
        this.#waiting.delete(begin);
        reject(signal.reason);
      };
      const begin = (): void => {
        signal.removeEventListener('abort', leave);
        let isOver = false;
        resolve(() => {
          if (isOver) return;
          isOver = true;
          this.#isTaken = false;
          this.#beginNext();
        });
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#waiting.set(begin, place);
      this.#beginNext();
    });
  }

  /** Marks the turn as taken in the step that grants it: another caller must not get it too. */
  #beginNext(): void {
    const [next] = [...this.#waiting].toSorted(([, a], [, b]) => a - b);
    if (this.#isTaken || !next) return;
    this.#isTaken = true;
    this.#waiting.delete(next[0]);
    next[0]();
  }
}

/** The bytes that were sent by a moment, in milliseconds. */
export interface SentSample {
  readonly at: number;
  readonly sent: number;
}

/** The rate is that of the last seconds: a connection changes. */
const windowMs = 20_000;
/** A shorter time is not a reliable sample. */
const minWindowMs = 2000;

/** Returns the samples with a new one. If bytes were lost, counting begins again. */
export function withSample(samples: readonly SentSample[], next: SentSample): SentSample[] {
  const last = samples.at(-1);
  if (last && next.sent < last.sent) return [next];
  return [...samples.filter(({ at }) => next.at - at <= windowMs), next];
}

/** Milliseconds until all bytes are sent at the rate of the samples; null if it is not known. */
export function estimateMsLeft(samples: readonly SentSample[], size: number): number | null {
  const [first] = samples;
  const last = samples.at(-1);
  if (!first || !last || last.at - first.at < minWindowMs || last.sent <= first.sent) return null;
  return ((size - last.sent) * (last.at - first.at)) / (last.sent - first.sent);
}
