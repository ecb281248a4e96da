import { asClipError } from '../../client/clip-error.ts';
import type { ClipPreview } from '../clip-preview/clip-preview.ts';
import type { FeedClip } from './feed-clips.ts';

/** The one that plays, and one on each side of it. */
const mostFrames = 3;

interface Frame {
  readonly preview: ClipPreview;
  id: string;
  /** Whether its picture has moved: until then the poster is shown. */
  isShown: boolean;
  /** Whether it was asked to play, and has not answered yet. */
  isStarting: boolean;
  /** Whether its page has said that its video cannot be played. */
  isBroken: boolean;
  /** Whether a pause that the feed has asked for is still to come. */
  isPausing: boolean;
}

interface Callbacks {
  /** Called when the element must be drawn again. */
  readonly changed: () => void;
  /** Called when the current clip has reached its end. */
  readonly ended: () => void;
}

/**
 * The frames of a feed: at most three, which are used again for other clips. They never move in the
 * document, because browsers load a moved frame again.
 */
export class FeedFrames {
  readonly #callbacks: Callbacks;
  #frames: readonly Frame[] = [];
  #clips: readonly FeedClip[] = [];
  #index = 0;
  /** Id of the clip that comes into the box, and plays already. */
  #arriving: string | null = null;
  /** Whether the current clip is to play, as far as the visitor is concerned. */
  isWanted = false;
  /** Whether the feed can be seen. */
  isVisible = false;
  isMuted = true;

  constructor(callbacks: Callbacks) {
    this.#callbacks = callbacks;
  }

  get previews(): readonly ClipPreview[] {
    return this.#frames.map(({ preview }) => preview);
  }

  get #current(): Frame | undefined {
    return this.#find(this.#clips[this.#index]);
  }

  get isPlaying(): boolean {
    return this.#current?.preview.paused === false;
  }

  /** Whether the frame of this clip is shown instead of its poster. */
  isShown(id: string): boolean {
    return this.#frames.some((frame) => frame.id === id && frame.isShown);
  }

  /** Whether the page of this clip could not be loaded, or cannot play it. */
  isFailed(id: string): boolean {
    return this.#frames.some((frame) => frame.id === id && isFailed(frame));
  }

  /**
   * Gives the clip at this place a frame, and those beside it once its own page has loaded.
   * `attributes`: those of every frame's element. `mayLoad`: whether a frame may begin to load.
   */
  place(
    clips: readonly FeedClip[],
    index: number,
    attributes: ReadonlyMap<string, string>,
    mayLoad: boolean,
  ): void {
    this.#clips = clips;
    this.#index = index;
    const clip = clips[index];
    if (!clip) return this.#drop();
    const use = (one: FeedClip | undefined) =>
      one && (this.#find(one) ?? this.#use(one, attributes)).preview;
    if (mayLoad && /ready|error/.test(use(clip)!.status)) {
      use(clips[index + 1]);
      use(clips[index - 1]);
    }
    for (const frame of this.#frames) {
      const { preview, id } = frame;
      const row = clips.findIndex((one) => one.id === id) + 1;
      preview.style.gridArea = `${row} / 1 / ${row + 1} / 2`;
      // The feed has the focus and the controls; only a page that failed has controls of its own.
      preview.inert = id !== clip.id || !isFailed(frame);
    }
  }

  /** Plays a clip that comes into the box, if it has a frame; null: the current one again. */
  arrive(id: string | null): void {
    this.#arriving = this.#frames.some((frame) => frame.id === id) ? id : null;
    if (id) this.sync();
  }

  /** Plays or pauses, once the frames are drawn, as the visitor and the page want it now. */
  sync(): void {
    for (const frame of this.#frames) {
      const { preview } = frame;
      if (preview.muted !== this.isMuted) preview.muted = this.isMuted;
      const isNext = this.#arriving !== null && this.#arriving !== this.#clips[this.#index]?.id;
      const isWanted = isNext
        ? frame.id === this.#arriving
        : frame === this.#current && this.isWanted;
      const plays = isWanted && this.isVisible;
      if (plays && preview.paused && !frame.isStarting && !isFailed(frame)) void this.#play(frame);
      if (!plays && !preview.paused && !frame.isPausing) {
        frame.isPausing = true;
        preview.pause();
      }
    }
  }

  /** Removes all frames. */
  end(): void {
    this.#drop();
    this.isVisible = false;
  }

  #drop(): void {
    this.#frames = [];
  }

  async #play(frame: Frame): Promise<void> {
    frame.isStarting = true;
    const { preview, id } = frame;
    const code = await preview.play().then(
      () => null,
      (error: unknown) => asClipError(error).code,
    );
    frame.isStarting = false;
    // A page that could not be loaded has a button of its own that tries again.
    if (code && code !== 'player-interrupted' && id === this.#current?.id && !isFailed(frame)) {
      // Without a click on the page, browsers play only what is muted.
      if (code === 'player-refused' && !this.isMuted) this.isMuted = true;
      else this.isWanted = false;
    }
    this.#callbacks.changed();
  }

  #find(clip: FeedClip | undefined): Frame | undefined {
    return clip && this.#frames.find(({ id }) => id === clip.id);
  }

  /** Loads the page of a clip in a frame that is free, or is the farthest from the current one. */
  #use(clip: FeedClip, common: ReadonlyMap<string, string>): Frame {
    let frame = this.#frames.length < mostFrames ? this.#newFrame() : null;
    if (!frame) {
      const distance = ({ id }: Frame) => {
        const at = this.#clips.findIndex((one) => one.id === id);
        // Of two on both sides, the visitor is more likely to come to the next.
        return at < 0 ? Infinity : Math.abs(at - this.#index - 0.1);
      };
      frame = [...this.#frames].sort((one, other) => distance(other) - distance(one))[0]!;
    }
    frame.id = clip.id;
    frame.isShown = frame.isPausing = frame.isBroken = false;
    const { preview } = frame;
    const attributes = new Map([
      ...common,
      ...clip.attributes,
      ['project', clip.id],
      ['label', clip.title],
    ]);
    for (const name of preview.getAttributeNames()) {
      if (!attributes.has(name) && !/^(style|inert)$/.test(name)) preview.removeAttribute(name);
    }
    for (const [name, value] of attributes) preview.setAttribute(name, value);
    return frame;
  }

  #newFrame(): Frame {
    const preview = document.createElement('clip-preview');
    const frame = {
      preview,
      id: '',
      ...{ isShown: false, isStarting: false, isBroken: false, isPausing: false },
    };
    const isCurrent = () => frame === this.#current;
    const shown = () => {
      if (frame.isShown || preview.paused) return;
      frame.isShown = true;
      this.#callbacks.changed();
    };
    preview.muted = this.isMuted;
    preview.addEventListener('playing', shown);
    preview.addEventListener('timeupdate', shown);
    const setBroken = (isBroken: boolean) => (): void => {
      frame.isBroken = isBroken && !!preview.error?.cause;
      this.#callbacks.changed();
    };
    preview.addEventListener('error', setBroken(true));
    preview.addEventListener('play', setBroken(false));
    // Its page has loaded the video after all.
    preview.addEventListener('durationchange', setBroken(false));
    preview.addEventListener('pause', () => {
      // Otherwise the visitor, or another player of the page, has paused it.
      if (isCurrent() && !frame.isPausing && !preview.ended) this.isWanted = false;
      frame.isPausing = false;
      this.#callbacks.changed();
    });
    preview.addEventListener('ended', () => {
      if (!isCurrent()) return;
      this.#callbacks.ended();
      preview.currentTime = 0;
      this.#callbacks.changed();
    });
    for (const name of ['clip-preview-ready', 'clip-preview-error']) {
      preview.addEventListener(name, this.#callbacks.changed);
    }
    this.#frames = [...this.#frames, frame];
    return frame;
  }
}

const isFailed = ({ preview, isBroken }: Frame): boolean => isBroken || preview.status === 'error';
