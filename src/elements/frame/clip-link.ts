import { ClipError } from '../../client/clip-error.ts';
import { onReturn } from '../../client/pause.ts';
import { PageToken } from '../../client/page-token.ts';
import { ClipSignedOutEvent, isSignedOut } from '../events.ts';
import { readHostOptions } from '../settings/host-options.ts';

interface Actions {
  /** Loads the frame again. */
  readonly load: () => void;
  readonly fail: (error: ClipError) => void;
  /** The frame that is shown, if there is one. */
  readonly frame: () => HTMLIFrameElement | null;
}

/** The signed address of a private clip: asked for, and renewed while the clip is shown. */
export class ClipLink {
  readonly #element: Element;
  readonly #actions: Actions;
  readonly #access: PageToken;
  /** `expires` and `signature`; empty if the clip is public. */
  #query = '';
  /** Whether the next load needs a new link. */
  #isStale = false;
  /** Whether the link was asked for because the page of the one before was missing. */
  #isSecond = false;
  /** Whether the link has ended and could not be renewed, which is still tried. */
  #isFailing = false;
  /** Ends the wait for a connection. */
  #waiting: AbortController | null = null;
  /** Removes the listeners on the page. */
  #listening: AbortController | null = null;

  constructor(element: Element, actions: Actions) {
    this.#element = element;
    this.#actions = actions;
    this.#access = new PageToken({
      renewed: (query) => {
        this.#query = query;
        this.#isSecond = false;
        if (this.#isFailing) return actions.load();
        const frame = actions.frame();
        // Only the fragment changes: the page in the frame reads it, and does not reload.
        frame?.contentWindow?.location.replace(`${frame.src}#${query}`);
      },
      failing: (error) => {
        if (this.#isFailing) return;
        this.#isFailing = !isSignedOut(error);
        actions.fail(error);
      },
    });
  }

  /** Gets a link to load the clip with. Rejects as {@link PageToken.obtainToken} does. */
  async obtainLink(project: string, signal: AbortSignal): Promise<void> {
    this.#isFailing = false;
    this.#waiting?.abort();
    const host = readHostOptions(this.#element);
    this.#query = await this.#access.obtainToken(
      { project, getToken: null, host, kind: 'link' },
      { given: null, stale: this.#isStale, keep: true },
      signal,
    );
    this.#isStale = false;
    if (this.#listening) return;
    this.#listening = new AbortController();
    // Another user may not watch it.
    const load = (): void => this.#loadAnew();
    addEventListener('clip-session-change', load, { signal: this.#listening.signal });
  }

  /** Returns the page's address with the link. */
  sign(address: string): string {
    if (!this.#query) return address;
    return `${address}${address.includes('?') ? '&' : '?'}${this.#query}`;
  }

  /** Reads a message of the page in the frame. */
  received(data: unknown): void {
    if ((Object(data) as { type?: unknown }).type !== 'clip-missing') return;
    if (!this.#isSecond) {
      this.#isSecond = true;
      this.#loadAnew();
      return;
    }
    this.#isSecond = false;
    this.#isStale = true;
    this.#actions.fail(new ClipError('clip-not-found', missing, { retryable: true }));
  }

  /**
   * Ends the renewal after an error, unless it is the renewal's own. Loads the frame once there is
   * a connection again, or a user who is signed in, and returns the event for the latter.
   */
  failed(error: ClipError): Event | null {
    if (this.#isFailing) return null;
    this.end();
    if (/^(network|timeout)$/.test(error.code)) {
      this.#waiting = new AbortController();
      onReturn(this.#actions.load, this.#waiting.signal);
    }
    if (!isSignedOut(error)) return null;
    this.#access.awaitSignIn(this.#actions.load);
    return new ClipSignedOutEvent(this.#element);
  }

  /** Ends the renewal. */
  end(): void {
    this.#access.end();
    this.#isFailing = false;
    this.#waiting?.abort();
    this.#listening?.abort();
    this.#listening = null;
  }

  #loadAnew(): void {
    this.#isStale = true;
    this.#actions.load();
  }
}

const missing = 'The clip does not exist, or may not be watched any longer.';
