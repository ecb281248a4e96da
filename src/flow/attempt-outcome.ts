import type { Export } from '../contract/export.ts';

/**
 * What is known of a start whose answer was lost, where no export of it was found. `in-flight`: the host is still carrying
 * it out. `none`: the host keeps attempt keys and started nothing. `unseen`: the clip has no export of it, and a host that
 * keeps no keys cannot say whether one is still to come. `untold`: neither could be asked.
 */
export type NoExport = 'in-flight' | 'none' | 'unseen' | 'untold';

/** How long after it was sent a start may still be carried out: longer than any host works on one, in milliseconds. */
export const inFlightLimitMs = 120_000;

/** Whether the start may be sent again, under its own key. `ageMs`: the time since it was last sent. */
export const maySendAgain = (outcome: NoExport, ageMs: number): boolean =>
  outcome === 'none' || (outcome !== 'in-flight' && ageMs >= inFlightLimitMs);

/** How far a known clock of the service may be off, and how far an unknown one, in milliseconds. */
const knownClockToleranceMs = 60_000;
const unknownClockToleranceMs = 3_600_000;

export interface Search {
  /** When the attempt was made, in milliseconds of this page's clock. */
  readonly at: number;
  /** The host's clock minus this one, in milliseconds; null where it is not known. */
  readonly skewMs: number | null;
  /** Exports that came of other attempts. */
  readonly attributed: ReadonlySet<string>;
  /** Whether a watermark was asked for. */
  readonly watermark: boolean;
}

/** The oldest of a clip's exports that an attempt can have made, or null. */
export const exportOfAttempt = (
  exports: readonly Export[],
  { at, skewMs, attributed, watermark }: Search,
): Export | null => {
  const since =
    at + (skewMs ?? 0) - (skewMs === null ? unknownClockToleranceMs : knownClockToleranceMs);
  return (
    exports
      .filter(
        (one) =>
          Date.parse(one.created_at) >= since &&
          !attributed.has(one.id) &&
          !(watermark && one.watermarked === false),
      )
      .toSorted((a, b) => Date.parse(a.created_at) - Date.parse(b.created_at))[0] ?? null
  );
};
