/** How long an attempt key is kept at least, in milliseconds: 24 hours. Free of zod, for pages. */
export const attemptLifetime = 24 * 60 * 60 * 1000;
