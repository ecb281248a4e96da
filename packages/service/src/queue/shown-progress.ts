/** How far work is: its stage, and the share of the whole that is done, 0 to 1. */
export interface Shown {
  stage: string;
  share: number;
}

/** The smallest step of a share that can be seen. */
const minVisibleShare = 0.002;

/**
 * What to show after what was shown before; null if nothing that can be seen has changed. A share
 * never goes back, and is held between 0 and 1.
 */
export function nextShown(before: Shown | null, reported: Shown): Shown | null {
  const within = Number.isFinite(reported.share) ? Math.min(1, Math.max(0, reported.share)) : 0;
  if (!before) return { stage: reported.stage, share: within };
  const share = Math.max(before.share, within);
  if (reported.stage === before.stage && share - before.share < minVisibleShare) return null;
  return { stage: reported.stage, share };
}
