import type { EditChanges } from 'clip-kit/contract';

/** Changes that are not saved yet, and what they were made on. */
export interface Draft {
  revision: number;
  base: EditChanges;
  changes: EditChanges;
  /** What was sent since then, without an answer: the service may have it or not. */
  sent: readonly EditChanges[];
}

const keyOf = (project: string): string => `clip-edit:${project}`;

/** The draft that an earlier visit left; null if there is none, or it cannot be read. */
export function readDraft(storage: Pick<Storage, 'getItem'> | null, project: string): Draft | null {
  try {
    return JSON.parse(storage?.getItem(keyOf(project)) ?? 'null') as Draft | null;
  } catch {
    return null;
  }
}

/** Keeps a draft, or forgets it (null). A page without storage keeps none. */
export function keepDraft(
  storage: Pick<Storage, 'setItem' | 'removeItem'> | null,
  project: string,
  draft: Draft | null,
): void {
  try {
    if (draft) storage?.setItem(keyOf(project), JSON.stringify(draft));
    else storage?.removeItem(keyOf(project));
  } catch {
    // Full, or refused: the change is still in the page.
  }
}
