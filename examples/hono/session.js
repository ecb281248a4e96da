/** Returns the logged-in user. Replace this with your own session; until then DEV_USER sets the user. */
export const userOf = async (request) =>
  process.env.DEV_USER ? { id: process.env.DEV_USER } : null;
