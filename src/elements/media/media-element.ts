import { type CSSResult, unsafeCSS, type PropertyDeclarations } from 'lit';
import { ClipError } from '../../client/clip-error.ts';
import { initialMediaState, type MediaSettings, type MediaState } from '../../flow/media-state.ts';
import {
  defineAttributeProperties,
  flagProperty,
  isOn,
  numberProperty,
} from '../attribute-properties.ts';
import { addStyles, removeStyles } from '../clip-element.ts';
import { FrameElement } from '../frame/frame-element.ts';
import type { MediaBridge } from '../frame/frame-load.ts';
import { getLanguage, checkUrl, getSetting } from '../settings/settings.ts';

/** The styles of each ratio, shared by the elements that have it. */
const ratioStyles = new Map<number, CSSResult>();

function makeStyles(ratio: number): CSSResult {
  const styles = ratioStyles.get(ratio) ?? unsafeCSS(`:host{--_ratio:${ratio}}`);
  ratioStyles.set(ratio, styles);
  return styles;
}

/** The most that a side may be longer than the other: such a clip could not be seen or pressed. */
const longestRatio = 4;

/** 0 if it is not known. */
function computeRatio(width: unknown, height: unknown): number {
  const ratio = Number(width) / Number(height);
  if (!(ratio > 0 && ratio < Infinity)) return 0;
  return Math.min(longestRatio, Math.max(1 / longestRatio, ratio));
}

/** A value as HTML's media elements take it. */
function checkFinite(value: unknown): number {
  const number = Number(value);
  if (!Number.isFinite(number)) throw new TypeError('The value must be a finite number.');
  return number;
}

/**
 * Base class of the elements with a player in a frame: the interface of `HTMLMediaElement`, by the
 * player.js protocol.
 */
export abstract class MediaElement extends FrameElement {
  static override properties: PropertyDeclarations = {
    ...defineAttributeProperties(this, {
      autoplay: flagProperty,
      loop: flagProperty,
      playsInline: { ...flagProperty, attribute: 'playsinline' },
      noExclusive: flagProperty,
      noControls: flagProperty,
      width: numberProperty,
      height: numberProperty,
    }),
    // Declared for values that were set before the element was defined.
    muted: { noAccessor: true },
    volume: { noAccessor: true, attribute: false },
    currentTime: { noAccessor: true, attribute: false },
    playbackRate: { noAccessor: true, attribute: false },
  };

  /**
   * Plays as soon as the frame has loaded: with sound where the browser allows it, otherwise muted.
   *
   * @default false
   */
  declare autoplay: boolean;
  /**
   * Starts again at the end.
   *
   * @default false
   */
  declare loop: boolean;
  /**
   * Plays within the page on phones. Otherwise, they may open the clip in full screen.
   *
   * @default false
   */
  declare playsInline: boolean;
  /**
   * Can play together with others on the page: it neither pauses them nor is paused by them.
   *
   * @default false
   */
  declare noExclusive: boolean;
  /**
   * Hides the controls of the player, for a page with its own.
   *
   * @default false
   */
  declare noControls: boolean;
  /** Width of the clip in pixels. With `height`, it sets the aspect ratio before the clip loads. */
  declare width: number | null;
  /** Height of the clip in pixels. */
  declare height: number | null;

  #state: MediaState | null = null;
  /** Settings from before there was a player, and the sound for later clips. */
  #wanted: Partial<MediaSettings> = {};
  #bridge: MediaBridge | null = null;
  /** Resolves calls of `play()` when the clip that is loaded, or loading, plays. */
  #playing: PromiseWithResolvers<void> | null = null;
  /** The number of calls of `pause()`. */
  #pauses = 0;
  /** The shape that the page has reported. */
  #ratio = 0;
  #styles: CSSResult | null = null;
  #looped = false;
  /** Parameters of the page's address, fixed for a load: a change would load the page again. */
  #parameters = '';
  /** Whether the next load plays at once, because the user clicked. */
  protected clicked = false;
  /** Why the player could not play. */
  #playError: ClipError | null = null;

  override attributeChangedCallback(name: string, old: string | null, text: string | null): void {
    // As in HTML, it is only the value at the start.
    if (name === 'muted') this.requestUpdate();
    else super.attributeChangedCallback(name, old, text);
  }

  /** Why the frame could not be shown, or its player could not play; null without an error. */
  get error(): ClipError | null {
    return this.status === 'signed-out' ? null : (this.frameError ?? this.#playError);
  }

  /** Whether playback is paused. */
  get paused(): boolean {
    return this.#player.paused;
  }

  /** Whether playback has reached the end. */
  get ended(): boolean {
    return this.#player.ended;
  }

  /** Seconds; NaN until it is known. */
  get duration(): number {
    return this.#player.duration;
  }

  /** 0: nothing is known. 1: the duration is known. 4: it can play. */
  get readyState(): number {
    return this.#player.readyState;
  }

  /** Seconds from the start. Can be set. */
  get currentTime(): number {
    return this.#player.currentTime;
  }

  set currentTime(value: number) {
    this.#set('currentTime', Math.max(0, checkFinite(value)), 'seeking');
  }

  /** 0 to 1. Can be set. */
  get volume(): number {
    return this.#player.volume;
  }

  set volume(value: number) {
    const volume = checkFinite(value);
    if (volume < 0 || volume > 1) {
      throw new DOMException('The volume must be from 0 to 1.', 'IndexSizeError');
    }
    this.#set('volume', volume, 'volumechange');
  }

  /**
   * Whether the sound is off. As in HTML, the attribute is the initial value.
   *
   * @default false
   */
  get muted(): boolean {
    return this.#player.muted;
  }

  set muted(value: boolean) {
    this.#set('muted', !!value, 'volumechange');
  }

  /** 1 is normal speed. Can be set. */
  get playbackRate(): number {
    return this.#player.playbackRate;
  }

  set playbackRate(value: number) {
    this.#set('playbackRate', checkFinite(value), 'ratechange');
  }

  /**
   * Loads the frame if necessary, and plays.
   *
   * @throws {ClipError} `player-refused` if the browser wants a click first, `player-silent` if the
   *   page does not speak player.js, `player-interrupted` if `pause()`, another clip or the removal
   *   of the element came first, `player-detached` outside a document, and the errors of loading.
   */
  async play(): Promise<void> {
    if (!this.isConnected) throw new ClipError('player-detached', detached);
    const pauses = this.#pauses;
    // An element that was just inserted, or has another clip since, loads when it is drawn.
    await this.updateComplete;
    if (pauses !== this.#pauses) throw new ClipError('player-interrupted', paused);
    const { promise } = (this.#playing ??= Promise.withResolvers());
    if (this.#bridge) this.#ask(this.#bridge);
    else if (this.status === 'idle' || this.status === 'error') void this.loadFrame();
    return promise;
  }

  /** Pauses. A pending `play()` rejects with `player-interrupted`. */
  pause(): void {
    this.#pauses++;
    this.#settle(this.#playing, new ClipError('player-interrupted', paused));
    void this.#bridge?.pause().catch(() => {});
  }

  get #player(): MediaState {
    return (
      this.#state ?? {
        ...initialMediaState,
        muted: isOn(this.getAttribute('muted')),
        ...this.#wanted,
      }
    );
  }

  protected override updated(): void {
    super.updated();
    const { loop, width, height } = this;
    this.#bridge?.setLanguage(getLanguage(this));
    if (loop !== this.#looped) this.#bridge?.set('loop', (this.#looped = loop));
    const ratio = computeRatio(width, height) || this.#ratio;
    const styles = ratio ? makeStyles(ratio) : null;
    if (styles === this.#styles) return;
    if (this.#styles) removeStyles(this, this.#styles);
    if (styles) addStyles(this, styles);
    this.#styles = styles;
  }

  #set<Name extends keyof MediaSettings>(
    name: Name,
    value: MediaSettings[Name],
    event: string,
  ): void {
    this.#bridge?.set(name, value);
    if (!this.#bridge || name === 'muted' || name === 'volume') {
      this.#wanted = { ...this.#wanted, [name]: value };
    }
    this.#changed({ ...this.#player, [name]: value }, [event]);
  }

  /** Fixes the parameters of the address for the next load. */
  protected override begins(): void {
    const { autoplay, muted, loop, playsInline } = this;
    this.#parameters = `${new URLSearchParams({
      ...((autoplay || this.clicked) && { autoplay: '1' }),
      ...(muted && { muted: '1' }),
      ...(loop && { loop: '1' }),
      ...(playsInline && { playsinline: '1' }),
      ...(this.noControls && { controls: '0' }),
    })}`;
    this.#looped = loop;
  }

  /** The address of a page with the parameters of this load. */
  protected withParameters(address: string): string {
    if (!this.#parameters) return address;
    return `${address}${address.includes('?') ? '&' : '?'}${this.#parameters}`;
  }

  /** The frame has loaded: steers its player. */
  protected override loaded(
    ...[frame, signal, data, Bridge]: Parameters<FrameElement['loaded']>
  ): void {
    this.#ratio = computeRatio(data.width, data.height);
    signal.addEventListener('abort', () => {
      this.#bridge = this.#state = this.#playError = null;
    });
    this.#bridge = new Bridge(frame, {
      element: this,
      views: () => {
        const views = getSetting(this, 'views');
        const place = getSetting(this, 'viewsPlace');
        return views === null ? null : { url: checkUrl(views, 'views').href, place };
      },
      ClipError,
      state: initialMediaState,
      timeoutMs: this.timeout,
      signal,
      settings: this.#wanted,
      isExclusive: () => !this.noExclusive,
      onChange: (state, events, error) => this.#changed(state, events, error),
    });
    const { currentTime: _time, playbackRate: _rate, ...sound } = this.#wanted;
    this.#wanted = sound;
    if (this.#playing) this.#ask(this.#bridge);
  }

  protected override failed(error: ClipError): void {
    this.#settle(this.#playing, error);
  }

  protected override dropped(): void {
    this.clicked = false;
    this.#ratio = 0;
    // An error is not free, and a page may have a thousand clips that are never played.
    if (this.#playing) this.failed(new ClipError('player-interrupted', gone));
  }

  #changed(state: MediaState, events: readonly string[], error?: ClipError): void {
    this.#state = state;
    // As in `<video>`, an error lasts until the clip plays.
    if (error || !state.paused) this.#playError = error ?? null;
    for (const name of events) this.dispatchEvent(new Event(name));
  }

  #ask(bridge: MediaBridge): void {
    const playing = this.#playing;
    bridge.play().then(
      () => this.#settle(playing),
      (error: ClipError) => {
        this.#settle(playing, error);
        // Nothing else in the page would say so.
        if (error.code === 'player-silent' && this.noControls && bridge === this.#bridge)
          this.fail(new ClipError('frame-blank', blank, { retryable: true, cause: error }));
      },
    );
  }

  /** Ends the wait, unless it is another one by now. */
  #settle(playing: PromiseWithResolvers<void> | null, error?: ClipError): void {
    if (playing !== this.#playing) return;
    this.#playing = null;
    if (error) playing?.reject(error);
    else playing?.resolve();
  }
}

const paused = 'pause() was called before the clip played.';
const gone = 'The clip was removed or replaced before it played.';
const blank = "The clip's page did not load. It may be unavailable for the moment.";
const detached = 'The element is not in a document: it has no frame to play in.';
