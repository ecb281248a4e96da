import type { Kysely } from 'kysely';
import type { Database } from '../db/schema.ts';
import { readSetting, writeSetting } from '../db/settings.ts';

/** Before anything was measured: rendering takes about as long as the clip (section 3.2). */
export const initialRate = 1;

/** How much of the running mean a new measurement makes up. */
const weight = 0.3;

/** Seconds of rendering for a second of video, as measured on this machine. */
export interface RenderRate {
  current(): number;
  /** Takes a measurement in; `seconds` of rendering for `duration` seconds of video. */
  measured(seconds: number, duration: number): Promise<void>;
}

export const openRenderRate = async (db: Kysely<Database>): Promise<RenderRate> => {
  const stored = (await readSetting(db, 'render-rate')) as { rate?: unknown } | undefined;
  let rate = typeof stored?.rate === 'number' && stored.rate > 0 ? stored.rate : null;
  return {
    current: () => rate ?? initialRate,
    async measured(seconds, duration) {
      if (!(duration > 0) || !(seconds > 0)) return;
      const fresh = seconds / duration;
      rate = rate === null ? fresh : rate + weight * (fresh - rate);
      await writeSetting(db, 'render-rate', { rate });
    },
  };
};

/**
 * Seconds until a render of `duration` is done: the queue before it shared by the machine's places, then itself.
 * `before` has the seconds of video that are still to be rendered for each export ahead.
 */
export const estimateSeconds = (
  duration: number,
  before: readonly number[],
  rate: number,
  places: number,
): number => (before.reduce((sum, left) => sum + left, 0) / places + duration) * rate;
