/**
 * Texts of the page in `localStorage`. If storage is full or blocked, the page keeps them in
 * memory.
 */
const memory = new Map<string, string>();

function findStorage(): Storage | null {
  try {
    return localStorage;
  } catch {
    return null;
  }
}

/** Returns the text under a name, or null. Texts in memory are newer. */
export const readText = (name: string): string | null =>
  memory.get(name) ?? findStorage()?.getItem(name) ?? null;

export function writeText(name: string, text: string): void {
  try {
    localStorage.setItem(name, text);
    memory.delete(name);
  } catch {
    memory.set(name, text);
  }
}

export function removeText(name: string): void {
  memory.delete(name);
  try {
    findStorage()?.removeItem(name);
  } catch {
    // Storage is blocked, so it holds nothing.
  }
}

/** Returns the names with a prefix under which a text is stored. */
export function listStoredNames(prefix: string): string[] {
  const stored = findStorage();
  const names = Array.from({ length: stored?.length ?? 0 }, (_, at) => stored!.key(at)!);
  return [...new Set([...memory.keys(), ...names])].filter((name) => name.startsWith(prefix));
}

/** Forgets what another page has removed. */
export const forgetText = (name: string): void => void memory.delete(name);

/**
 * Does the work while no other tab does work with the same name. Rejects as the work does, or with
 * the signal's reason. Where the browser gives no lock (plain http, a sandboxed frame), it does not
 * wait: two tabs may send the same file, and the host starts one task for both.
 */
export async function withTabLock<T>(
  name: string,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  let begun = false;
  try {
    if (navigator.locks) {
      return await navigator.locks.request(name, { signal }, () => {
        begun = true;
        return work();
      });
    }
  } catch (cause) {
    // If cookies are blocked, the browser has locks but refuses every request for one.
    if (begun || signal.aborted) throw cause;
  }
  return work();
}
