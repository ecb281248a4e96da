import type { LitElement, ReactiveController } from 'lit';
import type { GetToken, PageToken } from '../../client/page-token.ts';
import { type ClipError, loadPart } from '../../client/clip-error.ts';
import { settingOf } from '../settings/settings.ts';

interface TokenHost extends LitElement {
  readonly project: string | null;
  readonly getToken: GetToken | null;
  readonly renew: 'fragment' | 'none';
}

interface Callbacks {
  /** The frame that is shown. */
  frame(): HTMLIFrameElement | null;
  /** There is a new token, which ends then by this page's clock, in milliseconds. */
  renewed(end: number | null): void;
  /** The token has ended and could not be renewed so far. */
  failing(error: ClipError): void;
}

/** The token of an embed: from the page, from a function of it, or from the endpoint. */
export class TokenController implements ReactiveController {
  readonly #host: TokenHost;
  readonly #callbacks: Callbacks;
  /** A token that the page has just set, for the project that is set at the end of the task. */
  #set: string | null = null;
  /** The frame that a token which the page has just set is for. */
  #frame: HTMLIFrameElement | null = null;
  /** A token from the page, and the project that it is for. */
  #given: { readonly token: string; readonly project: string | null } | null = null;
  /** Whether the next load needs a new token. */
  #stale = false;
  #access: PageToken | null = null;
  /** The token to open the page with. */
  current = '';
  /** Why it could not be renewed so far. */
  error: ClipError | null = null;

  constructor(host: TokenHost, callbacks: Callbacks) {
    this.#host = host;
    this.#callbacks = callbacks;
    host.addController(this);
  }

  /** Whether a token has to come from the endpoint. */
  get needsEndpoint(): boolean {
    return this.#hasEndpoint || (!this.#given && !this.#host.getToken);
  }

  get #hasEndpoint(): boolean {
    return !this.#host.getToken && !!settingOf(this.#host, 'endpoint');
  }

  /** Takes a token that the page has. */
  give(token: string): void {
    this.#set = token;
    this.#host.requestUpdate();
  }

  hostUpdate(): void {
    const token = this.#set;
    const { project } = this.#host;
    this.#set = null;
    this.#frame = token ? this.#callbacks.frame() : null;
    if (token) this.#given = { token, project };
    else if (this.#given?.project !== project) this.#given = null;
  }

  hostUpdated(): void {
    const frame = this.#frame;
    this.#frame = null;
    // A frame that was made since then opens with this token.
    if (!frame || frame !== this.#callbacks.frame()) return;
    const { token } = this.#given!;
    queueMicrotask(() => this.#renewed(token, null));
  }

  async obtain(signal: AbortSignal): Promise<void> {
    const { getToken, project, renew } = this.#host;
    const hasEndpoint = this.#hasEndpoint;
    const given = this.#given?.token ?? null;
    if (given) this.current = given;
    if (!getToken && !hasEndpoint) return;
    const { hostOptions, PageToken } = await loadPart(import('./token-part.ts'));
    signal.throwIfAborted();
    this.#access ??= new PageToken({
      renewed: (token, end) => {
        this.#given = null;
        this.#renewed(token, end);
      },
      failing: (error) => {
        if (this.error?.code === error.code) return;
        this.error = error;
        this.#host.requestUpdate();
        this.#callbacks.failing(error);
      },
    });
    this.current = await this.#access.obtain(
      {
        project: project!,
        // Read again at each call, because frameworks set a new function at every render.
        getToken: getToken && ((context) => (this.#host.getToken ?? getToken)(context)),
        host: hasEndpoint ? hostOptions(this.#host) : null,
      },
      { given, stale: this.#stale, keep: renew !== 'none' },
      signal,
    );
    if (this.current !== given) this.#given = null;
    this.#stale = false;
  }

  /** Renews the token now; false if there is none to renew. */
  renew(): boolean {
    return !!this.#access?.renew();
  }

  /** Calls `retry` once a user is signed in, unless the token is ended before. */
  awaitSignIn(retry: () => void): void {
    this.#access?.awaitSignIn(retry);
  }

  /** The next load needs a new token. */
  refuse(): void {
    this.end();
    this.#stale = true;
  }

  end(): void {
    this.#access?.end();
    this.error = null;
  }

  /** The element has left the document. */
  leave(): void {
    if (this.#given) return;
    this.#access = null;
    this.current = '';
  }

  #renewed(token: string, end: number | null): void {
    this.current = token;
    this.error = null;
    this.#host.requestUpdate();
    this.#callbacks.renewed(end);
  }
}
