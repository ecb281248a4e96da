import { startWindowMs } from '../contract/attempt-lifetime.ts';

/**
 * What is known of a start if its answer was lost and no export of it was found.
 * `in-flight`: the host is still carrying it out.
 * `not-started`: the host keeps attempt keys and started nothing.
 * `unknown`: the host promises nothing, so an export may still come.
 */
export type NoExport = 'in-flight' | 'not-started' | 'unknown';

/** Whether a start may be sent again with its key. `ageMs`: the time since it was last sent. */
export const maySendAgain = (outcome: NoExport, ageMs: number): boolean =>
  outcome === 'not-started' || (outcome === 'unknown' && ageMs >= startWindowMs);
