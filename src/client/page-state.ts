/*
 * What elements store for the client before it is loaded.
 */

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
export const getAccountsAtLoad = (): ReadonlyMap<string, string> => (atLoad ??= read());

/** Returns the session of the user who is signed in to the site; null if no user is. */
export type GetSession = () => Promise<string | null>;

/** The page's own function for each endpoint: the newest, as frameworks set one at every render. */
export const sessionGetters = new Map<string, GetSession>();
