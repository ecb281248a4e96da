/** How far work is: its stage, and the share of the whole that is done, 0 to 1. */
export interface Shown {
  stage: string;
  share: number;
}

/** The least step of a share that can be seen. */
const visible = 0.002;

/**
 * What is to be shown after what was shown before; null where nothing that can be seen has changed. A share never goes back, and
 * what is no share between 0 and 1 becomes the nearest one.
 */
export function nextShown(before: Shown | null, told: Shown): Shown | null {
  const within = Number.isFinite(told.share) ? Math.min(1, Math.max(0, told.share)) : 0;
  if (!before) return { stage: told.stage, share: within };
  const share = Math.max(before.share, within);
  if (told.stage === before.stage && share - before.share < visible) return null;
  return { stage: told.stage, share };
}
