/**
 * What was read of the database and need not be read again until a notice says that it has changed.
 * Keeps nothing while notices may be missed. The oldest goes when there is no room.
 */
export class Kept<Value> {
  readonly #room: number;
  readonly #values = new Map<string, Value>();
  #trusted = false;
  #forgotten = 0;

  constructor(room: number) {
    this.#room = room;
  }

  get(key: string): Value | undefined {
    return this.#values.get(key);
  }

  /** To be taken before a read: what is forgotten during the read must not be kept. */
  get age(): number {
    return this.#forgotten;
  }

  /** @param age as it was before the value was read */
  keep(key: string, value: Value, age: number): void {
    if (!this.#trusted || age !== this.#forgotten) return;
    const [oldest] = this.#values.size >= this.#room ? this.#values.keys() : [];
    if (oldest !== undefined) this.#values.delete(oldest);
    this.#values.set(key, value);
  }

  forget(key: string): void {
    this.#forgotten += 1;
    this.#values.delete(key);
  }

  forgetAll(): void {
    this.#forgotten += 1;
    this.#values.clear();
  }

  /** Whether every change is noticed from now on; nothing that was kept before is trusted. */
  trust(state: boolean): void {
    this.#trusted = state;
    this.forgetAll();
  }
}
