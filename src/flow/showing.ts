/** The length of a mark, copied from the contract, whose schemas pages do not load. */
const markSeconds = 10;

/** Clips longer than this are counted up to here, whatever the page in a frame reports. */
const maxSeconds = 3600;

/** A view counts after this time, or after a quarter of a shorter clip. */
const viewSeconds = 2;

const percents = [25, 50, 75, 95] as const;

export type ProgressPercent = (typeof percents)[number];

/** The maximum step of playback between two reports, in seconds at the usual speed. */
const maxStepSeconds = 2;
const maxRate = 4;

/** The state that a player reports, as in `HTMLMediaElement`. */
interface Playback {
  readonly paused: boolean;
  readonly currentTime: number;
  readonly duration: number;
  readonly playbackRate: number;
}

/** Counts the watched parts of a clip, from the load of its page to its end. */
export class Showing {
  #at: number;
  #playedSeconds = 0;
  #duration = NaN;
  #isViewed = false;
  readonly #reached = new Set<ProgressPercent>();
  /** The whole seconds that were played, each once. */
  readonly #seconds = new Set<number>();

  /** @param startSeconds where playback begins; NaN if that is not known */
  constructor(startSeconds: number) {
    this.#at = startSeconds;
  }

  /** Notes a jump: what lies between is not watched. */
  jump(): void {
    this.#at = NaN;
  }

  /** Follows playback. Returns what has been reached since the last call, each only once. */
  follow({ paused, currentTime, duration, playbackRate }: Playback): ('view' | ProgressPercent)[] {
    const from = this.#at;
    const step = currentTime - from;
    this.#at = currentTime;
    this.#duration = duration;
    const maxStep = maxStepSeconds * Math.min(maxRate, Math.max(1, playbackRate));
    if (paused || !(step > 0 && step <= maxStep) || currentTime > maxSeconds) return [];
    this.#playedSeconds += step;
    for (let second = Math.floor(from); second < currentTime; second++) this.#seconds.add(second);
    const isView =
      !this.#isViewed && this.#playedSeconds >= Math.min(viewSeconds, duration / 4 || viewSeconds);
    this.#isViewed ||= isView;
    const reached = percents.filter((percent) => {
      const at = (duration * percent) / 100;
      return from < at && at <= currentTime && !this.#reached.has(percent);
    });
    for (const percent of reached) this.#reached.add(percent);
    return isView ? ['view', ...reached] : reached;
  }

  /** The marks that were watched by half or more: 0 for the first ten seconds, 1 for the next. */
  get marks(): number[] {
    const counts = new Map<number, number>();
    for (const second of this.#seconds) {
      const mark = Math.floor(second / markSeconds);
      counts.set(mark, (counts.get(mark) ?? 0) + 1);
    }
    return [...counts]
      .filter(([mark, count]) => {
        const rest = this.#duration - mark * markSeconds;
        return count * 2 >= (rest < markSeconds ? rest : markSeconds);
      })
      .map(([mark]) => mark)
      .sort((a, b) => a - b);
  }
}
