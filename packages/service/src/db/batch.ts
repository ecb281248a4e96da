interface Asked<Value> {
  promise: Promise<Value | undefined>;
  resolve: (value: Value | undefined) => void;
  reject: (reason: unknown) => void;
}

/** Reads by key: all that is asked for in one turn of the event loop is read together, once. */
export class Batch<Value> {
  readonly #read: (keys: string[]) => Promise<ReadonlyMap<string, Value>>;
  #asked: Map<string, Asked<Value>> | null = null;

  constructor(read: (keys: string[]) => Promise<ReadonlyMap<string, Value>>) {
    this.#read = read;
  }

  /** Undefined if nothing is there. */
  read(key: string): Promise<Value | undefined> {
    if (!this.#asked) {
      this.#asked = new Map();
      setImmediate(() => void this.#send());
    }
    const known = this.#asked.get(key);
    if (known) return known.promise;
    const asked: Asked<Value> = Promise.withResolvers<Value | undefined>();
    this.#asked.set(key, asked);
    return asked.promise;
  }

  async #send(): Promise<void> {
    const asked = this.#asked ?? new Map<string, Asked<Value>>();
    this.#asked = null;
    try {
      const found = await this.#read([...asked.keys()]);
      for (const [key, { resolve }] of asked) resolve(found.get(key));
    } catch (error) {
      for (const { reject } of asked.values()) reject(error);
    }
  }
}

/** Each key is read by itself, but once for all who ask in the same turn. */
export const eachOnce = <Value>(read: (key: string) => Promise<Value>): Batch<Value> =>
  new Batch(async (keys) => {
    const found = keys.map(async (key): Promise<[string, Value]> => [key, await read(key)]);
    return new Map(await Promise.all(found));
  });
