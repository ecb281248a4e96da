// Free of zod, for pages.

/** How long an attempt key is kept at least, in milliseconds: 24 hours. */
export const attemptLifetime = 24 * 60 * 60 * 1000;

/**
 * How long after a start was sent "nothing was started" may be believed, in milliseconds: 23 hours.
 * Hosts and services forget a key after a day; an hour is left for clocks and for the next start.
 */
export const promiseLifetimeMs = attemptLifetime - 60 * 60 * 1000;

/**
 * How long a start may be carried out after it was sent, in milliseconds: longer than any service
 * takes to answer. Until then, a start without an answer is in flight.
 */
export const startWindowMs = 120_000;
