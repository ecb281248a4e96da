import { setMaxListeners } from 'node:events';
import { VirtualClock } from 'clip-testkit/virtual-clock';

/**
 * What the client uses of a page, in addition to fetch: visibility, the window's events, storage.
 * In virtual time.
 */
export class VirtualPage {
  readonly clock = new VirtualClock();
  readonly #window = new EventTarget();
  readonly #document = Object.assign(new EventTarget(), {
    hidden: false,
    querySelector: () => (this.sessionBlock ? { textContent: this.sessionBlock } : null),
  });
  /** The text of the page's `<script data-clip-session>`. */
  sessionBlock: string | null = null;

  constructor() {
    this.clock.install();
    setMaxListeners(0, this.#window, this.#document);
    const stored = new Map<string, string>();
    // Tabs of a test share one window, so a tab also receives its own changes.
    const tell = (key: string, newValue: string | null) => {
      const change = { key, oldValue: stored.get(key) ?? null, newValue };
      if (change.oldValue === newValue) return;
      setTimeout(() => this.#window.dispatchEvent(Object.assign(new Event('storage'), change)));
    };
    for (const [name, value] of Object.entries({
      document: this.#document,
      addEventListener: this.#window.addEventListener.bind(this.#window),
      removeEventListener: this.#window.removeEventListener.bind(this.#window),
      localStorage: {
        get length() {
          return stored.size;
        },
        key: (at: number) => [...stored.keys()][at] ?? null,
        getItem: (key: string) => stored.get(key) ?? null,
        setItem(key: string, text: string) {
          tell(key, text);
          stored.set(key, text);
        },
        removeItem(key: string) {
          tell(key, null);
          stored.delete(key);
        },
      },
    })) {
      Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
    }
  }

  hide(): void {
    this.#document.hidden = true;
    this.#document.dispatchEvent(new Event('visibilitychange'));
  }

  show(): void {
    this.#document.hidden = false;
    this.#document.dispatchEvent(new Event('visibilitychange'));
  }

  focus(): void {
    this.#window.dispatchEvent(new Event('focus'));
  }

  /** The site reports that a user has signed in or out. */
  sessionChange(): void {
    this.#window.dispatchEvent(new Event('clip-session-change'));
  }

  online(): void {
    this.#window.dispatchEvent(new Event('online'));
  }

  /** Back from the back/forward cache. */
  pageshow(persisted: boolean): void {
    this.#window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted }));
  }

  close(): void {
    this.clock.uninstall();
    for (const name of ['document', 'addEventListener', 'removeEventListener', 'localStorage']) {
      Reflect.deleteProperty(globalThis, name);
    }
  }
}
