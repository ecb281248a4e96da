/** How far the source may be from the clip, in seconds, before it is brought back: a little over two frames. */
const drift = 0.1;
/** A source that goes on for longer than this after its clip, in seconds, stops with it. */
const longest = 10;

/** Source and clips of one entry, played together. The first clip leads; all are muted, and it alone may be heard. */
export class Reel {
  playing = false;
  heard = false;
  /** Of the leading clip, in seconds. */
  time = 0;
  readonly #inStep: boolean;
  readonly #changed: () => void;
  #root: HTMLElement | null = null;

  /** Where `inStep`, all have the same time; else each runs from its own start. */
  constructor(inStep: boolean, changed: () => void) {
    this.#inStep = inStep;
    this.#changed = changed;
  }

  /** The element that has the videos in it. */
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

  /** Goes to a time of the clip. */
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

  /** Called as the clip goes on: the source is kept in step with it. */
  follow(): void {
    const lead = this.#lead;
    if (!lead) return;
    this.time = lead.currentTime;
    if (this.#inStep && this.playing) {
      for (const video of this.#others) {
        const away = Math.abs(video.currentTime - lead.currentTime);
        if (away > drift && lead.currentTime < video.duration - drift) {
          video.currentTime = lead.currentTime;
        }
      }
    }
    this.#changed();
  }

  /** Called when one of the videos has come to its end. */
  ended(): void {
    const lead = this.#lead;
    const late = this.#others.filter((video) => !video.ended);
    const wait = late.some(({ duration, currentTime }) => duration - currentTime <= longest);
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
      // Paused before it began, or a file that cannot be played: the button is back at the start.
      this.#pause();
    }
  }
}
