import { settingOf } from '../settings/settings.ts';
import type { PageController } from '../settings/page-controller.ts';
import type { LitElement, ReactiveController } from 'lit';
import { asClipError, ClipError, loadPart } from '../../client/clip-error.ts';
import type { Handshake, loadFrame } from './frame-load.ts';

/** `authorizing`: only for elements that need a token first. */
export type FrameStatus = 'idle' | 'authorizing' | 'loading' | 'ready' | 'error' | 'signed-out';

/** What loads a frame. */
export const framePart = (): Promise<typeof import('./frame-load.ts')> =>
  loadPart(import('./frame-load.ts'));

/** The settings of a frame, as properties of its element. */
export interface FrameHost extends LitElement {
  readonly loading: string;
  readonly timeout: number;
  readonly allow: string | null;
  readonly sandbox: string | null;
  readonly referrerPolicy: string | null;
}

interface Callbacks {
  /** The frame's accessible name. */
  name(): string;
  /** The frame's address without secrets. Throws a {@link ClipError} if a setting is missing. */
  address(): string;
  /** Gets what is needed before the frame may load. */
  authorize?(signal: AbortSignal): Promise<void>;
  /** Called before each load. */
  begins?(): void;
  /** Called before a new frame is connected: WebKit applies the referrer policy only then. */
  prepare(frame: HTMLIFrameElement): void;
  /** Called after a new frame is connected. */
  navigate?(frame: HTMLIFrameElement): void;
  /**
   * Called when the page in the frame is there. `signal` aborts when it is no longer wanted.
   */
  loaded(frame: HTMLIFrameElement, signal: AbortSignal, handshakeData: Handshake): void;
  /** Called with what else the page in the frame posts, which may have gone on to another site. */
  received?(data: unknown, origin: string): void;
  failed(error: ClipError): void;
  /** Called when the shown content is no longer wanted. */
  dropped(): void;
}

const frameOptions = ({ allow, referrerPolicy, sandbox }: FrameHost): string =>
  `${allow} ${referrerPolicy} ${sandbox}`;

/** A page in a frame: when it is loaded, whether it came, and why not. */
export class FrameController implements ReactiveController {
  readonly #host: FrameHost;
  readonly #page: PageController;
  readonly #callbacks: Callbacks;
  /** The frame, which the element draws as long as it is there. */
  element: HTMLIFrameElement | null = null;
  status: FrameStatus = 'idle';
  error: ClipError | null = null;
  /** The address and mode of the present load; a change starts another load. */
  #key: string | null = null;
  /** The settings with which the frame was made. */
  #frameOptions = '';
  /** Aborts the present load. */
  #load: AbortController | null = null;
  #navigated: HTMLIFrameElement | null = null;
  /** Set if drawing may remove what has the focus, which then moves to its replacement. */
  #seeksFocus = false;

  constructor(host: FrameHost, page: PageController, callbacks: Callbacks) {
    this.#host = host;
    this.#page = page;
    this.#callbacks = callbacks;
    host.addController(this);
  }

  hostUpdate(): void {
    const host = this.#host;
    this.#seeksFocus ||= !!host.shadowRoot!.activeElement;
    if (!this.#page.connected) return;
    const settings = this.#page.settings(() => {
      const address = this.#callbacks.address();
      if (host.sandbox !== null && !/\ballow-scripts\b/.test(host.sandbox)) {
        throw new ClipError('invalid-option', 'The sandbox needs allow-scripts to play a clip.');
      }
      return `${host.loading} ${address}`;
    });
    if (!settings) return;
    const { key, error } = settings;
    if (key === this.#key) {
      // The settings of a frame apply only to the next page in it.
      if (this.element && frameOptions(host) !== this.#frameOptions) void this.begin();
      return;
    }
    this.#key = key;
    this.#reset();
    this.#callbacks.dropped();
    if (error) this.#fail(error);
    else if (host.loading !== 'click') this.#awaitView();
  }

  hostUpdated(): void {
    if (this.#seeksFocus) {
      // Later, because Firefox focuses no frame while it handles a key press.
      setTimeout(() => {
        // The user may have moved the focus in the meantime.
        if (isLost()) this.#host.focus();
      });
      this.#seeksFocus = isLost();
    }
    const { element } = this;
    if (!element) return;
    element.title = this.#callbacks.name();
    if (element === this.#navigated) return;
    this.#navigated = element;
    this.#callbacks.navigate?.(element);
  }

  /** Loads the frame, or loads it again. */
  async begin(): Promise<void> {
    if (!this.#page.connected) return;
    const { address, authorize, begins } = this.#callbacks;
    begins?.();
    const signal = this.#renew();
    try {
      address();
      const part = framePart();
      part.catch(() => {});
      if (authorize) {
        this.#set('authorizing');
        await authorize(signal);
        signal.throwIfAborted();
      }
      this.#set('loading');
      const { loadFrame } = await part;
      signal.throwIfAborted();
      this.#show(loadFrame, signal);
    } catch (cause) {
      if (!signal.aborted) this.#fail(asClipError(cause));
    }
  }

  /** Loads a frame that was moved: browsers reload it, perhaps with an old token. */
  moved(): void {
    if (this.element) void this.begin();
  }

  /** Ends all work. */
  end(): void {
    this.#key = null;
    this.#reset();
    this.#callbacks.dropped();
  }

  #awaitView(): void {
    // jsdom has no observers.
    if (this.#host.loading === 'eager' || !globalThis.IntersectionObserver) {
      void this.begin();
      return;
    }
    // It is there by the time that the element is near.
    framePart().catch(() => {});
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.at(-1)!.isIntersecting) void this.begin();
      },
      { rootMargin: '300px' },
    );
    observer.observe(this.#host);
    this.#renew().addEventListener('abort', () => observer.disconnect());
  }

  #show(load: typeof loadFrame, signal: AbortSignal): void {
    const { timeout, allow, sandbox, referrerPolicy } = this.#host;
    const frame = load({
      timeout,
      allow,
      sandbox,
      referrerPolicy,
      handshake: settingOf(this.#host, 'handshake'),
      signal,
      isOwn: (address) => !!this.#key?.includes(address),
      ready: (handshakeData) => {
        if (this.status !== 'loading') return;
        this.#set('ready');
        this.#callbacks.loaded(frame, signal, handshakeData);
      },
      received: (data, origin) => this.#callbacks.received?.(data, origin),
      failed: (code, message) => this.#fail(new ClipError(code, message, { retryable: true })),
    });
    this.#callbacks.prepare(frame);
    this.#frameOptions = frameOptions(this.#host);
    this.element = frame;
    this.#host.requestUpdate();
  }

  #fail(error: ClipError): void {
    this.#reset();
    this.#set(error.code === 'signed-out' ? error.code : 'error', error);
    this.#callbacks.failed(error);
  }

  #reset(): void {
    this.#load?.abort();
    this.#load = null;
    this.#set('idle');
  }

  #renew(): AbortSignal {
    this.#reset();
    return (this.#load = new AbortController()).signal;
  }

  #set(status: FrameStatus, error: ClipError | null = null): void {
    if (status !== 'ready') this.element = null;
    this.status = status;
    this.error = error;
    this.#host.requestUpdate();
  }
}

/** Whether what had the focus was removed. */
const isLost = (): boolean => document.body === document.activeElement;
