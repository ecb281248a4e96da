const prefix = 'clip-kit:account:';

const known = new Map<string, string>();
const listeners = new Map<string, Set<(before: string) => void>>();

function stored(endpoint: string): string {
  try {
    return localStorage.getItem(prefix + endpoint) ?? '';
  } catch {
    return '';
  }
}

/** The tag of the account that a host last answered (`Clip-Account`); empty if it sends none. */
export const accountOf = (endpoint: string): string => known.get(endpoint) ?? stored(endpoint);

/** Notes the tag in an answer of the host. */
export function noteAccount(endpoint: string, tag: string | null): void {
  const before = accountOf(endpoint);
  if (!tag || tag === before) return;
  known.set(endpoint, tag);
  try {
    localStorage.setItem(prefix + endpoint, tag);
  } catch {
    // Storage is blocked or full: the tag is known while the page lives.
  }
  for (const listener of [...(listeners.get(endpoint) ?? [])]) listener(before);
}

/** Calls `listener` when the host answers another account than before. */
export function onAccount(
  endpoint: string,
  listener: (before: string) => void,
  signal: AbortSignal,
): void {
  const all = listeners.get(endpoint) ?? new Set();
  listeners.set(endpoint, all.add(listener));
  signal.addEventListener('abort', () => all.delete(listener), { once: true });
}
