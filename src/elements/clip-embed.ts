import { html, nothing, type TemplateResult } from 'lit/html.js';
import { ClipError } from '../client/clip-error.ts';
import type { GetToken, TokenKeeper, TokenSource } from '../client/token-keeper.ts';
import type { TokenGrant } from '../client/token-store.ts';
import { baseStyles } from './base-styles.ts';
import {
  ClipEmbedErrorEvent,
  ClipEmbedReadyEvent,
  ClipTokenRenewedEvent,
} from './clip-embed-events.ts';
import { css } from './css.ts';
import { FrameElement } from './frame-element.ts';
import { frameStyles } from './frame-styles.ts';
import { hostOptions } from './host-options.ts';
import { clipUrl, settingOf, settingUrl } from './settings.ts';

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

  /** Whether the page gave a token itself. */
  #given = false;
  /** Whether the present grant is to be replaced at the next load. */
  #stale = false;
  #grant: TokenGrant | null = null;
  #keeper: TokenKeeper | null = null;
  #keeping: AbortController | null = null;
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
    this.#given = true;
    if (this.getAttribute('token')) this.setAttribute('token', '');
    if (this.frame) this.#renewed(givenGrant(value));
    else this.#grant = givenGrant(value);
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
    if (this.#keeper) this.#keeper.now();
    else this.reload();
  }

  protected override get flags(): readonly string[] {
    return this.#trouble ? ['stale'] : [];
  }

  protected override get name(): string {
    return this.label || this.text('embed-label', 'Clip editor');
  }

  protected override address(): string {
    const url = clipUrl(settingUrl(this, 'appUrl'), 'embed', this.project ?? '');
    // Without any source of a token: said before anything is loaded.
    const needsHost = !this.#given && !this.getToken;
    return needsHost || settingOf(this, 'endpoint')
      ? `${url} ${settingUrl(this, 'endpoint').href}`
      : url;
  }

  protected override authorize = async (signal: AbortSignal): Promise<void> => {
    const { getToken } = this;
    const host = !getToken && settingOf(this, 'endpoint') ? hostOptions(this) : null;
    if (!getToken && !host) return;
    const access = await import('../client/page-token.ts').catch((cause: unknown) => {
      throw new ClipError('load-failed', 'A part of this page could not be loaded.', {
        cause,
        retryable: true,
      });
    });
    signal.throwIfAborted();
    const source = access.tokenSource(this.project ?? '', getToken, host);
    const grant = this.#grant;
    if (!grant || this.#stale || (grant.renewAt !== null && grant.renewAt < Date.now())) {
      this.#grant = await access.obtainToken(source, signal, grant?.token);
      this.#stale = false;
    } else if (grant.end === null) {
      this.#grant = access.grantOf(grant.token, null, 0);
    }
    this.#keep(access, source);
  };

  protected override navigate(frame: HTMLIFrameElement): void {
    this.#hand(frame);
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
    if (!this.#given) this.#grant = null;
    super.left();
  }

  get #url(): string {
    return `${clipUrl(settingUrl(this, 'appUrl'), 'embed', this.project ?? '')}#external_access_token=${encodeURIComponent(this.#grant?.token ?? '')}`;
  }

  /**
   * Sends the frame to its address by its location: the token then stands in no attribute, and no entry is added to the
   * history. With the same address it is a change of the fragment alone, and the frame does not reload.
   */
  #hand(frame: HTMLIFrameElement | null): void {
    frame?.contentWindow?.location.replace(this.#url);
  }

  #keep(access: typeof import('../client/page-token.ts'), source: TokenSource): void {
    const { connection } = this;
    if (this.#keeping || this.renew === 'none' || !connection || !this.#grant) return;
    this.#keeping = new AbortController();
    this.#keeper = new access.TokenKeeper(
      source,
      this.#grant,
      AbortSignal.any([connection, this.#keeping.signal]),
      {
        renewed: (grant) => this.#renewed(grant),
        failing: (error) => {
          if (this.#trouble?.code === error.code) return;
          this.#trouble = error;
          this.requestUpdate();
          this.tell(new ClipEmbedErrorEvent(error));
        },
      },
    );
  }

  #renewed(grant: TokenGrant): void {
    this.#grant = grant;
    this.#trouble = null;
    this.requestUpdate();
    if (this.renew === 'reload') void this.begin();
    else this.#hand(this.frame);
    this.tell(new ClipTokenRenewedEvent(grant.end === null ? null : new Date(grant.end)));
  }

  #end(): void {
    this.#keeping?.abort();
    this.#keeping = this.#keeper = this.#trouble = null;
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
        this.#grant &&
          error.code === 'frame-timeout' &&
          html`<button part="open" class="plain" @click=${this.#openTab}>
            ${this.text('open', 'Open in a new tab')}
          </button>`,
      );
    }
    return html`${this.frame}${
      status === 'authorizing' || status === 'loading'
        ? html`<div part="loading" class="cover" role="status">
            <slot name="loading"
              ><span class="spinner"></span
              ><span class="unseen">${this.text('loading', 'Loading…')}</span></slot
            >
          </div>`
        : nothing
    }${trouble ? this.problem(trouble, () => this.renewToken(), null, 'notice') : nothing}`;
  }
}

/** A token whose end nobody asks about. */
const givenGrant = (token: string): TokenGrant => ({ token, end: null, renewAt: null });
