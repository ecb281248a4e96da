/** Where browsers do not say that scrolling has ended, it has after this pause. */
const settleMs = 120;

interface Callbacks {
  /** Called when `isInView` or `isScrolling` has changed. */
  readonly changed: () => void;
  /** Called while the box scrolls, when most of the item at this place has come into it. */
  readonly arrived: (place: number) => void;
  /** Called when scrolling has ended, with the place that is nearest. */
  readonly settled: (place: number) => void;
}

/** The box of a feed that scrolls from clip to clip: where it is, and whether it can be seen. */
export class FeedScroller {
  readonly #callbacks: Callbacks;
  /** Null while none is drawn. */
  box: HTMLElement | null = null;
  /** Of the box in the page. */
  #observer: IntersectionObserver | null = null;
  /** Of the items in the box. */
  #itemObserver: IntersectionObserver | null = null;
  #settling: ReturnType<typeof setTimeout> | undefined;
  isScrolling = false;
  /** Whether at least half of the box is in the viewport. */
  isInView = false;

  constructor(callbacks: Callbacks) {
    this.#callbacks = callbacks;
  }

  get #items(): HTMLElement[] {
    return [...(this.box?.querySelectorAll<HTMLElement>('[part="item"]') ?? [])];
  }

  /** Follows the box as it is drawn now. Returns whether it is another one than before. */
  follow(box: HTMLElement | null): boolean {
    const isOther = box !== this.box;
    if (isOther) this.#observe(box);
    for (const item of this.#items) this.#itemObserver?.observe(item);
    return isOther;
  }

  /** Scrolls to the item at this place. Returns false if it is not drawn. */
  scrollTo(place: number, behavior: 'smooth' | 'instant'): boolean {
    const items = this.#items;
    const item = items[place];
    if (!item) return false;
    this.box!.scrollTo({ top: item.offsetTop - items[0]!.offsetTop, behavior });
    return true;
  }

  /** The place of the item among these nodes; -1 if none is one. */
  placeIn(path: readonly EventTarget[]): number {
    return this.#items.findIndex((item) => path.includes(item));
  }

  /** Follows the scrolling of the box: its `scroll` and `scrollend` events come here. */
  handleEvent({ type }: Event): void {
    if (type === 'scroll') this.#onScroll();
    else this.#settle();
  }

  #onScroll(): void {
    this.isScrolling = true;
    if ('onscrollend' in window) return;
    clearTimeout(this.#settling);
    this.#settling = setTimeout(() => {
      const place = this.#place();
      // A slow computer may pause on the way.
      if (Math.abs(place - Math.round(place)) > 0.01) this.#onScroll();
      else this.#settle();
    }, settleMs);
  }

  #settle(): void {
    // Frames load in a task of their own, after what can be seen.
    setTimeout(() => {
      this.isScrolling = false;
      this.#callbacks.changed();
    });
    this.#callbacks.settled(Math.round(this.#place()));
  }

  /** Leaves the box. */
  end(): void {
    this.#observe(null);
    clearTimeout(this.#settling);
    this.isScrolling = false;
  }

  #observe(box: HTMLElement | null): void {
    this.box = box;
    this.#observer?.disconnect();
    this.#itemObserver?.disconnect();
    this.isInView = false;
    // jsdom has no observers.
    if (!box || !globalThis.IntersectionObserver) return;
    this.#observer = new IntersectionObserver(
      (entries) => {
        this.isInView = entries.at(-1)!.isIntersecting;
        this.#callbacks.changed();
      },
      { threshold: 0.5 },
    );
    this.#observer.observe(box);
    this.#itemObserver = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          if (isIntersecting && this.isScrolling) this.#callbacks.arrived(this.placeIn([target]));
        }
      },
      { root: box, threshold: 0.6 },
    );
  }

  /** The place that is scrolled to; between two items it is not a whole number. */
  #place(): number {
    const [first, second] = this.#items;
    if (!first || !second) return 0;
    return this.box!.scrollTop / (second.offsetTop - first.offsetTop);
  }
}
