import { ClipError } from '../../client/clip-error.ts';
import type { MediaSettings, MediaState } from '../../flow/media-state.ts';
import { afterMessage, readPlayerMessage } from '../../flow/player-message.ts';

/** What player.js answers to a method that a player does not have. */
const unknownMethod = 2;

interface PlayerError {
  readonly code?: unknown;
}

interface Options {
  /** Calls a method of the player. */
  readonly call: (method: string, value?: unknown, listener?: string) => void;
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

const events = [
  'ready',
  'play',
  'pause',
  'ended',
  'timeupdate',
  'progress',
  'seeked',
  'error',
  'clip-playing',
  'clip-waiting',
  'clip-volumechange',
  'clip-ratechange',
  'clip-durationchange',
];

const getters = ['getPaused', 'getDuration', 'getCurrentTime', 'getVolume', 'getMuted'];

const playing = new Set<MediaBridge>();

/**
 * Steers the player in a frame by the player.js protocol, and follows its state until `signal`
 * aborts. From then on nothing settles: the element asks the player of its next load.
 */
export class MediaBridge {
  readonly #options: Options;
  #state: MediaState;
  /** What was set so far: a page that loads its player late gets it then. */
  #settings: Partial<MediaSettings>;
  /** Called at the next message that answers a `play()`, with the error if it was refused. */
  readonly #answers = new Set<(error?: ClipError) => void>();
  /** Resolves when the page has sent its first message; rejects if it does not. */
  readonly #introduced: Promise<void>;

  constructor(frame: HTMLIFrameElement, options: Options) {
    this.#options = options;
    this.#state = options.state;
    this.#settings = options.settings;
    const { signal, call } = options;
    const introduce = (): void => {
      for (const event of events) call('addEventListener', event, 'clip');
      for (const [name, value] of Object.entries(this.#settings)) {
        this.set(name as keyof MediaSettings, value);
      }
      for (const method of getters) call(method);
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
      this.#options.call('play');
    });
  }

  async pause(): Promise<void> {
    await this.#introduced;
    this.#options.call('pause');
  }

  set<Name extends keyof MediaSettings>(name: Name, value: MediaSettings[Name]): void {
    this.#settings = { ...this.#settings, [name]: value };
    this.#state = { ...this.#state, [name]: value };
    const { call } = this.#options;
    if (name === 'muted') call(value ? 'mute' : 'unmute');
    else if (name === 'volume') call('setVolume', Math.round(Number(value) * 100));
    else if (name === 'playbackRate') call('clip-setPlaybackRate', value);
    else call(name === 'loop' ? 'setLoop' : 'setCurrentTime', value);
  }

  #follow(message: { event: string; value: unknown }): void {
    // A player that does not know a method of ours, such as `clip-setLanguage`, still plays.
    if (message.event === 'error' && (message.value as PlayerError | null)?.code === unknownMethod)
      return;
    const { state, events } = afterMessage(this.#state, message);
    this.#state = state;
    const error =
      message.event === 'error'
        ? new ClipError('player-refused', refused, { retryable: true })
        : undefined;
    if (error) for (const answer of this.#answers) answer(error);
    if (state.paused) playing.delete(this);
    else {
      for (const answer of this.#answers) answer();
      if (!playing.has(this)) this.#pauseOthers();
    }
    this.#options.onChange(state, events, error);
  }

  #pauseOthers(): void {
    if (!this.#options.isExclusive()) return;
    for (const other of playing) void other.pause();
    playing.add(this);
  }

  /** A promise that rejects if nothing settles it in time. */
  #within(start: (resolve: () => void, reject: (error: ClipError) => void) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new ClipError('player-silent', silent)),
        this.#options.timeoutMs,
      );
      // The timer would hold the element, and with it the frame.
      this.#options.signal.addEventListener('abort', () => clearTimeout(timer));
      start(
        () => {
          clearTimeout(timer);
          resolve();
        },
        (error) => {
          clearTimeout(timer);
          reject(error);
        },
      );
    });
  }
}

const silent = "The clip's page does not answer. Pages that are steered must speak player.js.";
const refused = 'The player did not start. Browsers may want a click first; muted clips need none.';
