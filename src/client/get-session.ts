/** Returns the session of the user who is signed in to the site; null if no user is. */
export type GetSession = () => Promise<string | null>;

/** The page's own function for each endpoint: the newest, as frameworks set one at every render. */
export const sessionGetters = new Map<string, GetSession>();
