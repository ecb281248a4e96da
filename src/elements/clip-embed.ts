import { html, nothing, type TemplateResult } from 'lit/html.js';
import type { ClipError } from '../client/clip-error.ts';
import type { PageToken } from '../client/page-token.ts';
import type { GetToken } from '../client/token-keeper.ts';
import { baseStyles } from './base-styles.ts';
import {
  ClipEmbedErrorEvent,
  ClipEmbedReadyEvent,
  ClipTokenRenewedEvent,
} from './clip-embed-events.ts';
import { clipUrl } from './clip-url.ts';
import { css } from './css.ts';
import { FrameElement } from './frame-element.ts';
import { frameStyles } from './frame-styles.ts';
import { hostOptions } from './host-options.ts';
import { loadPart } from './load-part.ts';
import { settingOf, settingUrl } from './settings.ts';
import { unseenStyles } from './unseen-styles.ts';

/**
 * The embed page of a clip, opened with a token that stands in the frame's URL fragment and nowhere else.
 *
 * @element clip-embed
 * @fires {ClipEmbedReadyEvent} clip-embed-ready - The frame has loaded.
 * @fires {ClipEmbedErrorEvent} clip-embed-error - The embed could not be shown, or its access not renewed; `error` says why.
 * @fires {ClipTokenRenewedEvent} clip-token-renewed - A new token was handed to the frame.
 * @slot loading - Shown while the token is asked for and the frame loads.
 * @slot error - Instead of the error's text.
 * @csspart frame - The frame.
 * @csspart loading - What covers the frame until it has loaded.
 * @csspart spinner - What turns in it.
 * @csspart error - What is shown instead of the frame after an error, or above it when renewing fails.
 * @csspart retry - The button in it that tries again.
 * @csspart open - The button in it that opens the embed in a new tab.
 * @cssproperty [--clip-aspect-ratio=9 / 16] - Shape of the element.
 * @cssproperty [--clip-radius=1rem] - Its corners.
 * @cssproperty [--clip-backdrop] - What is behind the frame.
 * @cssproperty [--clip-accent=#4f46e5] - Spinner and focus ring.
 * @cssstate idle - Nothing is asked for yet.
 * @cssstate authorizing - A token is asked for.
 * @cssstate loading - The frame is loading.
 * @cssstate ready - The frame has loaded.
 * @cssstate error - The embed could not be shown.
 * @cssstate stale - The token has ended and could not be renewed so far.
 */
export class ClipEmbed extends FrameElement {
  static override properties = {
    ...FrameElement.properties,
    token: {},
    getToken: { attribute: false },
    renew: {},
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

  /** `lazy`: asks for a token and loads near the viewport. `eager`: at once. */
  declare loading: 'lazy' | 'eager';
  /** Gives the token; wins over `endpoint`. */
  declare getToken: GetToken | null;
  /** `fragment`: a renewed token is handed over without a reload. `reload`: the frame is loaded anew. `none`: no renewal. */
  declare renew: 'fragment' | 'reload' | 'none';

  /** A token that the page gave, and the one that the frame is to be opened with. */
  #given: string | null = null;
  #token = '';
  /** Whether the present token is to be replaced at the next load. */
  #stale = false;
  #access: PageToken | null = null;
  #trouble: ClipError | null = null;

  constructor() {
    super();
    this.renew = 'fragment';
  }

  /** A token that the page already has. The attribute is emptied once read, and the property always reads as null. */
  get token(): string | null {
    return null;
  }

  set token(value: string | null) {
    if (!value || value === '[object Object]') return;
    this.#given = value;
    if (this.getAttribute('token')) this.setAttribute('token', '');
    if (this.frame) this.#renewed(value, null);
    else this.#token = value;
    this.requestUpdate();
  }

  /** Loads the frame anew, with a fresh token where one can be had. */
  reload(): void {
    this.#end();
    this.#stale = true;
    void this.begin();
  }

  /** Asks for a new token now. */
  renewToken(): void {
    if (!this.#access?.renew()) this.reload();
  }

  protected override get states(): readonly string[] {
    return this.#trouble ? [this.status, 'stale'] : [this.status];
  }

  protected override get name(): string {
    return this.label || this.text('embed-label', 'Clip editor');
  }

  protected override address(): string {
    const url = clipUrl(this, 'appUrl');
    // Without any source of a token: said before anything is loaded.
    return this.#host || (!this.#given && !this.getToken)
      ? `${url} ${settingUrl(this, 'endpoint').href}`
      : url;
  }

  protected override authorize = async (signal: AbortSignal): Promise<void> => {
    const { getToken, project } = this;
    const host = this.#host && hostOptions(this);
    if (!getToken && !host) return;
    const { PageToken } = await loadPart(import('../client/page-token.ts'));
    signal.throwIfAborted();
    this.#access ??= new PageToken({
      renewed: (token, end) => this.#renewed(token, end),
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
        // The one that is set when it is needed: frameworks set another at every drawing.
        getToken: getToken && ((context) => (this.getToken ?? getToken)(context)),
        host: host || null,
      },
      { given: this.#given, stale: this.#stale, keep: this.renew !== 'none' },
      signal,
    );
    this.#given &&= this.#token;
    this.#stale = false;
  };

  protected override navigate(frame: HTMLIFrameElement): void {
    // By the frame's location, the token stands in no attribute, and no entry is added to the history. With the same address
    // it is a change of the fragment alone, and the frame does not reload.
    frame.contentWindow?.location.replace(this.#url);
  }

  protected override loaded(): void {
    this.tell(new ClipEmbedReadyEvent());
  }

  protected override failed(error: ClipError): void {
    this.#end();
    this.tell(new ClipEmbedErrorEvent(error));
  }

  protected override left(): void {
    this.#end();
    if (!this.#given) {
      this.#access = null;
      this.#token = '';
    }
    super.left();
  }

  get #host(): boolean {
    return !this.getToken && !!settingOf(this, 'endpoint');
  }

  get #url(): string {
    return `${clipUrl(this, 'appUrl')}#external_access_token=${encodeURIComponent(this.#token)}`;
  }

  #renewed(token: string, end: number | null): void {
    this.#token = token;
    this.#given &&= token;
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
    open(this.#url, '_blank', 'noopener');
  }

  protected override render(): TemplateResult {
    const { error, status } = this;
    const trouble = this.#trouble;
    if (error) {
      return this.problem(
        error,
        () => this.reload(),
        this.#token &&
          error.code.startsWith('frame-') &&
          html`<button part="open" class="plain" @click=${this.#openTab}>
            ${this.text('open', 'Open in a new tab')}
          </button>`,
      );
    }
    return html`${this.frame}${
      status === 'authorizing' || status === 'loading'
        ? html`<div part="loading" class="cover" role="status">
            <slot name="loading"
              ><span part="spinner"></span
              ><span class="unseen">${this.text('loading', 'Loading…')}</span></slot
            >
          </div>`
        : nothing
    }${trouble ? this.problem(trouble, () => this.renewToken(), null, 'notice') : nothing}`;
  }
}
