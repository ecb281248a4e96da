import type { Export } from '../contract/export.ts';

/**
 * What is known of a start if its answer was lost and no export of it was found.
 * `in-flight`: the host is still carrying it out.
 * `none`: the host keeps attempt keys and started nothing.
 * `unseen`: the clip has no export of it. The host keeps no keys, so one may still come.
 * `untold`: the host could answer neither question.
 */
export type NoExport = 'in-flight' | 'none' | 'unseen' | 'untold';

/** A start may still be carried out this long after it was sent: longer than any host takes. */
export const inFlightLimitMs = 120_000;

/** Whether a start may be sent again with its key. `ageMs`: the time since it was last sent. */
export const maySendAgain = (outcome: NoExport, ageMs: number): boolean =>
  outcome === 'none' || (outcome !== 'in-flight' && ageMs >= inFlightLimitMs);

/** How far the service's clock may be off if it is known, and if it is not. */
const knownClockToleranceMs = 60_000;
const unknownClockToleranceMs = 3_600_000;

export interface Search {
  /** When the attempt was made, by this page's clock in milliseconds. */
  readonly at: number;
  /** The host's clock minus this one; null if it is not known. */
  readonly skewMs: number | null;
  /** Exports of other attempts. */
  readonly attributed: ReadonlySet<string>;
  /** Whether a watermark was asked for. */
  readonly watermark: boolean;
}

/** The oldest of a clip's exports that the attempt can have started, or null. */
export function exportOfAttempt(
  exports: readonly Export[],
  { at, skewMs, attributed, watermark }: Search,
): Export | null {
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
}
