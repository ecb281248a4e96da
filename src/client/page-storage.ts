/**
 * Texts of the page in `localStorage`. What storage rejects, because it is full or blocked, is
 * remembered while the page lives.
 */
const memory = new Map<string, string>();

function storage(): Storage | null {
  try {
    return localStorage;
  } catch {
    return null;
  }
}

/** Returns the text under a name, or null. What storage has rejected is newer. */
export const readText = (name: string): string | null =>
  memory.get(name) ?? storage()?.getItem(name) ?? null;

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
    storage()?.removeItem(name);
  } catch {
    // Storage is blocked, so it holds nothing.
  }
}

/** Returns the names with a prefix under which a text is stored. */
export function storedNames(prefix: string): string[] {
  const stored = storage();
  const names = Array.from({ length: stored?.length ?? 0 }, (_, at) => stored!.key(at)!);
  return [...new Set([...memory.keys(), ...names])].filter((name) => name.startsWith(prefix));
}

/** Forgets what another page has removed. */
export const forgetText = (name: string): void => void memory.delete(name);
