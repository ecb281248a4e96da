import type { PropertyDeclarations } from 'lit';
import type { ClipError } from '../../client/clip-error.ts';
import {
  attributeProperties,
  flagProperty,
  numberProperty,
  textProperty,
} from '../attribute-properties.ts';
import { ClipElement } from '../clip-element.ts';
import type { FrameController, FrameStatus } from '../frame/frame-controller.ts';
import type { MediaController } from './media-controller.ts';

const defaultTimeoutMs = 15_000;

/** A value as HTML's media elements take it. */
function finite(value: unknown): number {
  const number = Number(value);
  if (!Number.isFinite(number)) throw new TypeError('The value must be a finite number.');
  return number;
}

/**
 * Base class of the elements with a player in a frame: their settings, and the interface of
 * `HTMLMediaElement`.
 */
export abstract class MediaElement extends ClipElement {
  static override properties: PropertyDeclarations = {
    ...attributeProperties(this, {
      project: textProperty,
      handshake: textProperty,
      loading: { from: (text) => text ?? 'lazy' },
      label: textProperty,
      allow: textProperty,
      sandbox: textProperty,
      referrerPolicy: { ...textProperty, attribute: 'referrerpolicy' },
      timeout: { from: (text) => Number(text) || defaultTimeoutMs },
      autoplay: flagProperty,
      loop: flagProperty,
      playsInline: { ...flagProperty, attribute: 'playsinline' },
      noExclusive: flagProperty,
      width: numberProperty,
      height: numberProperty,
    }),
    // Declared for values that were set before the element was defined.
    muted: { noAccessor: true },
    volume: { noAccessor: true, attribute: false },
    currentTime: { noAccessor: true, attribute: false },
    playbackRate: { noAccessor: true, attribute: false },
  };

  /** The clip's project id. */
  declare project: string | null;
  /**
   * The message that the framed page posts when it has loaded: a text, or the `type` of an object.
   * If omitted, the frame's `load` event counts, and the message `clip-ready` of our own pages.
   */
  declare handshake: string | null;
  /**
   * When the frame is loaded.
   *
   * @default 'lazy'
   */
  declare loading: string;
  /** Accessible name of the frame. */
  declare label: string | null;
  /**
   * Permissions policy of the frame. A feature without an origin is for the origin of the clip's
   * page. A change loads the frame again.
   */
  declare allow: string | null;
  /** Sandbox of the frame; none by default. A change loads the frame again. */
  declare sandbox: string | null;
  /** Referrer policy of the frame. A change loads the frame again. */
  declare referrerPolicy: string | null;
  /**
   * Milliseconds until the error `frame-timeout`, or `frame-blank` if there was a `load` event but
   * no handshake.
   *
   * @default 15000
   */
  declare timeout: number;
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

  protected abstract readonly frame: FrameController;
  protected abstract readonly media: MediaController;

  override attributeChangedCallback(name: string, old: string | null, text: string | null): void {
    // As in HTML, it is only the value at the start.
    if (name === 'muted') this.requestUpdate();
    else super.attributeChangedCallback(name, old, text);
  }

  /** The state of the element; also a custom state. */
  get status(): FrameStatus {
    return this.frame.status;
  }

  /** Why the frame could not be shown, or its player could not play; null without an error. */
  get error(): ClipError | null {
    return this.frame.error ?? this.media.error;
  }

  /** Whether playback is paused. */
  get paused(): boolean {
    return this.media.state.paused;
  }

  /** Whether playback has reached the end. */
  get ended(): boolean {
    return this.media.state.ended;
  }

  /** Seconds; NaN until it is known. */
  get duration(): number {
    return this.media.state.duration;
  }

  /** 0: nothing is known. 1: the duration is known. 4: it can play. */
  get readyState(): number {
    return this.media.state.readyState;
  }

  /** Seconds from the start. Can be set. */
  get currentTime(): number {
    return this.media.state.currentTime;
  }

  set currentTime(value: number) {
    this.media.set('currentTime', Math.max(0, finite(value)), 'seeking');
  }

  /** 0 to 1. Can be set. */
  get volume(): number {
    return this.media.state.volume;
  }

  set volume(value: number) {
    const volume = finite(value);
    if (volume < 0 || volume > 1) {
      throw new DOMException('The volume must be from 0 to 1.', 'IndexSizeError');
    }
    this.media.set('volume', volume, 'volumechange');
  }

  /**
   * Whether the sound is off. As in HTML, the attribute is only its value at the start.
   *
   * @default false
   */
  get muted(): boolean {
    return this.media.state.muted;
  }

  set muted(value: boolean) {
    this.media.set('muted', !!value, 'volumechange');
  }

  /** 1 is the usual speed. Can be set. */
  get playbackRate(): number {
    return this.media.state.playbackRate;
  }

  set playbackRate(value: number) {
    this.media.set('playbackRate', finite(value), 'ratechange');
  }

  /**
   * Loads the frame if necessary, and plays.
   *
   * @throws {ClipError} `player-refused` if the browser wants a click first, `player-silent` if the
   *   page does not speak player.js, `player-interrupted` if `pause()`, another clip or the removal
   *   of the element came first, `player-detached` outside a document, and the errors of loading.
   */
  play(): Promise<void> {
    return this.media.play();
  }

  /** Pauses. A `play()` that waits rejects with `player-interrupted`. */
  pause(): void {
    this.media.pause();
  }

  override focus(options?: FocusOptions): void {
    this.shadowRoot?.querySelector<HTMLElement>('iframe, button, a')?.focus(options);
  }
}
