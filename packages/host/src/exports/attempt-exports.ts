import type { Export } from 'clip-kit/contract';

/** What an export must fit to be the one that an attempt has started. */
export interface AttemptTrace {
  /** The first and the last moment at which the service can have created it, since 1970. */
  readonly fromMs: number;
  readonly untilMs: number;
  /** Whether a watermark was sent; null if that is not known. */
  readonly watermarked: boolean | null;
  /** A revision that the clip already had when the start was sent. */
  readonly revision?: number | undefined;
}

const createdMs = (item: Export): number => Date.parse(item.created_at);

/** Compares the options as far as the Export Object has them. */
function fits(item: Export, { fromMs, untilMs, watermarked, revision = 0 }: AttemptTrace): boolean {
  const created = createdMs(item);
  return (
    created >= fromMs &&
    created <= untilMs &&
    (item.revision ?? revision) >= revision &&
    (watermarked === null || item.watermarked === null || item.watermarked === watermarked)
  );
}

/** The exports that an attempt can have started, oldest first. `attributed`: those of others. */
export const fittingExports = (
  exports: readonly Export[],
  trace: AttemptTrace,
  attributed: ReadonlySet<string>,
): Export[] =>
  exports
    .filter((item) => fits(item, trace) && !attributed.has(item.id))
    .toSorted((a, b) => createdMs(a) - createdMs(b));

/**
 * Which of the fitting exports the attempt has started, or null. `rivals`: the other attempts for
 * the same clip without a known export. `ambiguous`: one of them may have started it instead.
 */
export function exportOfAttempt(
  fitting: readonly Export[],
  trace: AttemptTrace,
  rivals: readonly AttemptTrace[],
): Export | 'ambiguous' | null {
  if (!fitting.length) return null;
  const owners = rivals.filter((rival) => fitting.some((item) => fits(item, rival)));
  if (!owners.length) return fitting[0]!;
  // If there are as many exports as attempts with the same options, each has started one.
  const alike = owners.every(
    ({ watermarked, fromMs }) => watermarked === trace.watermarked && fromMs !== trace.fromMs,
  );
  const earlier = owners.filter(({ fromMs }) => fromMs < trace.fromMs).length;
  return alike && fitting.length > owners.length ? fitting[earlier]! : 'ambiguous';
}
