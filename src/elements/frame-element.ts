import { html, nothing, type TemplateResult } from 'lit/html.js';
import { ClipError } from '../client/clip-error.ts';
import { frameNext, frameStart, type FrameEvent, type FrameStatus } from '../flow/frame-machine.ts';
import { ClipElement } from './clip-element.ts';
import { numberFrom } from './reactive-element.ts';
import { plainText } from './settings.ts';

const allowed =
  'autoplay; fullscreen; clipboard-write; encrypted-media; picture-in-picture; web-share';

/** Base of the elements that show a page in a frame. */
export abstract class FrameElement extends ClipElement<FrameStatus> {
  static override properties = {
    ...ClipElement.properties,
    loading: {},
    label: { from: plainText },
    allow: { from: plainText },
    sandbox: { from: plainText },
    referrerpolicy: { from: plainText },
    timeout: { from: numberFrom },
  };

  /** When the frame is loaded. */
  declare loading: string;
  /** Accessible name of the frame. */
  declare label: string | null;
  /** Permissions policy of the frame. */
  declare allow: string | null;
  /** Sandbox of the frame; none unless set. */
  declare sandbox: string | null;
  /** Referrer policy of the frame. */
  declare referrerpolicy: string | null;
  /** Milliseconds without a `load` before the error `frame-timeout`. */
  declare timeout: number;

  protected frame: HTMLIFrameElement | null = null;
  #state = frameStart;
  #error: ClipError | null = null;
  /** What the present load was made for; another value makes another load. */
  #key: string | null = null;
  #load: AbortController | null = null;
  #navigated: HTMLIFrameElement | null = null;

  constructor() {
    super();
    this.loading = 'lazy';
    this.timeout = 15_000;
  }

  get status(): FrameStatus {
    return this.#state.status;
  }

  get error(): ClipError | null {
    return this.#error;
  }

  override focus(options?: FocusOptions): void {
    this.shadowRoot?.querySelector<HTMLElement>('iframe, button, a')?.focus(options);
  }

  protected override willUpdate(): void {
    if (!this.connection) return;
    let key: string;
    let error: ClipError | null = null;
    try {
      key = `${this.loading} ${this.address()}`;
    } catch (cause) {
      error = cause as ClipError;
      key = error.code + error.message;
    }
    if (key === this.#key) return;
    this.#key = key;
    this.#reset();
    if (error) this.#fail(error);
    else this.#arm();
  }

  protected override updated(): void {
    super.updated();
    const { frame } = this;
    if (!frame) return;
    frame.title = this.name;
    if (frame === this.#navigated) return;
    this.#navigated = frame;
    this.navigate(frame);
  }

  protected override moved(): void {
    // Browsers load a moved frame anew; what it is loaded with is ours to say.
    if (this.frame) void this.begin();
  }

  protected override left(): void {
    this.#key = null;
    this.#reset();
  }

  /** The frame's accessible name. */
  protected abstract get name(): string;
  /** What the frame shows, without secrets. Throws a {@link ClipError} where something is missing. */
  protected abstract address(): string;
  /** Sets the frame on its way, once it is in the document. */
  protected abstract navigate(frame: HTMLIFrameElement): void;
  protected abstract loaded(): void;
  protected abstract failed(error: ClipError): void;
  /** Obtains what is needed before the frame may load; null where nothing is. */
  protected authorize: ((signal: AbortSignal) => Promise<void>) | null = null;

  /** Loads the frame, anew if it was loaded. */
  protected async begin(): Promise<void> {
    const { connection } = this;
    if (!connection) return;
    this.#load?.abort();
    this.#load = new AbortController();
    const signal = AbortSignal.any([connection, this.#load.signal]);
    this.frame = this.#error = null;
    this.#apply({ type: 'begin', authorize: !!this.authorize });
    const { load } = this.#state;
    try {
      if (this.authorize) {
        await this.authorize(signal);
        signal.throwIfAborted();
        this.#apply({ type: 'authorized', load });
      }
      this.#show(load, signal);
    } catch (cause) {
      if (!signal.aborted) this.#fail(cause as ClipError, load);
    }
  }

  /** Dispatches once what it tells of is shown. */
  protected tell(event: Event): void {
    void this.updateComplete.then(() => {
      if (this.isConnected) this.dispatchEvent(event);
    });
  }

  protected problem(
    error: ClipError,
    retry: () => void,
    open: unknown,
    extra = '',
  ): TemplateResult {
    return html`<div part="error" class="cover ${extra}" role="alert">
      <slot name="error"><p>${this.text(error.code, error.message)}</p></slot>
      <div class="row">
        ${
          error.retryable
            ? html`<button part="retry" class="plain" @click=${retry}>
                ${this.text('retry', 'Try again')}
              </button>`
            : nothing
        }${open ?? nothing}
      </div>
    </div>`;
  }

  #arm(): void {
    if (this.loading === 'click') return;
    if (this.loading === 'eager' || !globalThis.IntersectionObserver) {
      void this.begin();
      return;
    }
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) void this.begin();
      },
      { rootMargin: '300px' },
    );
    observer.observe(this);
    this.#load = new AbortController();
    this.#load.signal.addEventListener('abort', () => observer.disconnect());
  }

  #show(load: number, signal: AbortSignal): void {
    const frame = document.createElement('iframe');
    frame.part.add('frame');
    frame.allow = this.allow ?? allowed;
    frame.referrerPolicy = (this.referrerpolicy ??
      'strict-origin-when-cross-origin') as ReferrerPolicy;
    if (this.sandbox != null) frame.setAttribute('sandbox', this.sandbox);
    const timer = setTimeout(
      () =>
        this.#fail(
          new ClipError('frame-timeout', 'The clip did not load in time.', { retryable: true }),
          load,
        ),
      this.timeout,
    );
    signal.addEventListener('abort', () => clearTimeout(timer));
    frame.addEventListener(
      'load',
      () => {
        if (isBlank(frame) || !this.#apply({ type: 'loaded', load })) return;
        clearTimeout(timer);
        this.loaded();
      },
      { signal },
    );
    this.frame = frame;
    this.requestUpdate();
  }

  #fail(error: ClipError, load?: number): void {
    if (load === undefined) this.#apply({ type: 'begin', authorize: false });
    if (!this.#apply({ type: 'failed', load: load ?? this.#state.load })) return;
    this.#load?.abort();
    this.frame = null;
    this.#error = error;
    this.failed(error);
  }

  #reset(): void {
    this.#load?.abort();
    this.frame = this.#load = this.#error = null;
    this.#apply({ type: 'reset' });
  }

  /** True where the event changed something. */
  #apply(event: FrameEvent): boolean {
    const next = frameNext(this.#state, event);
    if (next === this.#state) return false;
    this.#state = next;
    this.requestUpdate();
    return true;
  }
}

/** The empty page that a frame begins with fires a `load` of its own. */
const isBlank = (frame: HTMLIFrameElement): boolean => {
  try {
    return frame.contentWindow?.location.href === 'about:blank';
  } catch {
    return false;
  }
};
