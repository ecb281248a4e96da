import type { PropertyDeclarations } from 'lit';
import type { GetSession } from '../../client/page-state.ts';
import { defineAttributeProperties } from '../attribute-properties.ts';
import { ClipElement } from '../clip-element.ts';
import { hostAttributes, hostProperties } from './settings.ts';

/** Base class of the elements without a frame that call the page's host: its settings. */
export abstract class HostElement extends ClipElement {
  static override properties: PropertyDeclarations = {
    ...defineAttributeProperties(this, hostAttributes),
    ...hostProperties,
  };

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
}
