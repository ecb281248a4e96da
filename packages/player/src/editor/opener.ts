/** Messages to the page around this one, as `clip-ready` is one. */
function post(message: Record<string, unknown>): void {
  if (parent === window) return;
  const { controlOrigins } = document.body.dataset;
  const origins = controlOrigins === undefined ? ['*'] : (JSON.parse(controlOrigins) as string[]);
  for (const origin of origins) parent.postMessage(message, origin);
}

/** A change is stored under a revision; also once when the editor opens. */
export const tellSaved = (project: string, revision: number, at: Date): void =>
  post({ type: 'clip-edit', project, revision, saved: at.toISOString() });

/** The editor cannot be opened, or a change cannot be stored. */
export const tellTrouble = (project: string, message: string, status?: number): void =>
  post({ type: 'clip-edit-error', project, message, ...(status && { status }) });
