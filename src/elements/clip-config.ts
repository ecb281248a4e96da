import { registerLocale } from '../locales/registry.ts';
import { css } from './css.ts';
import { ReactiveElement } from './reactive-element.ts';
import { configure, refollow, settingProperties, type ClipSettings } from './settings.ts';

/**
 * Settings for the clip elements inside it. Draws nothing.
 *
 * @element clip-config
 * @slot - The part of the page that the settings are for.
 */
export class ClipConfig extends ReactiveElement implements ClipSettings {
  static override properties = settingProperties;
  static override styles = [
    css`
      :host {
        display: contents;
      }
    `,
  ];

  /** @internal For another copy of the kit on the page. */
  static configure = configure;
  /** @internal Likewise. */
  static registerLocale = registerLocale;

  /** The page's own backend, as in the host contract. */
  declare endpoint: string | null;
  /** Where the embed pages are ({app_url}). */
  declare appUrl: string | null;
  /** Where the preview pages are ({player_url}). */
  declare playerUrl: string | null;
  /** Credentials of the requests to the endpoint: `same-origin` (default) or `include`. */
  declare credentials: RequestCredentials | null;
  /** Name of the header that carries `csrfToken`. Default: `X-CSRF-Token`. */
  declare csrfHeader: string | null;
  /** The page's token against cross-site requests. */
  declare csrfToken: string | null;
  /** Where a fresh token against cross-site requests is fetched once when one is refused. */
  declare csrfUrl: string | null;
  /** Message that a framed page posts when it is there, as text or as an object's `type`. Without it, a `load` is taken for that. */
  declare handshake: string | null;

  disconnectedCallback(): void {
    refollow();
  }

  protected override updated(): void {
    refollow();
  }

  protected override draw(root: ShadowRoot): void {
    if (!root.firstChild) root.append(document.createElement('slot'));
  }
}
