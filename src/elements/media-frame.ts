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

/** The most that a side may be longer than the other: nobody could see or press such a clip. */
const longestRatio = 4;

/** 0 if it is not known. */
function ratioOf(width: unknown, height: unknown): number {
  const ratio = Number(width) / Number(height);
  if (!(ratio > 0 && ratio < Infinity)) return 0;
  return Math.min(longestRatio, Math.max(1 / longestRatio, ratio));
}

/** A value as HTML's media elements take it. */
function finite(value: unknown): number {
  const number = Number(value);
  if (!Number.isFinite(number)) throw new TypeError('The value must be a finite number.');
  return number;
}

/** A call of `play()` that has not settled. */
interface PlayCall {
  /** Whether it is about the clip that is loaded now, or loading: it ends with that clip. */
  begun: boolean;
  readonly resolve: () => void;
  readonly reject: (error: ClipError) => void;
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
    playsInline: { ...flagProperty, attribute: 'playsinline' },
    noExclusive: flagProperty,
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
  /**
   * Plays within the page on phones. Without it they may open the clip in full screen.
   *
   * @default false
   */
  declare playsInline: boolean;
  /**
   * Plays beside the others on the page: it neither pauses them nor is paused by them.
   *
   * @default false
   */
  declare noExclusive: boolean;
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
  /** What was set before there was a player, and the sound for later clips. */
  #wanted: Partial<MediaSettings> = {};
  #mediaError: ClipError | null = null;
  #bridge: MediaBridge | null = null;
  readonly #calls = new Set<PlayCall>();
  /** The shape that the page has told. */
  #ratio = 0;
  #shownRatio = 0;
  #looped = false;
  /** Whether the next load plays at once, because somebody clicked. */
  protected clicked = false;
  /** Parameters of the page's address, fixed for a load: a change would load the page again. */
  #parameters = '';

  /** Seconds from the start. Can be set. */
  get currentTime(): number {
    return this.#state.currentTime;
  }

  set currentTime(value: number) {
    this.#want('currentTime', Math.max(0, finite(value)), 'seeking');
  }

  /** 0 to 1. Can be set. */
  get volume(): number {
    return this.#state.volume;
  }

  set volume(value: number) {
    const volume = finite(value);
    if (volume < 0 || volume > 1) {
      throw new DOMException('The volume must be from 0 to 1.', 'IndexSizeError');
    }
    this.#want('volume', volume, 'volumechange');
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
    this.#want('playbackRate', finite(value), 'ratechange');
  }

  /**
   * Loads the frame if necessary, and plays.
   *
   * @throws {ClipError} `player-refused` if the browser wants a click first, `player-silent` if the
   *   page does not speak player.js, `player-interrupted` if `pause()`, another clip or the removal
   *   of the element came first, `player-detached` outside a document, and the errors of loading.
   */
  play(): Promise<void> {
    return new Promise((resolve, reject) => {
      const call: PlayCall = { begun: false, resolve, reject };
      this.#calls.add(call);
      // An element that was just inserted, or has another clip since, loads when it is drawn.
      void this.updateComplete.then(() => {
        if (!this.#calls.has(call)) return;
        call.begun = true;
        if (!this.connected) this.#settle([call], new ClipError('player-detached', detached));
        else if (this.#bridge) this.#ask(this.#bridge, [call]);
        else if (this.status === 'idle' || this.status === 'error') void this.begin();
      });
    });
  }

  /** Pauses. A `play()` that waits rejects with `player-interrupted`. */
  pause(): void {
    this.#settle(this.#calls, new ClipError('player-interrupted', paused));
    void this.#bridge?.pause().catch(() => {});
  }

  /** @internal Called by the bridge. */
  mediaChanged(state: MediaState, events: readonly string[], error?: ClipError): void {
    this.#media = state;
    // As in `<video>`, an error lasts until the clip plays.
    if (error || !state.paused) this.#mediaError = error ?? null;
    for (const name of events) this.dispatchEvent(new Event(name));
  }

  /** Why the frame could not be shown, or its player could not play; null without an error. */
  override get error(): ClipError | null {
    return super.error ?? this.#mediaError;
  }

  get #state(): MediaState {
    return (
      this.#media ?? {
        ...initialMediaState,
        muted: this.hasAttribute('muted'),
        ...this.#wanted,
      }
    );
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
    this.#bridge?.set(name, value);
    if (!this.#bridge || name === 'muted' || name === 'volume') {
      this.#wanted = { ...this.#wanted, [name]: value };
    }
    this.mediaChanged({ ...this.#state, [name]: value }, [event]);
  }

  protected override loaded(
    signal: AbortSignal,
    { width, height }: { width?: unknown; height?: unknown },
  ): void {
    this.#ratio = ratioOf(width, height);
    signal.addEventListener('abort', () => {
      this.#bridge = this.#media = this.#mediaError = null;
    });
    const { frame, timeout: timeoutMs } = this;
    loadPart(import('./media-bridge.ts')).then(
      ({ MediaBridge }) => {
        if (signal.aborted) return;
        const bridge = new MediaBridge(this, frame!, { timeoutMs, signal, settings: this.#wanted });
        this.#bridge = bridge;
        const { currentTime: _time, playbackRate: _rate, ...sound } = this.#wanted;
        this.#wanted = sound;
        this.#ask(bridge, this.#begun);
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
    this.#giveUp(new ClipError('player-interrupted', gone));
  }

  get #begun(): readonly PlayCall[] {
    return [...this.#calls].filter(({ begun }) => begun);
  }

  #ask(bridge: MediaBridge, calls: readonly PlayCall[]): void {
    if (!calls.length) return;
    bridge.play().then(
      () => this.#settle(calls),
      (error: ClipError) => this.#settle(calls, error),
    );
  }

  #giveUp(error: ClipError): void {
    this.#settle(this.#begun, error);
  }

  #settle(calls: Iterable<PlayCall>, error?: ClipError): void {
    for (const call of calls) {
      this.#calls.delete(call);
      if (error) call.reject(error);
      else call.resolve();
    }
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
      ...(this.playsInline && { playsinline: '1' }),
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

const paused = 'pause() was called before the clip played.';
const gone = 'The clip was removed or replaced before it played.';
const detached = 'The element is not in a document: it has no frame to play in.';
