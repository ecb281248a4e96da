import { LongPoll, type Holds } from '../holds.ts';

/** Pause between two reads of something that somebody waits for. */
const lookMs = 1000;

interface Reading<T> {
  /** Reads what has this name for the user. */
  readonly read: (managedUser: string, name: string) => Promise<T>;
  /** What a page shows of it: a change ends a hold. */
  readonly stateOf: (value: T) => string;
  /** Whether it changes by itself. */
  readonly isMoving: (value: T) => boolean;
}

/** Holds requests until something changes. Requests for the same thing share each read. */
export class HeldReads<T> extends LongPoll<string, T> {
  readonly #reading: Reading<T>;

  constructor(reading: Reading<T>, holds: Holds, closing: AbortSignal) {
    super(holds, closing);
    this.#reading = reading;
  }

  /** Ends the holds that wait for what has this name: the service has reported a change. */
  notify(name: string, value: T): void {
    this.change((_, asked) => (asked === name ? value : null));
  }

  /** What has this name; `held` is false where nothing moves. See {@link LongPoll.hold}. */
  async watch(
    ...asked: Parameters<LongPoll<string, T>['hold']>
  ): Promise<{ value: T; held: boolean }> {
    const { value, wasMoving, mayHold } = await this.hold(...asked);
    return { value, held: wasMoving && mayHold };
  }

  protected groupOf = (managedUser: string, name: string) => JSON.stringify([managedUser, name]);
  protected read = (managedUser: string, name: string) => this.#reading.read(managedUser, name);
  protected stateOf = (value: T) => this.#reading.stateOf(value);
  protected isMoving = (value: T) => this.#reading.isMoving(value);
  protected delayOf = () => lookMs;

  protected async poll(managedUser: string, [name]: readonly string[]): Promise<() => T> {
    const value = await this.#reading.read(managedUser, name!);
    return () => value;
  }
}
