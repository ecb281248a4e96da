/** Safari allows 100 changes of the address in 30 seconds. */
const pauseMs = 400;

/** The parameter of the address with the current clip. */
const parameter = 'clip';
/** In the state of an entry of the history that an open dialog has added. */
const mark = 'clip-feed';

interface Feed extends Element {
  readonly history: string | null;
}

/** The feed whose clip is in the page's address. */
let owner: Feed | null = null;
let changedAt = -Infinity;

/** The feeds whose entries are in the history. */
const open: FeedAddress[] = [];
let isListening = false;

/** Returns false if the browser refuses the change: there were too many, or the frame may not. */
function change(method: 'pushState' | 'replaceState', state: unknown, url: string): boolean {
  try {
    history[method](state, '', url);
    return true;
  } catch {
    return false;
  }
}

/** A feed in the address and the history of the page. */
export class FeedAddress {
  readonly #feed: Feed;
  #hasWarned = false;
  /** The clip that was put into the address last. */
  #clip: string | null = null;
  #writing: ReturnType<typeof setTimeout> | undefined;
  /** Closes the open dialog. */
  #close: (() => void) | null = null;
  /** In the state of the dialog's entry. */
  #mark = 0;
  /** The address of the page before that entry. */
  #href = '';
  /** Whether the entry of a closed dialog is being removed. */
  #isLeaving = false;

  constructor(feed: Feed) {
    this.#feed = feed;
    if (isListening || !globalThis.window) return;
    isListening = true;
    // As early as possible: Chromium calls the router of the page first if it came before.
    addEventListener('popstate', handlePop, { capture: true });
  }

  get #isOwner(): boolean {
    const feed = this.#feed;
    if (feed.history !== 'replace') return false;
    if (!owner?.isConnected || owner.history !== 'replace') owner = feed;
    if (owner !== feed && !this.#hasWarned) {
      this.#hasWarned = true;
      console.warn('clip-feed: history="replace" is ignored, because another feed has it.', feed);
    }
    return owner === feed;
  }

  /** The clip in the address. */
  get clip(): string | null {
    return this.#isOwner ? new URL(location.href).searchParams.get(parameter) : null;
  }

  /** Puts a clip into the address, at once or after a pause. */
  replace(clip: string): void {
    if (!this.#isOwner) return;
    this.#clip = clip;
    clearTimeout(this.#writing);
    const waitMs = changedAt + pauseMs - performance.now();
    if (waitMs > 0) this.#writing = setTimeout(() => this.#write(), waitMs);
    else this.#write();
  }

  #write(): void {
    changedAt = performance.now();
    const url = new URL(location.href);
    url.searchParams.set(parameter, this.#clip!);
    change('replaceState', history.state, url.href);
  }

  /** Adds an entry to the history: going back from it closes the dialog. */
  push(close: () => void): void {
    this.#close = close;
    if (this.#isLeaving) return;
    this.#href = location.href;
    this.#mark = Math.random();
    const state = { ...Object(history.state), [mark]: this.#mark } as object;
    if (change('pushState', state, this.#href)) open.push(this);
  }

  /** Closes the dialog if its entry was left. Returns whether it was. */
  leave(event: Event): boolean {
    if (this.#isAtEntry) return false;
    this.#forget();
    // For the router of the page nothing has changed.
    if (location.href === this.#href) event.stopImmediatePropagation();
    if (this.#clip) this.replace(this.#clip);
    const close = this.#close;
    if (!this.#isLeaving) {
      this.#close = null;
      close!();
    }
    this.#isLeaving = false;
    // It was opened again in the meantime.
    if (this.#close) this.push(this.#close);
    return true;
  }

  get #isAtEntry(): boolean {
    return (Object(history.state) as Record<string, unknown>)[mark] === this.#mark;
  }

  #forget(): void {
    const at = open.indexOf(this);
    if (at >= 0) open.splice(at, 1);
  }

  /** The dialog is closed: removes its entry. */
  pop(): void {
    if (!this.#close) return;
    this.#close = null;
    this.#isLeaving = this.#isAtEntry;
    if (this.#isLeaving) history.back();
    else this.#forget();
  }

  /** The feed has left the page. */
  end(): void {
    clearTimeout(this.#writing);
    this.#forget();
    this.#close = this.#clip = null;
    this.#isLeaving = false;
    if (owner === this.#feed) owner = null;
  }
}

function handlePop(event: Event): void {
  for (const address of [...open].reverse()) if (!address.leave(event)) return;
}
