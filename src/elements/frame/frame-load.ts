import type { ClipError, ClipErrorCode } from '../../client/clip-error.ts';
import { playerEvents } from '../../contract/player-events.ts';
import type { MediaSettings, MediaState } from '../../flow/media-state.ts';
import { applyMessage, makePlayerCommand, readPlayerMessage } from '../../flow/player-message.ts';
import { followAppearance } from './appearance.ts';
import type { ShowingElement, ViewsSetting } from './showing-events.ts';

/*
 * Loads a page in a frame, and then controls its player. Loaded with the first frame near the
 * viewport. It imports nothing that the elements run: a bundler would cut that out of their chunk,
 * and a page would load one file more.
 */

/** Without `web-share`, because browsers that do not know it log a warning. */
const defaultAllow = 'autoplay; fullscreen; clipboard-write; encrypted-media; picture-in-picture';

/** The message of our own pages. */
const ownHandshake = 'clip-ready';

/** The facts about its clip that a framed page reports when it has loaded. */
export interface Handshake {
  readonly width?: unknown;
  readonly height?: unknown;
}

/** The element that the frame is for. */
interface Framed extends Element {
  readonly timeout: number;
  readonly allow: string | null;
  readonly sandbox: string | null;
  readonly referrerPolicy: string | null;
}

interface Options {
  /** The message that the page posts when it has loaded; null: its `load` event counts. */
  readonly handshake: string | null;
  /** The language of the page around. */
  readonly language: () => string;
  /** Aborts when the frame is no longer wanted. */
  readonly signal: AbortSignal;
  /** Whether a blocked address is the frame's. */
  isOwn(address: string): boolean;
  /** Called when the page in the frame is there. */
  ready(handshakeData: Handshake): void;
  /** Called with what else the page in the frame posts, which may have gone on to another site. */
  received(data: unknown, origin: string): void;
  failed(code: ClipErrorCode, message: string): void;
}

/** Calls a method of the player in a frame. */
function callPlayer(frame: HTMLIFrameElement, ...call: Parameters<typeof makePlayerCommand>): void {
  // Nothing here is secret, and a sandboxed page has no origin to name.
  frame.contentWindow?.postMessage(makePlayerCommand(...call), '*');
}

/** Sends the page's language, which is not in the address: that is the service's own (4.13). */
const sendLanguage = (frame: HTMLIFrameElement, language: string): void =>
  callPlayer(frame, 'clip-setLanguage', language);

function createFrame({ allow, referrerPolicy, sandbox }: Framed): HTMLIFrameElement {
  const frame = document.createElement('iframe');
  frame.setAttribute('part', 'frame');
  frame.allow = allow ?? defaultAllow;
  frame.referrerPolicy = (referrerPolicy ?? 'strict-origin-when-cross-origin') as ReferrerPolicy;
  if (sandbox !== null) frame.setAttribute('sandbox', sandbox);
  return frame;
}

/** Makes a frame, and follows whether the page in it comes. */
export function loadFrame(element: Framed, options: Options): HTMLIFrameElement {
  const { handshake, signal, failed, ready } = options;
  const frame = createFrame(element);
  const blank = () =>
    failed('frame-blank', "The clip's page did not load. It may be unavailable for the moment.");
  let isLoaded = false;
  const timer = setTimeout(
    () => (isLoaded ? blank() : failed('frame-timeout', 'The clip did not load in time.')),
    element.timeout,
  );
  signal.addEventListener('abort', () => clearTimeout(timer));
  const sendAppearance = followAppearance(
    element,
    (appearance) => callPlayer(frame, 'clip-setAppearance', appearance),
    signal,
  );
  const loaded = (handshakeData: Handshake) => {
    clearTimeout(timer);
    sendAppearance();
    ready(handshakeData);
  };
  frame.addEventListener(
    'load',
    () => {
      const code = readStatus(frame);
      if (code >= 400) blank();
      else if (!handshake && code) loaded({});
      else {
        isLoaded = !!code;
        // With or without a clip.
        sendLanguage(frame, options.language());
        sendAppearance();
      }
    },
    { signal },
  );
  addEventListener(
    'message',
    ({ source, origin, data }) => {
      if (source !== frame.contentWindow) return;
      if ((data?.type ?? data) === (handshake ?? ownHandshake)) loaded(Object(data));
      else options.received(data, origin);
    },
    { signal },
  );
  // Browsers report frames that this page's own policy forbids; some fire `load` as well.
  document.addEventListener(
    'securitypolicyviolation',
    ({ effectiveDirective, blockedURI }) => {
      if (effectiveDirective === 'frame-src' && blockedURI && options.isOwn(blockedURI)) {
        failed('frame-blocked', "This site's own security policy does not let the clip be shown.");
      }
    },
    { signal },
  );
  return frame;
}

/** HTTP status of the page in a frame; 200 for any page of another site, 0 if there is no page. */
function readStatus(frame: HTMLIFrameElement): number {
  try {
    const { location, performance } = frame.contentWindow!;
    const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
    // The initial empty page of a frame also fires `load`.
    return location.href === 'about:blank' ? 0 : entry?.responseStatus || 200;
  } catch {
    return 200;
  }
}

interface PlayerError {
  readonly code?: unknown;
  readonly msg?: unknown;
}

/** Whether a player does not have a method. The code is that of a network error of a video, too. */
const isUnknownMethod = ({ code, msg }: PlayerError): boolean =>
  code === 2 && /method/i.test(String(msg));

interface BridgeOptions {
  readonly element: ShowingElement;
  /** The address for views; null for none. Throws for an invalid address. */
  readonly views: () => ViewsSetting | null;
  readonly ClipError: typeof ClipError;
  /** The state of a player that nothing is known of. */
  readonly state: MediaState;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly settings: Partial<MediaSettings>;
  /** Whether it pauses the others on the page, and is paused by them. */
  readonly isExclusive: () => boolean;
  /** Called with each new state, the media events to dispatch, and the error of one of them. */
  readonly onChange: (state: MediaState, events: readonly string[], error?: ClipError) => void;
}

const getters = ['getPaused', 'getDuration', 'getCurrentTime', 'getVolume', 'getMuted'];

const setters: Readonly<Record<string, string>> = {
  playbackRate: 'clip-setPlaybackRate',
  loop: 'setLoop',
  currentTime: 'setCurrentTime',
};

const playing = new Set<MediaBridge>();

/**
 * Steers the player in a frame by the player.js protocol, and follows its state until `signal`
 * aborts. From then on nothing settles: the element asks the player of its next load.
 */
export class MediaBridge {
  readonly #frame: HTMLIFrameElement;
  readonly #options: BridgeOptions;
  #state: MediaState;
  /** The settings so far: a page that loads its player late gets them then. */
  #settings: Partial<MediaSettings>;
  /** Called at the next message that answers a `play()`, with the error if it was refused. */
  readonly #answers = new Set<(error?: ClipError) => void>();
  /** Resolves when the page has sent its first message; rejects if it does not. */
  readonly #introduced: Promise<void>;
  /**
   * The language that was sent. An earlier message may have reached the frame's first, empty page.
   */
  #language = '';
  /** Whether views are being counted. */
  #isShowing = false;

  constructor(frame: HTMLIFrameElement, options: BridgeOptions) {
    this.#frame = frame;
    this.#options = options;
    this.#state = options.state;
    this.#settings = options.settings;
    const { signal } = options;
    const introduce = (): void => {
      for (const event of playerEvents) callPlayer(frame, 'addEventListener', event, 'clip');
      for (const [name, value] of Object.entries(this.#settings)) {
        this.set(name as keyof MediaSettings, value);
      }
      for (const method of getters) callPlayer(frame, method);
    };
    let isIntroduced = false;
    this.#introduced = this.#within((resolve) => {
      addEventListener(
        'message',
        ({ source, data }) => {
          const message = source === frame.contentWindow && readPlayerMessage(data);
          if (!message) return;
          resolve();
          // A page that loads its player late has read nothing of the introduction so far.
          if (!isIntroduced && message.event === 'ready') introduce();
          isIntroduced = true;
          this.#follow(message);
        },
        { signal },
      );
    });
    signal.addEventListener('abort', () => playing.delete(this));
    // Most pages never call a method, so this may have no caller.
    this.#introduced.catch(() => {});
    introduce();
  }

  /** Resolves when it plays. */
  async play(): Promise<void> {
    await this.#introduced;
    if (!this.#state.paused) return;
    await this.#within((resolve, reject) => {
      const answer = (error?: ClipError): void => {
        this.#answers.delete(answer);
        if (error) reject(error);
        else resolve();
      };
      this.#answers.add(answer);
      callPlayer(this.#frame, 'play');
    });
  }

  async pause(): Promise<void> {
    await this.#introduced;
    callPlayer(this.#frame, 'pause');
  }

  set<Name extends keyof MediaSettings>(name: Name, value: MediaSettings[Name]): void {
    this.#settings = { ...this.#settings, [name]: value };
    this.#state = { ...this.#state, [name]: value };
    const frame = this.#frame;
    if (name === 'muted') callPlayer(frame, value ? 'mute' : 'unmute');
    else if (name === 'volume') callPlayer(frame, 'setVolume', Math.round(Number(value) * 100));
    else callPlayer(frame, setters[name]!, value);
  }

  /** Sends the page's language, if it is another than before. */
  setLanguage(language: string): void {
    if (language !== this.#language) sendLanguage(this.#frame, (this.#language = language));
  }

  #follow(message: { event: string; value: unknown }): void {
    // A player that does not know a method of ours, such as `clip-setLanguage`, still plays.
    const value: PlayerError = Object(message.value);
    if (message.event === 'error' && isUnknownMethod(value)) return;
    const { state, events } = applyMessage(this.#state, message);
    this.#state = state;
    const error =
      message.event === 'error'
        ? new this.#options.ClipError('player-refused', refused, {
            retryable: true,
            // A video that cannot be played, and no browser that wants a click first.
            cause: typeof value.code === 'number' ? value : undefined,
          })
        : undefined;
    if (error) for (const answer of this.#answers) answer(error);
    if (state.paused) playing.delete(this);
    else {
      if (!this.#isShowing) void this.#followShowing(state.currentTime);
      for (const answer of this.#answers) answer();
      if (!playing.has(this)) this.#pauseOthers();
    }
    this.#options.onChange(state, events, error);
  }

  async #followShowing(startSeconds: number): Promise<void> {
    this.#isShowing = true;
    const { element, signal, views } = this.#options;
    try {
      const { followShowing } = await import('./showing-events.ts');
      if (!signal.aborted) followShowing(element, views, startSeconds, signal);
    } catch {
      // The clip plays, and nothing is counted.
    }
  }

  #pauseOthers(): void {
    if (!this.#options.isExclusive()) return;
    for (const other of playing) void other.pause();
    playing.add(this);
  }

  /** A promise that rejects if nothing settles it in time. */
  #within(start: (resolve: () => void, reject: (error: ClipError) => void) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      const { ClipError, timeoutMs, signal } = this.#options;
      const timer = setTimeout(() => reject(new ClipError('player-silent', silent)), timeoutMs);
      // The timer would hold the element, and with it the frame.
      signal.addEventListener('abort', () => clearTimeout(timer));
      start(resolve, reject);
    });
  }
}

const silent = "The clip's page does not answer. Pages that are steered must speak player.js.";
const refused = 'The player did not start. Browsers may want a click first; muted clips need none.';
