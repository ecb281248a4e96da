import { unsafeCSS, type LitElement, type ReactiveController } from 'lit';
import { ClipError } from '../../client/clip-error.ts';
import {
  initialMediaState,
  type MediaSettings,
  type MediaState,
  playerMessage,
} from '../../flow/media-state.ts';
import { framePart, type FrameController } from '../frame/frame-controller.ts';
import type { Handshake } from '../frame/frame-load.ts';
import { languageOf } from '../settings/settings.ts';
import type { MediaBridge } from './media-bridge.ts';

/** A style sheet for each ratio, shared by the elements that have it. */
const ratioSheets = new Map<number, CSSStyleSheet | undefined>();

function ratioSheet(ratio: number): CSSStyleSheet | undefined {
  if (!ratioSheets.has(ratio)) {
    ratioSheets.set(ratio, unsafeCSS(`:host{--_ratio:${ratio}}`).styleSheet);
  }
  return ratioSheets.get(ratio);
}

/** Calls a method of the player in a frame. */
function callPlayer(frame: HTMLIFrameElement, ...call: Parameters<typeof playerMessage>): void {
  // Nothing here is secret, and a sandboxed page has no origin to name.
  frame.contentWindow?.postMessage(playerMessage(...call), '*');
}

/** The most that a side may be longer than the other: such a clip could not be seen or pressed. */
const longestRatio = 4;

/** 0 if it is not known. */
function ratioOf(width: unknown, height: unknown): number {
  const ratio = Number(width) / Number(height);
  if (!(ratio > 0 && ratio < Infinity)) return 0;
  return Math.min(longestRatio, Math.max(1 / longestRatio, ratio));
}

/** A call of `play()` that has not settled. */
interface PlayCall {
  /** Whether it is about the clip that is loaded now, or loading: it ends with that clip. */
  begun: boolean;
  readonly resolve: () => void;
  readonly reject: (error: ClipError) => void;
}

/** The settings of a player, as properties of its element. */
export interface MediaHost extends LitElement {
  readonly autoplay: boolean;
  readonly loop: boolean;
  readonly muted: boolean;
  readonly playsInline: boolean;
  readonly noExclusive: boolean;
  readonly width: number | null;
  readonly height: number | null;
  readonly timeout: number;
}

/** The player in an element's frame, steered by the player.js protocol. */
export class MediaController implements ReactiveController {
  readonly #host: MediaHost;
  readonly #frame: () => FrameController;
  #state: MediaState | null = null;
  /** What was set before there was a player, and the sound for later clips. */
  #wanted: Partial<MediaSettings> = {};
  #bridge: MediaBridge | null = null;
  readonly #calls = new Set<PlayCall>();
  /** The shape that the page has reported. */
  #ratio = 0;
  #sheet: CSSStyleSheet | undefined;
  #looped = false;
  /** Parameters of the page's address, fixed for a load: a change would load the page again. */
  #parameters = '';
  /** Whether the next load plays at once, because the user clicked. */
  clicked = false;
  /** The language that was sent to the page in the frame; empty for none. */
  #language = '';
  /** Why the player could not play. */
  error: ClipError | null = null;

  constructor(host: MediaHost, frame: () => FrameController) {
    this.#host = host;
    this.#frame = frame;
    host.addController(this);
  }

  get state(): MediaState {
    return (
      this.#state ?? {
        ...initialMediaState,
        muted: this.#host.hasAttribute('muted'),
        ...this.#wanted,
      }
    );
  }

  hostUpdated(): void {
    const { loop, width, height } = this.#host;
    const { element, status } = this.#frame();
    if (element && status === 'ready' && languageOf(this.#host) !== this.#language) {
      this.#sendLanguage(element);
    }
    if (loop !== this.#looped) this.#bridge?.set('loop', (this.#looped = loop));
    const ratio = ratioOf(width, height) || this.#ratio;
    const sheet = ratio ? ratioSheet(ratio) : undefined;
    if (sheet === this.#sheet) return;
    const root = this.#host.shadowRoot!;
    const others = root.adoptedStyleSheets.filter((one) => one !== this.#sheet);
    root.adoptedStyleSheets = sheet ? [...others, sheet] : others;
    this.#sheet = sheet;
  }

  play(): Promise<void> {
    return new Promise((resolve, reject) => {
      const call: PlayCall = { begun: false, resolve, reject };
      this.#calls.add(call);
      if (!this.#host.isConnected) {
        this.#settle([call], new ClipError('player-detached', detached));
        return;
      }
      // An element that was just inserted, or has another clip since, loads when it is drawn.
      void this.#host.updateComplete.then(() => {
        if (!this.#calls.has(call)) return;
        call.begun = true;
        const frame = this.#frame();
        if (this.#bridge) this.#ask(this.#bridge, [call]);
        else if (frame.status === 'idle' || frame.status === 'error') void frame.begin();
      });
    });
  }

  pause(): void {
    this.#settle(this.#calls, new ClipError('player-interrupted', paused));
    void this.#bridge?.pause().catch(() => {});
  }

  set<Name extends keyof MediaSettings>(
    name: Name,
    value: MediaSettings[Name],
    event: string,
  ): void {
    this.#bridge?.set(name, value);
    if (!this.#bridge || name === 'muted' || name === 'volume') {
      this.#wanted = { ...this.#wanted, [name]: value };
    }
    this.#changed({ ...this.state, [name]: value }, [event]);
  }

  /** Fixes the parameters of the address for the next load. */
  begins(): void {
    const { autoplay, muted, loop, playsInline } = this.#host;
    this.#parameters = `${new URLSearchParams({
      ...((autoplay || this.clicked) && { autoplay: '1' }),
      ...(muted && { muted: '1' }),
      ...(loop && { loop: '1' }),
      ...(playsInline && { playsinline: '1' }),
    })}`;
    this.#looped = loop;
  }

  /** The address of a page with the parameters of this load. */
  withParameters(address: string): string {
    if (!this.#parameters) return address;
    return `${address}${address.includes('?') ? '&' : '?'}${this.#parameters}`;
  }

  /** Sends the page's language to a frame as soon as it has loaded, with or without a clip. */
  prepare(frame: HTMLIFrameElement): void {
    frame.addEventListener('load', () => {
      if (this.#frame().status === 'loading') this.#sendLanguage(frame);
    });
  }

  #sendLanguage(frame: HTMLIFrameElement): void {
    this.#language = languageOf(this.#host);
    // Not in the address, which is the service's own (specification 4.13).
    callPlayer(frame, 'clip-setLanguage', this.#language);
  }

  /** The frame has loaded: steers its player. */
  loaded(frame: HTMLIFrameElement, signal: AbortSignal, { width, height }: Handshake): void {
    this.#ratio = ratioOf(width, height);
    // What was sent before may have reached the empty page that a frame begins with.
    this.#language = '';
    signal.addEventListener('abort', () => {
      this.#bridge = this.#state = this.error = null;
    });
    const host = this.#host;
    framePart().then(
      ({ MediaBridge }) => {
        if (signal.aborted) return;
        const bridge = new MediaBridge(frame, {
          call: (...call) => callPlayer(frame, ...call),
          state: initialMediaState,
          timeoutMs: host.timeout,
          signal,
          settings: this.#wanted,
          isExclusive: () => !host.noExclusive,
          onChange: (state, events, error) => this.#changed(state, events, error),
        });
        this.#bridge = bridge;
        const { currentTime: _time, playbackRate: _rate, ...sound } = this.#wanted;
        this.#wanted = sound;
        this.#ask(bridge, this.#begun);
      },
      (error: ClipError) => this.failed(error),
    );
  }

  failed(error: ClipError): void {
    this.#settle(this.#begun, error);
  }

  dropped(): void {
    this.clicked = false;
    this.#ratio = 0;
    // An error is not free, and a page may have a thousand clips that are never played.
    if (this.#calls.size) this.failed(new ClipError('player-interrupted', gone));
  }

  #changed(state: MediaState, events: readonly string[], error?: ClipError): void {
    this.#state = state;
    // As in `<video>`, an error lasts until the clip plays.
    if (error || !state.paused) this.error = error ?? null;
    for (const name of events) this.#host.dispatchEvent(new Event(name));
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

  #settle(calls: Iterable<PlayCall>, error?: ClipError): void {
    for (const call of calls) {
      this.#calls.delete(call);
      if (error) call.reject(error);
      else call.resolve();
    }
  }
}

const paused = 'pause() was called before the clip played.';
const gone = 'The clip was removed or replaced before it played.';
const detached = 'The element is not in a document: it has no frame to play in.';
