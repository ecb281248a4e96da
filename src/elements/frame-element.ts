import { ClipError, type ClipErrorCode } from '../client/clip-error.ts';
import { textLanguage } from '../locales/registry.ts';
import { ClipElement } from './clip-element.ts';
import { el, place } from './dom.ts';
import { settingOf, textProperty } from './settings.ts';

/** `authorizing`: only for elements that need a token first. */
export type FrameStatus = 'idle' | 'authorizing' | 'loading' | 'ready' | 'error';

const defaultTimeoutMs = 15_000;

/** Without `web-share`, because browsers that do not know it log a warning. */
const defaultAllow = 'autoplay; fullscreen; clipboard-write; encrypted-media; picture-in-picture';

/** Base class of the elements that show a page in a frame. */
export abstract class FrameElement extends ClipElement<FrameStatus> {
  static override properties: typeof ClipElement.properties = {
    ...ClipElement.properties,
    handshake: textProperty,
    loading: { from: (text: string | null) => text ?? 'lazy' },
    label: textProperty,
    allow: textProperty,
    sandbox: textProperty,
    referrerPolicy: { ...textProperty, attribute: 'referrerpolicy' },
    timeout: { from: (text: string | null) => Number(text) || defaultTimeoutMs },
  };

  /**
   * The message that the framed page posts when it has loaded: a text, or the `type` of an object.
   * If omitted, the frame's `load` event counts instead.
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

  protected frame: HTMLIFrameElement | null = null;
  #status: FrameStatus = 'idle';
  #error: ClipError | null = null;
  /** The address and mode of the present load; a change starts another load. */
  #key: string | null = null;
  readonly #drawn: Record<string, { readonly said: string; readonly node: HTMLElement }> = {};
  /** The settings of the frame itself. */
  #frameOptions = '';
  /** Aborts the present load. */
  #load: AbortController | null = null;
  #navigated: HTMLIFrameElement | null = null;
  /** Set if drawing may remove what has the focus, which then moves to its replacement. */
  #seeksFocus: unknown;

  get status(): FrameStatus {
    return this.#status;
  }

  get error(): ClipError | null {
    return this.#error;
  }

  override focus(options?: FocusOptions): void {
    this.shadowRoot?.querySelector<HTMLElement>('iframe, button, a')?.focus(options);
  }

  protected override willUpdate(): void {
    super.willUpdate();
    this.#seeksFocus ||= this.shadowRoot!.activeElement;
    if (!this.connected) return;
    let key: string;
    let error: ClipError | null = null;
    try {
      key = `${this.loading} ${this.address()}`;
    } catch (cause) {
      error = cause as ClipError;
      key = error.code + error.message;
    }
    if (this.mayPass(error)) return;
    const frameOptions = `${this.allow} ${this.referrerPolicy} ${this.sandbox}`;
    if (key === this.#key) {
      // The settings of a frame apply only to the next page in it.
      if (this.frame && frameOptions !== this.#frameOptions) void this.begin();
      this.#frameOptions = frameOptions;
      return;
    }
    this.#key = key;
    this.#frameOptions = frameOptions;
    this.#reset();
    this.dropped();
    if (error) this.#fail(error);
    else if (this.loading !== 'click') this.#arm();
  }

  protected override updated(): void {
    super.updated();
    if (this.#seeksFocus) {
      // Later, because Firefox focuses no frame while it handles a key press.
      setTimeout(() => {
        // Somebody may have moved the focus in the meantime.
        if (isLost()) this.focus();
      });
      this.#seeksFocus = isLost();
    }
    const { frame } = this;
    if (!frame) return;
    frame.title = this.name;
    if (frame === this.#navigated) return;
    this.#navigated = frame;
    this.navigate(frame);
  }

  protected override moved(): void {
    // Browsers reload a moved frame, perhaps with an old token: loads it properly instead.
    if (this.frame) void this.begin();
  }

  protected override left(): void {
    this.#key = null;
    this.#reset();
    this.dropped();
  }

  /** Called when the shown content is no longer wanted. */
  protected dropped(): void {}

  /** The frame's accessible name. */
  protected abstract get name(): string;
  /** The frame's address without secrets. Throws a {@link ClipError} if a setting is missing. */
  protected abstract address(): string;
  /** Called before a new frame is connected: WebKit applies the referrer policy only then. */
  protected prepare(_frame: HTMLIFrameElement): void {}
  /** Called after a new frame is connected. */
  protected navigate(_frame: HTMLIFrameElement): void {}
  /**
   * Called when the page in the frame is there, with what its greeting says. `signal` aborts when
   * it is no longer wanted.
   */
  protected abstract loaded(
    signal: AbortSignal,
    greeting: { width?: unknown; height?: unknown },
  ): void;
  protected abstract failed(error: ClipError): void;
  /** Gets what is needed before the frame may load; null if nothing is. */
  protected authorize: ((signal: AbortSignal) => Promise<void>) | null = null;

  /** Loads the frame, or loads it again. */
  protected async begin(): Promise<void> {
    if (!this.connected) return;
    const signal = this.#renew();
    const { authorize } = this;
    try {
      this.address();
      if (authorize) {
        this.#set('authorizing');
        await authorize(signal);
        signal.throwIfAborted();
      }
      this.#set('loading');
      this.#show(signal);
    } catch (cause) {
      if (!signal.aborted) this.#fail(cause as ClipError);
    }
  }

  /** Dispatches an event after the change that it is about is drawn. */
  protected tell(event: Event): void {
    void this.updateComplete.then(() => {
      if (this.isConnected) this.dispatchEvent(event);
    });
  }

  /** Returns the same node as before as long as `said` is the same. */
  protected same(name: string, said: string, make: () => HTMLElement): HTMLElement {
    if (this.#drawn[name]?.said !== said) this.#drawn[name] = { said, node: make() };
    return this.#drawn[name]!.node;
  }

  /** The error with a button that tries again. `open`: a control that opens the clip in a tab. */
  protected problem(
    error: ClipError,
    retry: () => void,
    open: HTMLElement | null,
    extra = '',
  ): HTMLElement {
    const text = this.text(error.code, error.message);
    const again = error.retryable && this.text('retry', 'Try again');
    return this.same('error', [text, again, open?.outerHTML].join(), () =>
      el(
        'div',
        { part: 'error', className: `cover ${extra}`, role: 'alert' },
        el(
          'slot',
          { name: 'error' },
          el('p', { dir: 'auto', lang: textLanguage(this.language, error.code) }, text),
        ),
        el(
          'div',
          { className: 'row' },
          again && el('button', { part: 'retry', className: 'plain', onclick: retry }, again),
          open,
        ),
      ),
    );
  }

  protected override draw(root: ShadowRoot): void {
    place(root, this.connected ? this.nodes() : []);
  }

  /** The nodes to draw, in order. */
  protected abstract nodes(): (Node | null)[];

  #arm(): void {
    // jsdom has no observers.
    if (this.loading === 'eager' || !globalThis.IntersectionObserver) {
      void this.begin();
      return;
    }
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.at(-1)!.isIntersecting) void this.begin();
      },
      { rootMargin: '300px' },
    );
    observer.observe(this);
    this.#renew().addEventListener('abort', () => observer.disconnect());
  }

  #show(signal: AbortSignal): void {
    const frame = document.createElement('iframe');
    frame.setAttribute('part', 'frame');
    frame.allow = this.allow ?? defaultAllow;
    frame.referrerPolicy = (this.referrerPolicy ??
      'strict-origin-when-cross-origin') as ReferrerPolicy;
    if (this.sandbox !== null) frame.setAttribute('sandbox', this.sandbox);
    const handshake = settingOf(this, 'handshake');
    const fail = (code: ClipErrorCode, message: string) =>
      this.#fail(new ClipError(code, message, { retryable: true }));
    const blank = () =>
      fail('frame-blank', "The clip's page did not load. It may be unavailable for the moment.");
    let seen = false;
    const timer = setTimeout(
      () => (seen ? blank() : fail('frame-timeout', 'The clip did not load in time.')),
      this.timeout,
    );
    signal.addEventListener('abort', () => clearTimeout(timer));
    const ready = (greeting = {}) => {
      if (this.#status !== 'loading') return;
      clearTimeout(timer);
      this.#set('ready');
      this.loaded(signal, greeting);
    };
    const options = { signal };
    frame.addEventListener(
      'load',
      () => {
        const code = statusOf(frame);
        if (code >= 400) blank();
        else if (!handshake && code) ready();
        else seen = !!code;
      },
      options,
    );
    if (handshake) {
      addEventListener(
        'message',
        ({ source, data }) => {
          if (source === frame.contentWindow && (data?.type ?? data) === handshake)
            ready(Object(data));
        },
        options,
      );
    }
    // Browsers report frames that this page's own policy forbids; some fire `load` as well.
    document.addEventListener(
      'securitypolicyviolation',
      ({ effectiveDirective, blockedURI }) => {
        if (effectiveDirective === 'frame-src' && blockedURI && this.#key?.includes(blockedURI)) {
          fail('frame-blocked', "This site's own security policy does not let the clip be shown.");
        }
      },
      options,
    );
    this.prepare(frame);
    this.frame = frame;
    this.requestUpdate();
  }

  #fail(error: ClipError): void {
    this.#reset();
    this.#set('error', error);
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
    this.#error = error;
    this.requestUpdate();
  }
}

/** Whether what had the focus was removed. */
const isLost = (): boolean => document.body === document.activeElement;

/** HTTP status of the page in a frame; 200 for any page of another site, 0 if there is no page. */
function statusOf(frame: HTMLIFrameElement): number {
  try {
    const { location, performance } = frame.contentWindow!;
    const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
    // The initial empty page of a frame also fires `load`.
    return location.href === 'about:blank' ? 0 : entry?.responseStatus || 200;
  } catch {
    return 200;
  }
}
