/** How many requests may be held at a time. A request over the limit is answered at once. */
export interface HoldLimits {
  /** Per user: about as many as a user has open tabs. Default 10. */
  readonly perUser?: number;
  /** For all users of this process together. Default 20,000. */
  readonly total?: number;
}

/** The requests that are held at the moment, whatever they wait for. */
export class Holds {
  readonly #perUser: number;
  readonly #total: number;
  readonly #held = new Map<string, number>();
  #heldTotal = 0;

  constructor({ perUser = 10, total = 20_000 }: HoldLimits = {}) {
    this.#perUser = perUser;
    this.#total = total;
  }

  /** Counts a held request of the user; returns what ends it, or null if there are too many. */
  take(managedUser: string): (() => void) | null {
    if (this.#heldTotal >= this.#total || (this.#held.get(managedUser) ?? 0) >= this.#perUser) {
      return null;
    }
    this.#count(managedUser, 1);
    return () => this.#count(managedUser, -1);
  }

  #count(managedUser: string, change: 1 | -1): void {
    this.#heldTotal += change;
    const held = (this.#held.get(managedUser) ?? 0) + change;
    if (held) this.#held.set(managedUser, held);
    else this.#held.delete(managedUser);
  }
}
