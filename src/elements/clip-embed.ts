import type { ClipError } from '../client/clip-error.ts';
import type { GetToken, PageToken } from '../client/page-token.ts';
import { baseStyles } from './base-styles.ts';
import {
  ClipEmbedErrorEvent,
  ClipEmbedReadyEvent,
  ClipTokenRenewedEvent,
} from './clip-embed-events.ts';
import { clipUrl, tokenFragment } from './clip-url.ts';
import { css } from './css.ts';
import { el } from './dom.ts';
import { frameStyles } from './frame-styles.ts';
import { hostOptions } from './host-options.ts';
import { loadPart } from './load-part.ts';
import { MediaFrame } from './media-frame.ts';
import { flagProperty, hostProperties, settingOf, settingUrl, textProperty } from './settings.ts';
import { unseenStyles } from './unseen-styles.ts';

/**
 * The embed page of a clip. Its token is only in the frame's URL fragment.
 *
 * @element clip-embed
 * @fires {ClipEmbedReadyEvent} clip-embed-ready - The frame has loaded.
 * @fires {ClipEmbedErrorEvent} clip-embed-error - The embed or its token failed; `error` says why.
 * @fires {ClipTokenRenewedEvent} clip-token-renewed - A new token was passed to the frame.
 * @fires {Event} play - Playback begins. Like all media events, it does not bubble.
 * @fires {Event} playing - The picture moves.
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
 * @slot loading - Shown while the token is requested and the frame loads.
 * @slot error - Replaces the error's text.
 * @csspart frame - The frame.
 * @csspart loading - Covers the frame until it has loaded.
 * @csspart spinner - The spinner in it.
 * @csspart error - Replaces the frame after an error, or covers its end if renewal fails.
 * @csspart retry - The button in it that tries again.
 * @csspart open - The button in it that opens the embed in a new tab.
 * @cssproperty [--clip-aspect-ratio=9 / 16] - Aspect ratio of the element.
 * @cssproperty [--clip-max-block-size=min(80dvh, 46rem)] - Largest height. The width follows.
 * @cssproperty [--clip-radius=1rem] - Corner radius.
 * @cssproperty [--clip-backdrop] - Background of the frame.
 * @cssproperty [--clip-accent=#4f46e5] - Spinner and focus ring.
 * @cssstate idle - Nothing is requested yet.
 * @cssstate authorizing - A token is requested.
 * @cssstate loading - The frame is loading.
 * @cssstate ready - The frame has loaded.
 * @cssstate error - The embed could not be shown.
 * @cssstate stale - The token has ended and could not be renewed so far.
 */
export class ClipEmbed extends MediaFrame {
  static override properties = {
    ...MediaFrame.properties,
    ...hostProperties,
    appUrl: textProperty,
    token: { reflect: false as const },
    getToken: { attribute: false as const },
    renew: { from: (text: string | null) => text ?? 'fragment' },
    ownLogin: flagProperty,
  };
  static override styles = [
    baseStyles,
    frameStyles,
    unseenStyles,
    css`
      [part='loading'] {
        pointer-events: none;
      }
      .notice {
        inset: auto 0 0;
        height: auto;
        background: var(--_surface);
      }
    `,
  ];

  /**
   * `lazy`: gets a token and loads near the viewport. `eager`: at once.
   *
   * @default 'lazy'
   */
  declare loading: 'lazy' | 'eager';
  /** Returns the token; wins over `endpoint`. */
  declare getToken: GetToken | null;
  /**
   * `fragment`: passes a renewed token on without a reload. `reload`: loads the frame again.
   * `none`: no renewal.
   *
   * @default 'fragment'
   */
  declare renew: 'fragment' | 'reload' | 'none';
  /**
   * The embed pages have their own log-in, so a new tab is opened without the token.
   *
   * @default false
   */
  declare ownLogin: boolean;
  /**
   * Base URL of the embed pages; the page of a clip is at `/embed/{id}`. If it contains `{id}`, it
   * is the whole address, such as `https://x.example/watch/{id}#jwt={token}`. Default as for
   * `endpoint`.
   */
  declare appUrl: string | null;
  /** The page's own backend. Default: that of the nearest `<clip-config>`, or of `configure()`. */
  declare endpoint: string | null;
  /** Credentials of the requests to the endpoint: `same-origin` (default) or `include`. */
  declare credentials: RequestCredentials | null;
  /** Name of the header that carries `csrfToken`. Default: `X-CSRF-Token`. */
  declare csrfHeader: string | null;
  /** The page's CSRF token. */
  declare csrfToken: string | null;
  /** Where a fresh CSRF token is fetched once if the host refuses the present one. */
  declare csrfUrl: string | null;

  /** A token that the page has just set, for the project that is set at the end of the task. */
  #set: string | null = null;
  /** A token from the page, and the project that it is for. */
  #given: { readonly token: string; readonly project: string | null } | null = null;
  /** The token to open the frame with. */
  #token = '';
  /** Whether the next load needs a new token. */
  #stale = false;
  #access: PageToken | null = null;
  #trouble: ClipError | null = null;

  /** A token that the page already has. Reads as null, and the attribute is emptied once read. */
  get token(): string | null {
    return null;
  }

  set token(value: string | null) {
    if (!value || value === '[object Object]') return;
    this.#set = value;
    if (this.getAttribute('token')) this.setAttribute('token', '');
    this.requestUpdate();
  }

  /** Loads the frame again, with a fresh token if there is a source for one. */
  reload(): void {
    this.#end();
    this.#stale = true;
    void this.begin();
  }

  /** Renews the token now. */
  renewToken(): void {
    if (!this.#access?.renew()) this.reload();
  }

  protected override willUpdate(): void {
    const { frame, project } = this;
    const token = this.#set;
    this.#set = null;
    if (token) this.#given = { token, project };
    else if (this.#given?.project !== project) this.#given = null;
    super.willUpdate();
    if (token && frame && frame === this.frame) this.#renewed(token, null);
  }

  protected override get states(): readonly string[] {
    return this.#trouble ? [this.status, 'stale'] : [this.status];
  }

  protected override get name(): string {
    return this.label || this.text('embed-label', 'Clip player');
  }

  protected override address(): string {
    const url = clipUrl(this, 'appUrl');
    // `settingUrl` throws if there is no source of a token at all.
    return this.#host || (!this.#given && !this.getToken)
      ? `${url} ${settingUrl(this, 'endpoint').href}`
      : url;
  }

  protected override authorize = async (signal: AbortSignal): Promise<void> => {
    const { getToken, project } = this;
    const host = this.#host && hostOptions(this);
    const given = this.#given?.token ?? null;
    if (given) this.#token = given;
    if (!getToken && !host) return;
    const { PageToken } = await loadPart(import('../client/page-token.ts'));
    signal.throwIfAborted();
    this.#access ??= new PageToken({
      renewed: (token, end) => {
        this.#given = null;
        this.#renewed(token, end);
      },
      failing: (error) => {
        if (this.#trouble?.code === error.code) return;
        this.#trouble = error;
        this.requestUpdate();
        this.tell(new ClipEmbedErrorEvent(error));
      },
    });
    this.#token = await this.#access.obtain(
      {
        project: project!,
        // Read again at each call, because frameworks set a new function at every render.
        getToken: getToken && ((context) => (this.getToken ?? getToken)(context)),
        host: host || null,
      },
      { given, stale: this.#stale, keep: this.renew !== 'none' },
      signal,
    );
    if (this.#token !== given) this.#given = null;
    this.#stale = false;
  };

  protected override prepare(frame: HTMLIFrameElement): void {
    // A feature without an origin is for the origin of `src`, which this frame does not have.
    const { origin } = new URL(clipUrl(this, 'appUrl'));
    frame.allow = frame.allow.replace(/(^|;)\s*([\w-]+)\s*(?=;|$)/g, `$1 $2 ${origin}`).trim();
  }

  protected override navigate(frame: HTMLIFrameElement): void {
    // `location.replace` keeps the token out of attributes and the history. If only the fragment
    // changes, the frame does not reload.
    frame.contentWindow?.location.replace(this.#url);
  }

  protected override loaded(...loaded: Parameters<MediaFrame['loaded']>): void {
    super.loaded(...loaded);
    this.tell(new ClipEmbedReadyEvent());
  }

  protected override failed(error: ClipError): void {
    super.failed(error);
    this.#end();
    this.tell(new ClipEmbedErrorEvent(error));
  }

  protected override dropped(): void {
    super.dropped();
    this.#end();
  }

  protected override left(): void {
    super.left();
    if (this.#given) return;
    this.#access = null;
    this.#token = '';
  }

  get #host(): boolean {
    return !this.getToken && !!settingOf(this, 'endpoint');
  }

  get #url(): string {
    return this.withParameters(clipUrl(this, 'appUrl')) + tokenFragment(this, this.#token);
  }

  #renewed(token: string, end: number | null): void {
    this.#token = token;
    this.#trouble = null;
    this.requestUpdate();
    if (this.renew === 'reload') void this.begin();
    else if (this.frame) this.navigate(this.frame);
    this.tell(new ClipTokenRenewedEvent(end === null ? null : new Date(end)));
  }

  #end(): void {
    this.#access?.end();
    this.#trouble = null;
  }

  #openTab(): void {
    open(this.ownLogin ? clipUrl(this, 'appUrl') : this.#url, '_blank', 'noopener');
  }

  protected override nodes(): (Node | null)[] {
    const { error, status } = this;
    const trouble = this.#trouble;
    if (status === 'error' && error) {
      const open =
        (this.#token || this.ownLogin) && error.code.startsWith('frame-')
          ? el(
              'button',
              { part: 'open', className: 'plain', onclick: () => this.#openTab() },
              this.text('open', 'Open in a new tab'),
            )
          : null;
      return [this.problem(error, () => this.reload(), open)];
    }
    const text = this.text('loading', 'Loading…');
    return [
      this.frame,
      status === 'authorizing' || status === 'loading'
        ? this.same('loading', text, () =>
            el(
              'div',
              { part: 'loading', className: 'cover', role: 'status' },
              el(
                'slot',
                { name: 'loading' },
                el('span', { part: 'spinner' }),
                el('span', { className: 'unseen' }, text),
              ),
            ),
          )
        : null,
      trouble && this.problem(trouble, () => this.renewToken(), null, 'notice'),
    ];
  }
}
