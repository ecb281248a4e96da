import { readSnapshot } from './estimate-queries.ts';
import type { Db } from '../db/schema.ts';
import { Forecast } from './forecast.ts';

/** Shortest time that a forecast is given again: nobody sees estimates move faster. */
const minAgeMs = 200;

/** The forecast for all who ask at about the same time: the queue is read once for them. */
export class Estimates {
  readonly #read: () => Promise<Forecast>;
  readonly #clock: () => number;
  #kept: { forecast: Forecast; from: number; ageMs: number } | null = null;
  #reading: Promise<Forecast> | null = null;

  /** @param clock milliseconds, never backwards */
  constructor(db: Db, clock = () => performance.now()) {
    this.#read = async () => new Forecast(await readSnapshot(db), Date.now());
    this.#clock = clock;
  }

  /** Waits for the queue to be read only if what was read before is of no use any more. */
  current(): Promise<Forecast> {
    const kept = this.#kept;
    const age = kept ? this.#clock() - kept.from : Infinity;
    if (kept && age < kept.ageMs) return Promise.resolve(kept.forecast);
    this.#reading ??= this.#refresh();
    if (!kept || age > 3 * kept.ageMs) return this.#reading;
    // Who waits for the next reading gets its failure.
    this.#reading.catch(() => {});
    return Promise.resolve(kept.forecast);
  }

  async #refresh(): Promise<Forecast> {
    const from = this.#clock();
    try {
      const forecast = await this.#read();
      // A long queue is read a tenth of the time at most.
      const ageMs = Math.max(minAgeMs, 10 * (this.#clock() - from));
      this.#kept = { forecast, from, ageMs };
      return forecast;
    } finally {
      this.#reading = null;
    }
  }
}
