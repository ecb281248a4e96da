/** Returns the session of the person who is signed in to the site; null if nobody is. */
export type GetSession = () => Promise<string | null>;

/** The page's own function for each endpoint: the newest, as frameworks set one at every render. */
export const sessionGetters = new Map<string, GetSession>();
