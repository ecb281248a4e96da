import { css, html, LitElement, type TemplateResult } from 'lit';
import type { GetSession } from '../../client/page-state.ts';
import { registerLocale } from '../../locales/registry.ts';
import { defineAttributeProperties } from '../attribute-properties.ts';
import {
  configure,
  hostProperties,
  readMarkup,
  requestUpdates,
  settingAttributes,
  type ClipSettings,
} from '../settings/settings.ts';

/**
 * Settings for the clip elements inside it. Draws nothing.
 *
 * @element clip-config
 * @slot - The part of the page to which the settings apply.
 */
export class ClipConfig extends LitElement implements ClipSettings {
  static override properties = {
    ...defineAttributeProperties(this, settingAttributes),
    ...hostProperties,
  };
  static override styles = css`
    :host {
      display: contents;
    }
  `;

  /** @internal For another copy of the kit on the page. */
  static configure = configure;
  /** @internal For another copy of the kit on the page. */
  static registerLocale = registerLocale;
  /** @internal For another copy of the kit on the page. */
  static readMarkup = readMarkup;

  /** The backend of your page: the host. */
  declare endpoint: string | null;
  /** Base URL of the embed pages, or an address with `{id}`; `{lang}` in it is the language. */
  declare appUrl: string | null;
  /** Base URL of the preview pages, or an address with `{id}`; `{lang}` in it is the language. */
  declare playerUrl: string | null;
  /**
   * Address of the posters of all previews without a `poster`, with `{project}` for the id, such as
   * `https://clips.example/player/{project}/poster.jpg`; `{lang}` is the language.
   */
  declare posterUrl: string | null;
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
  /**
   * The message that the framed page posts when it has loaded: a text, or the `type` of an object.
   * If omitted, the frame counts as loaded with its `load` event, or the message `clip-ready`.
   */
  declare handshake: string | null;
  /** `signed`: for private clips, whose links the elements request from the host. */
  declare links: 'signed' | null;
  /**
   * Address to which the page sends what visitors watch, such as `/clips/views`. If omitted, and
   * for visitors with Global Privacy Control or Do Not Track, nothing is sent.
   */
  declare views: string | null;
  /**
   * Name of the place where clips are watched, such as `home`: 1 to 32 letters, digits, `_` or `-`.
   */
  declare viewsPlace: string | null;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    requestUpdates();
  }

  protected override updated(): void {
    requestUpdates();
  }

  protected override render(): TemplateResult {
    return html`<slot></slot>`;
  }
}
