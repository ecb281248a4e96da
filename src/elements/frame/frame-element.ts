import {
  html,
  nothing,
  type PropertyDeclarations,
  type PropertyValues,
  type TemplateResult,
} from 'lit';
import { asClipError, ClipError, loadPart } from '../../client/clip-error.ts';
import { defineAttributeProperties, textProperty } from '../attribute-properties.ts';
import { ClipElement } from '../clip-element.ts';
import { PageController } from '../settings/page-controller.ts';
import { getLanguage, getSetting } from '../settings/settings.ts';
import type { Handshake } from './frame-load.ts';

/** `authorizing`: only for elements that need a token or a link first. */
export type FrameStatus = 'idle' | 'authorizing' | 'loading' | 'ready' | 'error' | 'signed-out';

type FramePart = typeof import('./frame-load.ts');

/** Loads what loads a frame. */
const framePart = (): Promise<FramePart> => loadPart(import('./frame-load.ts'));

const defaultTimeoutMs = 15_000;

/** Base class of the elements with a page in a frame: when it is loaded, and whether it came. */
export abstract class FrameElement extends ClipElement {
  static override properties: PropertyDeclarations = defineAttributeProperties(this, {
    project: textProperty,
    handshake: textProperty,
    loading: { from: (text) => text ?? 'lazy' },
    label: textProperty,
    allow: textProperty,
    sandbox: textProperty,
    referrerPolicy: { ...textProperty, attribute: 'referrerpolicy' },
    timeout: { from: (text) => Number(text) || defaultTimeoutMs },
  });

  /** The clip's project id. */
  declare project: string | null;
  /**
   * The message that the framed page posts when it has loaded: a text, or the `type` of an object.
   * If omitted, the frame counts as loaded with its `load` event, or the message `clip-ready`.
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
   * Permissions policy of the frame. A feature without an origin applies to the origin of the
   * clip's page. A change loads the frame again.
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

  protected readonly page = new PageController(this, {
    moved: () => {
      // Browsers reload a moved frame, perhaps with an old token.
      if (this.frame) void this.loadFrame();
    },
    left: () => this.leave(),
  });
  /** The frame, which the element draws as long as it is there. */
  protected frame: HTMLIFrameElement | null = null;
  #status: FrameStatus = 'idle';
  /** Why the frame could not be shown. */
  protected frameError: ClipError | null = null;
  /** The address and mode of the present load; a change starts another load. */
  #key: string | null = null;
  /** The settings with which the frame was made. */
  #frameOptions = '';
  /** Aborts the present load. */
  #load: AbortController | null = null;
  #navigated: HTMLIFrameElement | null = null;
  /** Set if drawing may remove what has the focus, which then moves to its replacement. */
  #seeksFocus = false;

  /** The state of the element; also a custom state. */
  get status(): FrameStatus {
    return this.#status;
  }

  /** The frame's accessible name. */
  protected abstract frameName(): string;
  /** The frame's address without secrets. Throws a {@link ClipError} if a setting is missing. */
  protected abstract frameKey(): string;
  /** Prepares the load of the frame, such as its token; undefined if nothing is needed. */
  protected authorize?(signal: AbortSignal): Promise<void> | undefined;
  /** Called before each load. */
  protected abstract begins(): void;
  /** Called before a new frame is connected: WebKit applies the referrer policy only then. */
  protected abstract prepare(frame: HTMLIFrameElement): void;
  /** Called after a new frame is connected. */
  protected navigate?(frame: HTMLIFrameElement): void;
  /** Called when the page in the frame has loaded. `signal` aborts when it is no longer wanted. */
  protected abstract loaded(
    frame: HTMLIFrameElement,
    signal: AbortSignal,
    data: Handshake,
    Bridge: FramePart['MediaBridge'],
  ): void;
  /** Called with other messages of the frame, whose page may have gone on to another site. */
  protected received?(data: unknown, origin: string): void;
  protected abstract failed(error: ClipError): void;
  /** Called when the shown content is no longer wanted. */
  protected abstract dropped(): void;

  override focus(options?: FocusOptions): void {
    this.shadowRoot?.querySelector<HTMLElement>('iframe, button, a')?.focus(options);
  }

  protected override update(changed: PropertyValues): void {
    this.#followSettings();
    super.update(changed);
  }

  #followSettings(): void {
    this.#seeksFocus ||= !!this.shadowRoot!.activeElement;
    if (!this.page.connected) return;
    const settings = this.page.settings(() => {
      const address = this.frameKey();
      if (this.sandbox !== null && !/\ballow-scripts\b/.test(this.sandbox)) {
        throw new ClipError('invalid-option', 'The sandbox needs allow-scripts to play a clip.');
      }
      return `${this.loading} ${address}`;
    });
    if (!settings) return;
    const { key, error } = settings;
    if (key === this.#key) {
      // The settings of a frame apply only to the next page in it.
      if (this.frame && this.#options !== this.#frameOptions) void this.loadFrame();
      return;
    }
    this.#key = key;
    this.#reset();
    this.dropped();
    if (error) this.fail(error);
    else if (this.loading !== 'click') this.#awaitView();
  }

  protected override updated(): void {
    if (this.#seeksFocus) {
      // Later, because Firefox focuses no frame while it handles a key press.
      setTimeout(() => {
        // The user may have moved the focus in the meantime.
        if (isLost()) this.focus();
      });
      this.#seeksFocus = isLost();
    }
    const { frame } = this;
    if (!frame) return;
    frame.title = this.frameName();
    if (frame === this.#navigated) return;
    this.#navigated = frame;
    this.navigate?.(frame);
  }

  /** Loads the frame, or loads it again. */
  protected async loadFrame(): Promise<void> {
    if (!this.page.connected) return;
    this.begins();
    const signal = this.#renew();
    try {
      this.frameKey();
      const part = framePart();
      part.catch(() => {});
      const authorized = this.authorize?.(signal);
      if (authorized) {
        this.#set('authorizing');
        await authorized;
        signal.throwIfAborted();
      }
      this.#set('loading');
      const loaded = await part;
      signal.throwIfAborted();
      this.#show(loaded, signal);
    } catch (cause) {
      if (!signal.aborted) this.fail(asClipError(cause));
    }
  }

  /** Ends all work: the element has left the document. */
  protected leave(): void {
    this.#key = null;
    this.#reset();
    this.dropped();
  }

  get #options(): string {
    return `${this.allow} ${this.referrerPolicy} ${this.sandbox}`;
  }

  #awaitView(): void {
    // jsdom has no observers.
    if (this.loading === 'eager' || !globalThis.IntersectionObserver) {
      void this.loadFrame();
      return;
    }
    // It is there by the time that the element is near.
    framePart().catch(() => {});
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.at(-1)!.isIntersecting) void this.loadFrame();
      },
      { rootMargin: '300px' },
    );
    observer.observe(this);
    this.#renew().addEventListener('abort', () => observer.disconnect());
  }

  #show({ loadFrame, MediaBridge }: FramePart, signal: AbortSignal): void {
    const frame = loadFrame(this, {
      handshake: getSetting(this, 'handshake'),
      language: () => getLanguage(this),
      signal,
      isOwn: (address) => !!this.#key?.includes(address),
      ready: (handshakeData) => {
        if (this.status !== 'loading') return;
        this.#set('ready');
        this.loaded(frame, signal, handshakeData, MediaBridge);
      },
      received: (data, origin) => this.received?.(data, origin),
      failed: (code, message) => this.fail(new ClipError(code, message, { retryable: true })),
    });
    this.prepare(frame);
    this.#frameOptions = this.#options;
    this.frame = frame;
    this.requestUpdate();
  }

  /** Shows an error in place of the frame. */
  protected fail(error: ClipError): void {
    this.#reset();
    this.#set(error.code === 'signed-out' ? error.code : 'error', error);
    this.failed(error);
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
    if (status !== 'ready') this.frame = null;
    this.#status = status;
    this.frameError = error;
    this.requestUpdate();
  }
}

/** Whether what had the focus was removed. */
const isLost = (): boolean => document.body === document.activeElement;

/**
 * An error with a button that tries again. `open`: a control that opens the clip in a tab; `extra`:
 * another class of the box.
 */
export function frameError(
  page: PageController,
  error: ClipError,
  retry: () => void,
  open: TemplateResult | typeof nothing = nothing,
  extra = '',
): TemplateResult {
  const text = page.text(error.code, error.message);
  const again = page.text('retry', 'Try again');
  return html`<div part="error" class="cover ${extra}" role="alert">
    <slot name=${error.code === 'signed-out' ? error.code : 'error'}
      ><p dir="auto" lang=${page.textLanguage(error.code)}>${text}</p></slot
    >
    <div class="row">
      ${error.retryable ? html`<button part="secondary" class="plain retry" @click=${retry}>${again}</button>` : nothing}
      ${open}
    </div>
  </div>`;
}
