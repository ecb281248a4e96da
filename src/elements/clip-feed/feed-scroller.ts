/**
 * Scrolling has ended after this pause. Where browsers say so themselves, they do not for a box
 * that was moved or hidden on the way.
 */
const settleMs = (): number => ('onscrollend' in window ? 1000 : 120);

interface Callbacks {
  /** Called when `isInView` or `isScrolling` has changed. */
  readonly changed: () => void;
  /** Called while the box scrolls, when most of the item at this place has come into it. */
  readonly arrived: (place: number) => void;
  /** Called when scrolling has ended, with the place that is nearest. */
  readonly settled: (place: number) => void;
  /** Called with the place that is in the box without the visitor's scrolling. */
  readonly strayed: (place: number) => void;
}

/** The box of a feed that scrolls from clip to clip: where it is, and whether it can be seen. */
export class FeedScroller {
  readonly #callbacks: Callbacks;
  /** Null while none is drawn. */
  box: HTMLElement | null = null;
  /** Observes the box in the page. */
  #observer: IntersectionObserver | null = null;
  #sizeObserver: ResizeObserver | null = null;
  /** Observes the items in the box. */
  #itemObserver: IntersectionObserver | null = null;
  #settling: ReturnType<typeof setTimeout> | undefined;
  isScrolling = false;
  #isHalfSeen = false;
  #hasSize = false;

  constructor(callbacks: Callbacks) {
    this.#callbacks = callbacks;
  }

  /** Whether at least half of the box is in the viewport. */
  get isInView(): boolean {
    return this.#isHalfSeen && this.#hasSize;
  }

  get #items(): HTMLElement[] {
    return [...(this.box?.querySelectorAll<HTMLElement>('.item') ?? [])];
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
    // A box without size is scrolled by no visitor.
    if (!this.#hasSize) return;
    if (type === 'scroll') this.#onScroll();
    else this.#settle();
  }

  #onScroll(): void {
    this.isScrolling = true;
    clearTimeout(this.#settling);
    this.#settling = setTimeout(() => {
      const place = this.#place();
      // A slow computer may pause on the way.
      if (Math.abs(place - Math.round(place)) > 0.01) this.#onScroll();
      else this.#settle();
    }, settleMs());
  }

  #settle(): void {
    clearTimeout(this.#settling);
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
    this.#rest();
  }

  #rest(): void {
    clearTimeout(this.#settling);
    this.isScrolling = false;
  }

  #observe(box: HTMLElement | null): void {
    this.box = box;
    this.#observer?.disconnect();
    this.#sizeObserver?.disconnect();
    this.#itemObserver?.disconnect();
    this.#isHalfSeen = false;
    this.#hasSize = !!box?.offsetHeight;
    // jsdom has no observers.
    if (!box || !globalThis.IntersectionObserver) return;
    this.#observer = new IntersectionObserver(
      (entries) => {
        this.#isHalfSeen = entries.at(-1)!.isIntersecting;
        this.#callbacks.changed();
      },
      { threshold: 0.5 },
    );
    this.#observer.observe(box);
    // An observer of intersections does not see a box without size grow.
    this.#sizeObserver = new ResizeObserver(() => {
      this.#hasSize = box.offsetHeight > 0;
      if (!this.#hasSize) this.#rest();
      else if (!this.isScrolling) this.#callbacks.strayed(Math.round(this.#place()));
      this.#callbacks.changed();
    });
    this.#sizeObserver.observe(box);
    this.#itemObserver = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          if (!isIntersecting || !this.#hasSize) continue;
          const { arrived, strayed } = this.#callbacks;
          (this.isScrolling ? arrived : strayed)(this.placeIn([target]));
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
