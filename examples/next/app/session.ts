/** The logged-in user. Put your own session here; until then DEV_USER sets the user. */
export const userOf = async (request: Request): Promise<{ id: string } | null> =>
  process.env.DEV_USER ? { id: process.env.DEV_USER } : null;
