/** The newest revision of each clip's edit that this page knows of. */
const newest = new Map<string, number>();
const listeners = new Map<string, Set<() => void>>();

/** 0 if it is not known: the service may have no editor. */
export const getRevision = (project: string): number => newest.get(project) ?? 0;

/** Notes a clip's revision, which may come from another page. Only a newer one counts. */
export function noteRevision(project: string, revision: unknown): void {
  if (!Number.isSafeInteger(revision) || (revision as number) <= getRevision(project)) return;
  newest.set(project, revision as number);
  for (const listener of [...(listeners.get(project) ?? [])]) listener();
}

/** A `ClipEditEvent`, or an event of the site's own editor. */
interface Edited extends Event {
  readonly project?: string;
  readonly revision?: unknown;
  readonly saved?: unknown;
}

function updateRevision({ project, revision, saved }: Edited): void {
  if (project && saved) noteRevision(project, revision);
}

/** Calls `listener` for each newer revision of the clip. Returns the unsubscribe function. */
export function onRevision(project: string, listener: () => void): () => void {
  const all = listeners.get(project) ?? new Set();
  listeners.set(project, all.add(listener));
  // It stays: a button that comes back later knows what was edited meanwhile.
  addEventListener('clip-edit', updateRevision);
  return () => {
    all.delete(listener);
    if (!all.size) listeners.delete(project);
  };
}
