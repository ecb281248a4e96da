import { ClipError, type ClipErrorCode } from '../client/clip-error.ts';
import { ClipElement } from './clip-element.ts';
import { el, place } from './dom.ts';
import { settingOf, textProperty } from './settings.ts';

/** `authorizing` is entered only where a token is needed first. */
export type FrameStatus = 'idle' | 'authorizing' | 'loading' | 'ready' | 'error';

const defaultTimeoutMs = 15_000;

/** Without `web-share`, which not every browser knows: they warn of what they do not know. */
const allowed = 'autoplay; fullscreen; clipboard-write; encrypted-media; picture-in-picture';

/** Base of the elements that show a page in a frame. */
export abstract class FrameElement extends ClipElement<FrameStatus> {
  static override properties = {
    ...ClipElement.properties,
    handshake: textProperty,
    loading: { from: (text: string | null) => text ?? 'lazy' },
    label: textProperty,
    allow: textProperty,
    sandbox: textProperty,
    referrerPolicy: { ...textProperty, attribute: 'referrerpolicy' },
    timeout: { from: (text: string | null) => Number(text) || defaultTimeoutMs },
  };

  /** Message that the framed page posts when it is there, as text or as an object's `type`. Without it, a `load` is taken for that. */
  declare handshake: string | null;
  /**
   * When the frame is loaded.
   *
   * @default 'lazy'
   */
  declare loading: string;
  /** Accessible name of the frame. */
  declare label: string | null;
  /** Permissions policy of the frame. A change loads the frame again. */
  declare allow: string | null;
  /** Sandbox of the frame; none unless set. A change loads the frame again. */
  declare sandbox: string | null;
  /** Referrer policy of the frame. A change loads the frame again. */
  declare referrerPolicy: string | null;
  /**
   * Milliseconds until the error `frame-timeout`, or `frame-blank` where there was a `load` but no handshake.
   *
   * @default 15000
   */
  declare timeout: number;

  protected frame: HTMLIFrameElement | null = null;
  #status: FrameStatus = 'idle';
  #error: ClipError | null = null;
  /** What the present load was made for; another value makes another load. */
  #key: string | null = null;
  readonly #drawn: Record<string, { readonly said: string; readonly node: HTMLElement }> = {};
  /** What was set on the frame. */
  #dress = '';
  /** The present load: what belongs to an older one is aborted, and changes nothing. */
  #load: AbortController | null = null;
  #navigated: HTMLIFrameElement | null = null;
  /** What has the focus may be taken away; it goes to what comes in its place. */
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
    const dress = `${this.allow} ${this.referrerPolicy} ${this.sandbox}`;
    if (key === this.#key) {
      // What is set on a frame holds for the next page in it.
      if (this.frame && dress !== this.#dress) void this.begin();
      this.#dress = dress;
      return;
    }
    this.#key = key;
    this.#dress = dress;
    this.#reset();
    this.dropped();
    if (error) this.#fail(error);
    else if (this.loading !== 'click') this.#arm();
  }

  protected override updated(): void {
    super.updated();
    if (this.#seeksFocus) {
      // Later: Firefox focuses no frame while it handles the key press that took the focus away.
      setTimeout(() => {
        // Somebody may have gone on in the meantime.
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
    // Browsers load a moved frame again; what it is loaded with is ours to say.
    if (this.frame) void this.begin();
  }

  protected override left(): void {
    this.#key = null;
    this.#reset();
    this.dropped();
  }

  /** Nothing of what was shown is wanted any more. */
  protected dropped(): void {}

  /** The frame's accessible name. */
  protected abstract get name(): string;
  /** What the frame shows, without secrets, first of all its address. Throws a {@link ClipError} where something is missing. */
  protected abstract address(): string;
  /** Sets a new frame on its way before it is in the document: only then does WebKit heed its referrer policy. */
  protected prepare(_frame: HTMLIFrameElement): void {}
  /** Sets a new frame on its way once it is in the document. */
  protected navigate(_frame: HTMLIFrameElement): void {}
  protected abstract loaded(): void;
  protected abstract failed(error: ClipError): void;
  /** Obtains what is needed before the frame may load; null where nothing is. */
  protected authorize: ((signal: AbortSignal) => Promise<void>) | null = null;

  /** Loads the frame, again if it was loaded. */
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

  /** Dispatches once what it tells of is shown. */
  protected tell(event: Event): void {
    void this.updateComplete.then(() => {
      if (this.isConnected) this.dispatchEvent(event);
    });
  }

  /** What is drawn now: the very same nodes as before, if what they say is the same. */
  protected same(name: string, said: string, make: () => HTMLElement): HTMLElement {
    if (this.#drawn[name]?.said !== said) this.#drawn[name] = { said, node: make() };
    return this.#drawn[name]!.node;
  }

  /** What went wrong, with a button that tries again; `open` leads to the clip in a tab of its own. */
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
        el('slot', { name: 'error' }, el('p', { dir: 'auto' }, text)),
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

  /** What is drawn, one after the other. */
  protected abstract nodes(): (Node | null)[];

  #arm(): void {
    // Stand-ins for a browser have no observers.
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
    frame.allow = this.allow ?? allowed;
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
    const ready = () => {
      if (this.#status !== 'loading') return;
      clearTimeout(timer);
      this.#set('ready');
      this.loaded();
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
          if (source === frame.contentWindow && (data?.type ?? data) === handshake) ready();
        },
        options,
      );
    }
    // Where this page's own policy forbids the frame, browsers say so; some fire a `load` as well.
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

/** Nothing has the focus: what had it was taken away. */
const isLost = (): boolean => document.body === document.activeElement;

/** HTTP status of the page in a frame as far as it can be seen: 200 for another site's, whatever it is; 0 while there is none. */
const statusOf = (frame: HTMLIFrameElement): number => {
  try {
    const { location, performance } = frame.contentWindow!;
    const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
    // The empty page that a frame begins with fires a `load` of its own.
    return location.href === 'about:blank' ? 0 : entry?.responseStatus || 200;
  } catch {
    return 200;
  }
};
