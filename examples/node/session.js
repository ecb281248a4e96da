/** Who is logged in. Put the look-up of your own session here; until then it is whoever DEV_USER names. */
export const userOf = async (request) =>
  process.env.DEV_USER ? { id: process.env.DEV_USER } : null;
