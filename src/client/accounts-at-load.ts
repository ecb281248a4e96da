export const accountPrefix = 'clip-kit:account:';

let atLoad: ReadonlyMap<string, string> | null = null;

function read(): ReadonlyMap<string, string> {
  try {
    const all = Object.entries(localStorage) as [string, string][];
    return new Map(all.filter(([name]) => name.startsWith(accountPrefix)));
  } catch {
    return new Map();
  }
}

/**
 * The accounts that storage names, as it was when the first element was connected: another tab does
 * not change what a click on this page is for.
 */
export const accountsAtLoad = (): ReadonlyMap<string, string> => (atLoad ??= read());
