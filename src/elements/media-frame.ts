import { ClipError } from '../client/clip-error.ts';
import { initialMediaState, type MediaSettings, type MediaState } from '../flow/media-state.ts';
import { newSheet } from './css.ts';
import { FrameElement } from './frame-element.ts';
import { loadPart } from './load-part.ts';
import type { MediaBridge } from './media-bridge.ts';
import { numberFrom } from './reactive-element.ts';
import { closest, flagProperty } from './settings.ts';

/** A style sheet for each ratio, shared by the elements that have it. */
const ratioSheets = new Map<number, CSSStyleSheet>();

function ratioSheet(ratio: number): CSSStyleSheet {
  let sheet = ratioSheets.get(ratio);
  if (!sheet) ratioSheets.set(ratio, (sheet = newSheet(`:host{--_ratio:${ratio}}`)));
  return sheet;
}

/** 0 if it is not known. */
function ratioOf(width: unknown, height: unknown): number {
  const ratio = Number(width) / Number(height);
  return ratio > 0 && ratio < Infinity ? ratio : 0;
}

/**
 * Base class of the elements with a player in their frame: the interface of `HTMLMediaElement`, by
 * the player.js protocol.
 */
export abstract class MediaFrame extends FrameElement {
  static override properties: typeof FrameElement.properties = {
    ...FrameElement.properties,
    autoplay: flagProperty,
    loop: flagProperty,
    playsInline: { attribute: 'playsinline' },
    width: { from: numberFrom },
    height: { from: numberFrom },
    muted: {},
    volume: { attribute: false as const },
    currentTime: { attribute: false as const },
    playbackRate: { attribute: false as const },
  };

  /**
   * Plays as soon as the frame has loaded: with sound where the browser allows it, otherwise muted.
   *
   * @default false
   */
  declare autoplay: boolean;
  /**
   * Begins again at the end.
   *
   * @default false
   */
  declare loop: boolean;
  /** Width of the clip in pixels. With `height`, it sets the aspect ratio before the clip loads. */
  declare width: number | null;
  /** Height of the clip in pixels. */
  declare height: number | null;
  /** Whether playback is paused. */
  declare readonly paused: boolean;
  /** Whether playback has reached the end. */
  declare readonly ended: boolean;
  /** Seconds; NaN until it is known. */
  declare readonly duration: number;
  /** 0: nothing is known. 1: the duration is known. 4: it can play. */
  declare readonly readyState: number;

  #media: MediaState | null = null;
  /** What was set before there was a player. */
  #wanted: Partial<MediaSettings> = {};
  #bridge: MediaBridge | null = null;
  /** Calls of `play()` that wait for the player. */
  #waiting: { resolve: (bridge: MediaBridge) => void; reject: (error: ClipError) => void }[] = [];
  /** The shape that the page has told. */
  #ratio = 0;
  #shownRatio = 0;
  #looped = false;
  /** Whether the next load plays at once, because somebody clicked. */
  protected clicked = false;
  /** Parameters of the page's address, fixed for a load: a change would load the page again. */
  #parameters = '';

  /** Whether the others on the page pause when this one plays. */
  abstract exclusive: boolean;

  /**
   * Plays within the page on phones. `playsinline="false"` lets the browser play in full screen.
   *
   * @default true
   */
  get playsInline(): boolean {
    return this.getAttribute('playsinline') !== 'false';
  }

  set playsInline(value: boolean) {
    this.setAttribute('playsinline', `${value}`);
  }

  /** Seconds from the start. Can be set. */
  get currentTime(): number {
    return this.#state.currentTime;
  }

  set currentTime(value: number) {
    this.#want('currentTime', Math.max(0, value), 'seeking');
  }

  /** 0 to 1. Can be set. */
  get volume(): number {
    return this.#state.volume;
  }

  set volume(value: number) {
    this.#want('volume', Math.min(1, Math.max(0, value)), 'volumechange');
  }

  /**
   * Whether the sound is off. As in HTML, the attribute is only its value at the start.
   *
   * @default false
   */
  get muted(): boolean {
    return this.#state.muted;
  }

  set muted(value: boolean) {
    this.#want('muted', !!value, 'volumechange');
  }

  /** 1 is the usual speed. Can be set. */
  get playbackRate(): number {
    return this.#state.playbackRate;
  }

  set playbackRate(value: number) {
    this.#want('playbackRate', value, 'ratechange');
  }

  /**
   * Loads the frame if necessary, and plays.
   *
   * @throws {ClipError} `player-refused` if the browser wants a click first, `player-silent` if the
   *   page does not speak player.js, and the errors of loading.
   */
  async play(): Promise<void> {
    const ready = new Promise<MediaBridge>((resolve, reject) => {
      if (this.#bridge) resolve(this.#bridge);
      else this.#waiting.push({ resolve, reject });
    });
    if (this.status === 'idle' || this.error) void this.begin();
    await (await ready).play();
  }

  /** Pauses. Without a player there is nothing to pause. */
  pause(): void {
    void this.#bridge?.pause().catch(() => {});
  }

  /** @internal Called by the bridge. */
  mediaChanged(state: MediaState, events: readonly string[]): void {
    this.#media = state;
    for (const name of events) this.dispatchEvent(new Event(name));
  }

  get #state(): MediaState {
    return this.#media ?? { ...initialMediaState, muted: this.hasAttribute('muted') };
  }

  static {
    for (const name of ['paused', 'ended', 'duration', 'readyState'] as const) {
      Object.defineProperty(this.prototype, name, {
        get(this: MediaFrame) {
          return this.#state[name];
        },
      });
    }
  }

  #want<Name extends keyof MediaSettings>(
    name: Name,
    value: MediaSettings[Name],
    event: string,
  ): void {
    if (Number.isNaN(value)) throw new TypeError(`${name} must be a number.`);
    if (this.#bridge) this.#bridge.set(name, value);
    else this.#wanted = { ...this.#wanted, [name]: value };
    this.mediaChanged({ ...this.#state, [name]: value }, [event]);
  }

  protected override loaded(
    signal: AbortSignal,
    { width, height }: { width?: unknown; height?: unknown },
  ): void {
    this.#ratio = ratioOf(width, height);
    signal.addEventListener('abort', () => {
      this.#bridge = this.#media = null;
    });
    const { frame, timeout: timeoutMs } = this;
    loadPart(import('./media-bridge.ts')).then(
      ({ MediaBridge }) => {
        if (signal.aborted) return;
        const bridge = new MediaBridge(this, frame!, { timeoutMs, signal, settings: this.#wanted });
        this.#bridge = bridge;
        this.#wanted = {};
        for (const { resolve } of this.#waiting.splice(0)) resolve(bridge);
      },
      (error: ClipError) => this.#giveUp(error),
    );
  }

  protected override failed(error: ClipError): void {
    this.#giveUp(error);
  }

  protected override dropped(): void {
    this.clicked = false;
    this.#ratio = 0;
    this.#giveUp(
      new ClipError('player-silent', 'The clip was removed before its player answered.'),
    );
  }

  #giveUp(error: ClipError): void {
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }

  protected override updated(): void {
    super.updated();
    if (this.loop !== this.#looped) this.#bridge?.set('loop', (this.#looped = this.loop));
    const ratio = ratioOf(this.width, this.height) || this.#ratio;
    if (ratio === this.#shownRatio) return;
    this.#shownRatio = ratio;
    const root = this.shadowRoot!;
    root.adoptedStyleSheets = [root.adoptedStyleSheets[0]!, ...(ratio ? [ratioSheet(ratio)] : [])];
  }

  protected override begin(): Promise<void> {
    const language = closest(this, '[lang]')?.getAttribute('lang');
    this.#parameters = `${new URLSearchParams({
      ...((this.autoplay || this.clicked) && { autoplay: '1' }),
      ...(this.muted && { muted: '1' }),
      ...(this.loop && { loop: '1' }),
      ...(!this.playsInline && { playsinline: '0' }),
      ...(language && { lang: language }),
    })}`;
    this.#looped = this.loop;
    return super.begin();
  }

  /** The address of a page with the parameters of this load. */
  protected withParameters(address: string): string {
    if (!this.#parameters) return address;
    return `${address}${address.includes('?') ? '&' : '?'}${this.#parameters}`;
  }
}
