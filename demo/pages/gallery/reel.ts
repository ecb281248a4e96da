/**
 * Maximum difference between source and clip in seconds before the source is moved: a little over
 * two frames.
 */
const maxDriftSeconds = 0.1;
/** A source that is longer than its clip by more than this, in seconds, stops with the clip. */
const maxTailSeconds = 10;

/**
 * Source and clips of one entry, played together. The first clip leads. All are muted; only the
 * first clip may have sound.
 */
export class Reel {
  playing = false;
  heard = false;
  /** Time of the leading clip, in seconds. */
  time = 0;
  readonly #inStep: boolean;
  readonly #changed: () => void;
  #root: HTMLElement | null = null;

  /** With `inStep`, all have the same time; otherwise each runs from its own start. */
  constructor(inStep: boolean, changed: () => void) {
    this.#inStep = inStep;
    this.#changed = changed;
  }

  /** The element that contains the videos. */
  set root(root: Element | undefined) {
    this.#root = root instanceof HTMLElement ? root : null;
  }

  toggle(): void {
    if (this.playing) this.#pause();
    else void this.#play();
  }

  toggleSound(): void {
    this.heard = !this.heard;
    const lead = this.#lead;
    if (lead) lead.muted = !this.heard;
    this.#changed();
  }

  /** Seeks to a time of the clip. */
  seek(time: number): void {
    const lead = this.#lead;
    if (!lead) return;
    for (const video of this.#videos) {
      const share = this.#inStep || !lead.duration ? 1 : video.duration / lead.duration;
      video.preload = 'auto';
      video.currentTime = time * (Number.isFinite(share) ? share : 1);
    }
    this.time = time;
    this.#changed();
  }

  /** Called while the clip plays; keeps the source in sync. */
  follow(): void {
    const lead = this.#lead;
    if (!lead) return;
    this.time = lead.currentTime;
    if (this.#inStep && this.playing) {
      for (const video of this.#others) {
        const away = Math.abs(video.currentTime - lead.currentTime);
        if (away > maxDriftSeconds && lead.currentTime < video.duration - maxDriftSeconds) {
          video.currentTime = lead.currentTime;
        }
      }
    }
    this.#changed();
  }

  /** Called when one of the videos has ended. */
  ended(): void {
    const lead = this.#lead;
    const late = this.#others.filter((video) => !video.ended);
    const wait = late.some(({ duration, currentTime }) => duration - currentTime <= maxTailSeconds);
    if (lead?.ended && (this.#inStep || !wait)) this.#pause();
  }

  get #videos(): HTMLVideoElement[] {
    return [...(this.#root?.querySelectorAll('video') ?? [])];
  }

  get #lead(): HTMLVideoElement | undefined {
    return this.#videos.find((video) => video.dataset['part'] === 'clip');
  }

  get #others(): HTMLVideoElement[] {
    const lead = this.#lead;
    return this.#videos.filter((video) => video !== lead);
  }

  #pause(): void {
    this.playing = false;
    for (const video of this.#videos) video.pause();
    this.#changed();
  }

  async #play(): Promise<void> {
    const lead = this.#lead;
    if (!lead) return;
    if (lead.ended) for (const video of this.#videos) video.currentTime = 0;
    else if (this.#inStep) for (const video of this.#others) video.currentTime = lead.currentTime;
    for (const video of this.#videos) video.muted = !(video === lead && this.heard);
    this.playing = true;
    this.#changed();
    try {
      await Promise.all(this.#videos.map((video) => video.play()));
    } catch {
      // Paused before it began, or a file that cannot be played: reset the button.
      this.#pause();
    }
  }
}
