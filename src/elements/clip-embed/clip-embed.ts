import { defineAttributeProperties, flagProperty, textProperty } from '../attribute-properties.ts';
import { MediaElement } from '../media/media-element.ts';
import { showStates } from '../clip-element.ts';
import { ClipError, loadPart } from '../../client/clip-error.ts';
import type { GetSession } from '../../client/page-state.ts';
import { ClipEvent, isSignedOut, makeErrorEvent } from '../events.ts';
import { makeClipUrl, makeTokenFragment } from '../settings/clip-url.ts';
import type { GetToken, PageToken } from '../../client/page-token.ts';
import {
  hostAttributes,
  hostProperties,
  getSetting,
  readSettingUrl,
} from '../settings/settings.ts';
import { frameError } from '../frame/frame-element.ts';
import { html, nothing, type TemplateResult } from 'lit';
import styles from './clip-embed.css';
import baseStyles from '../clip-element.css';
import visuallyHiddenStyles from '../visually-hidden.css';
import frameStyles from '../frame/frame-element.css';

/** A message of the page's editor, not checked yet. */
type EditMessage = Readonly<
  Partial<Record<'type' | 'revision' | 'saved' | 'message' | 'status', unknown>>
>;

/**
 * The embed page of a clip. Its token is only in the frame's URL fragment.
 *
 * @element clip-embed
 * @fires {ClipEmbedReadyEvent} clip-embed-ready - The frame has loaded.
 * @fires {ClipEmbedErrorEvent} clip-embed-error - The embed or its token failed; `error` says why.
 * @fires {ClipTokenRenewedEvent} clip-token-renewed - A new token was passed to the frame.
 * @fires {ClipEditEvent} clip-edit - The clip was changed in the frame's editor, or is being saved.
 * @fires {ClipEditErrorEvent} clip-edit-error - A change could not be saved; `error` says why.
 * @fires {ClipViewEvent} clip-view - The clip was watched for two seconds, or a quarter of it.
 * @fires {ClipProgressMarkEvent} clip-progress-mark - Playback has reached 25, 50, 75 or 95 %.
 * @fires {Event} play - Playback starts. Like all media events, it does not bubble.
 * @fires {Event} playing - Playback has started or resumed, and the picture moves.
 * @fires {Event} pause - Playback is paused, or has reached the end.
 * @fires {Event} ended - Playback has reached the end.
 * @fires {Event} timeupdate - `currentTime` has changed.
 * @fires {Event} durationchange - `duration` has changed.
 * @fires {Event} volumechange - `volume` or `muted` has changed.
 * @fires {Event} ratechange - `playbackRate` has changed.
 * @fires {Event} seeking - `currentTime` was set.
 * @fires {Event} seeked - The player is at the new time.
 * @fires {Event} waiting - The player waits for data.
 * @fires {Event} progress - More of the clip has been loaded.
 * @fires {Event} loadedmetadata - The player knows the clip.
 * @fires {Event} error - The player could not play the clip.
 * @fires {ClipSignedOutEvent} clip-signed-out - No user is signed in. The element continues when
 *   one is.
 * @slot loading - Shown while the token is requested and the frame loads.
 * @slot error - Replaces the error's text.
 * @slot signed-out - Replaces the text if no user is signed in; for example with a link to sign in.
 * @csspart frame - The frame.
 * @csspart error - Replaces the frame after an error, or covers its bottom if renewal fails.
 * @csspart secondary - The buttons in it that try again, and open the embed in a new tab.
 * @cssproperty [--clip-aspect-ratio=9 / 16] - Aspect ratio of the element.
 * @cssproperty [--clip-max-block-size=min(80dvh, 46rem)] - Largest height. The width follows.
 * @cssproperty [--clip-radius=1rem] - Corner radius.
 * @cssproperty [--clip-backdrop] - Background of the frame.
 * @cssproperty [--clip-accent=#4f46e5] - Spinner and focus ring.
 * @cssstate idle - Nothing has been requested yet.
 * @cssstate authorizing - A token is being requested.
 * @cssstate loading - The frame is loading.
 * @cssstate ready - The frame has loaded.
 * @cssstate error - The embed could not be shown.
 * @cssstate signed-out - No user is signed in to the site.
 * @cssstate stale - The token has expired and could not be renewed yet.
 */
export class ClipEmbed extends MediaElement {
  static override properties = {
    ...defineAttributeProperties(this, {
      ...hostAttributes,
      appUrl: textProperty,
      edit: flagProperty,
      header: textProperty,
      renew: { from: (text) => text ?? 'fragment' },
    }),
    ...hostProperties,
    token: { noAccessor: true },
    getToken: { attribute: false },
  };
  static override styles = [baseStyles, frameStyles, visuallyHiddenStyles, styles];

  /**
   * `lazy`: requests a token and loads near the viewport. `eager`: at once.
   *
   * @default 'lazy'
   */
  declare loading: 'lazy' | 'eager';
  /**
   * Opens the page with its editor, if the token permits editing. A change loads the frame again.
   *
   * @default false
   */
  declare edit: boolean;
  /**
   * `none`: the page's editor has no *Done* button, because your page shows the title and closes
   * it.
   */
  declare header: 'none' | null;
  /** Returns the token. Has priority over `endpoint`. */
  declare getToken: GetToken | null;
  /**
   * `fragment`: passes a renewed token to the page without reloading it. `none`: no renewal.
   *
   * @default 'fragment'
   */
  declare renew: 'fragment' | 'none';
  /**
   * Base URL of the embed pages; the page of a clip is at `/embed/{id}`. If it contains `{id}`, it
   * is the whole address, such as `https://x.example/watch/{id}#jwt={token}`. `{lang}` in it is
   * the page's language. Default as for `endpoint`.
   */
  declare appUrl: string | null;
  /**
   * The backend of your page: the host. Default: from the nearest `<clip-config>`, or
   * `configure()`.
   */
  declare endpoint: string | null;
  /** Credentials of the requests to the endpoint: `same-origin` (default) or `include`. */
  declare credentials: RequestCredentials | null;
  /** Name of the header that carries `csrfToken`. Default: `X-CSRF-Token`. */
  declare csrfHeader: string | null;
  /** The page's CSRF token. */
  declare csrfToken: string | null;
  /** Address of a new CSRF token, which is fetched once if the host refuses the current one. */
  declare csrfUrl: string | null;
  /**
   * Address of your site that returns the session of the user, `{"session": "…"}`, or 401 if no
   * user is signed in. With it, calls to the endpoint carry the session and no cookie.
   */
  declare session: string | null;
  /** Returns the session, or null if no user is signed in. Has priority over `session`. */
  declare getSession: GetSession | null;

  /** A token that the page has just set, for the project that is set at the end of the task. */
  #newToken: string | null = null;
  /** The frame that a token which the page has just set is for. */
  #newTokenFrame: HTMLIFrameElement | null = null;
  /** A token from the page, and the project that it is for. */
  #given: { readonly token: string; readonly project: string | null } | null = null;
  /** Whether the next load needs a new token. */
  #isStale = false;
  #access: PageToken | null = null;
  /** The token to open the page with. */
  #current = '';
  /** Why it could not be renewed so far. */
  #tokenError: ClipError | null = null;

  constructor() {
    super();
    showStates(this, () => [
      this.status,
      this.#tokenError && 'stale',
      isSignedOut(this.#tokenError) && 'signed-out',
    ]);
  }

  protected override frameName(): string {
    return this.label || this.page.text('embed-label', 'Clip player');
  }

  protected override frameKey(): string {
    const address = this.#address;
    // `readSettingUrl` throws if a token has no source.
    const isNeeded = this.#hasEndpoint || !(this.#given || this.getToken);
    const endpoint = isNeeded ? readSettingUrl(this, 'endpoint').href : '';
    return `${address} ${endpoint}`;
  }

  protected override async authorize(signal: AbortSignal): Promise<void> {
    const { getToken, project, renew } = this;
    const hasEndpoint = this.#hasEndpoint;
    const given = this.#given?.token ?? null;
    if (given) this.#current = given;
    if (!getToken && !hasEndpoint) return;
    const { readHostOptions: hostOptions, PageToken } = await loadPart(
      import('../frame/token-part.ts'),
    );
    signal.throwIfAborted();
    this.#access ??= new PageToken({
      renewed: (token, end) => {
        this.#given = null;
        this.#renewed(token, end);
      },
      failing: (error) => {
        if (this.#tokenError?.code === error.code) return;
        this.#tokenError = error;
        this.requestUpdate();
        this.#report(error);
      },
    });
    this.#current = await this.#access.obtainToken(
      {
        project: project!,
        // Read again at each call, because frameworks set a new function at every render.
        getToken: getToken && ((context) => (this.getToken ?? getToken)(context)),
        host: hasEndpoint ? hostOptions(this) : null,
        kind: 'token',
      },
      { given, stale: this.#isStale, keep: renew !== 'none' },
      signal,
    );
    if (this.#current !== given) this.#given = null;
    this.#isStale = false;
  }

  #renewed(token: string, end: number | null): void {
    this.#current = token;
    this.#tokenError = null;
    this.requestUpdate();
    if (this.frame) this.navigate(this.frame);
    this.page.dispatch(new ClipTokenRenewedEvent(this, end === null ? null : new Date(end)));
  }

  #endToken(): void {
    this.#access?.end();
    this.#tokenError = null;
  }

  protected override prepare(frame: HTMLIFrameElement): void {
    // A feature without an origin is for the origin of `src`, which this frame does not have.
    const to = `$1 $2 ${this.#origin}`;
    frame.allow = frame.allow.replace(/(^|;)\s*([\w-]+)\s*(?=;|$)/g, to).trim();
  }

  protected override navigate(frame: HTMLIFrameElement): void {
    // `location.replace` keeps the token out of attributes and the history. If only the fragment
    // changes, the frame does not reload.
    frame.contentWindow?.location.replace(this.#url);
  }

  protected override loaded(...frame: Parameters<MediaElement['loaded']>): void {
    super.loaded(...frame);
    this.page.dispatch(new ClipEmbedReadyEvent(this));
  }

  protected override received(data: unknown, origin: string): void {
    if (origin === this.#origin) this.#onEdit(Object(data));
  }

  protected override failed(error: ClipError): void {
    super.failed(error);
    this.#endToken();
    this.#report(error);
    if (isSignedOut(error)) this.#access?.awaitSignIn(() => this.reload());
  }

  protected override dropped(): void {
    super.dropped();
    this.#endToken();
  }

  protected override leave(): void {
    super.leave();
    if (this.#given) return;
    this.#access = null;
    this.#current = '';
  }

  /**
   * A token that the page already has. Reads as null; the attribute is emptied once it has been
   * read.
   */
  get token(): string | null {
    return null;
  }

  set token(value: string | null) {
    if (!value || value === '[object Object]') return;
    this.#newToken = value;
    this.requestUpdate();
    if (this.getAttribute('token')) this.setAttribute('token', '');
  }

  /** Loads the frame again, with a new token if possible. */
  reload(): void {
    this.#endToken();
    this.#isStale = true;
    void this.loadFrame();
  }

  /** Renews the token now. */
  renewToken(): void {
    if (!this.#access?.renew()) this.reload();
  }

  get #hasEndpoint(): boolean {
    return !this.getToken && !!getSetting(this, 'endpoint');
  }

  protected override willUpdate(): void {
    const token = this.#newToken;
    const { project } = this;
    this.#newToken = null;
    this.#newTokenFrame = token ? this.frame : null;
    if (token) this.#given = { token, project };
    else if (this.#given?.project !== project) this.#given = null;
  }

  protected override updated(): void {
    super.updated();
    const frame = this.#newTokenFrame;
    this.#newTokenFrame = null;
    // A frame that was made since then opens with this token.
    if (!frame || frame !== this.frame) return;
    const { token } = this.#given!;
    queueMicrotask(() => this.#renewed(token, null));
  }

  #report(error: ClipError): void {
    this.page.dispatch(makeErrorEvent(this, error, new ClipEmbedErrorEvent(this, error)));
  }

  /** The page's address, without the parameters of its player and the token. */
  get #address(): string {
    const address = makeClipUrl(this, 'appUrl');
    return this.edit ? `${address}${address.includes('?') ? '&' : '?'}edit` : address;
  }

  get #origin(): string {
    return new URL(this.#address).origin;
  }

  get #url(): string {
    const address = this.withParameters(this.#address);
    return address + makeTokenFragment(this, this.#current);
  }

  #onEdit({ type, revision, saved, message, status }: EditMessage): void {
    if (type === 'clip-edit' && Number.isSafeInteger(revision)) {
      this.page.dispatch(new ClipEditEvent(this, revision as number, !!saved));
    } else if (type === 'clip-edit-error' && typeof message === 'string') {
      const error = new ClipError('edit-failed', message, {
        status: Number.isSafeInteger(status) ? (status as number) : null,
      });
      this.page.dispatch(new ClipEditErrorEvent(this, error));
    }
  }

  protected override render(): TemplateResult | typeof nothing {
    if (!this.page.connected) return nothing;
    const { frame, frameError: error, status } = this;
    if (error) return frameError(this.page, error, () => this.reload(), this.#open(error));
    const failure = this.#tokenError;
    // One template for all of these, so that the frame stays where it is.
    return html`${frame}${
      status === 'authorizing' || status === 'loading'
        ? html`<div class="cover loading" role="status">
            <slot name="loading"
              ><span class="spinner"></span
              ><span class="visually-hidden">${this.page.text('loading', 'Loading…')}</span></slot
            >
          </div>`
        : null
    }${failure && frameError(this.page, failure, () => this.renewToken(), nothing, 'notice')}`;
  }

  /** Opens the page in a tab: it may be that only its frame is refused. */
  #open({ code }: ClipError): TemplateResult | typeof nothing {
    if (!this.#current || !code.startsWith('frame-')) return nothing;
    const openTab = () => void open(this.#url, '_blank', 'noopener');
    const text = this.page.text('open', 'Open in a new tab');
    return html`<button part="secondary" class="plain open" @click=${openTab}>${text}</button>`;
  }
}

/** The embed's frame has loaded. */
export class ClipEmbedReadyEvent extends ClipEvent {
  constructor(element: MediaElement) {
    super('clip-embed-ready', element);
  }
}

/** The embed could not be shown, or its token could not be renewed. */
export class ClipEmbedErrorEvent extends ClipEvent {
  readonly error: ClipError;

  constructor(element: MediaElement, error: ClipError) {
    super('clip-embed-error', element);
    this.error = error;
  }
}

/** A new token was passed to the frame. */
export class ClipTokenRenewedEvent extends ClipEvent {
  /** When the new token ends; null if not known. */
  readonly expiresAt: Date | null;

  constructor(element: MediaElement, expiresAt: Date | null) {
    super('clip-token-renewed', element);
    this.expiresAt = expiresAt;
  }
}

/** A person has changed the clip in the editor of the frame. */
export class ClipEditEvent extends ClipEvent {
  /** The revision of the clip's edit: it goes up by one with each change that is saved. */
  readonly revision: number;
  /** False while a change is not saved yet. */
  readonly saved: boolean;

  constructor(element: MediaElement, revision: number, saved: boolean) {
    super('clip-edit', element);
    this.revision = revision;
    this.saved = saved;
  }
}

/** A change could not be saved; `error.message` has the words of the page in the frame. */
export class ClipEditErrorEvent extends ClipEvent {
  readonly error: ClipError;

  constructor(element: MediaElement, error: ClipError) {
    super('clip-edit-error', element);
    this.error = error;
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    'clip-edit': ClipEditEvent;
    'clip-edit-error': ClipEditErrorEvent;
    'clip-embed-ready': ClipEmbedReadyEvent;
    'clip-embed-error': ClipEmbedErrorEvent;
    'clip-token-renewed': ClipTokenRenewedEvent;
  }
}
