/** What a page shows of a task, as one word; a change of it ends a hold. */
export function taskState(task: {
  readonly status: string;
  readonly progress?: { readonly stage: string; readonly share: number } | null | undefined;
}): string {
  const { stage, share } = task.progress ?? {};
  return encodeURIComponent([task.status, stage, share && Math.floor(share * 100)].join(' '));
}

/**
 * The state that the page knows, from a `Prefer` header such as `wait=25; after="…"`: any other is
 * answered at once. Null if the page does not say.
 */
export const knownState = (prefer: string | null): string | null =>
  /;\s*after="([^"]*)"/.exec(prefer ?? '')?.[1] ?? null;
