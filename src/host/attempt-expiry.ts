import { attemptLifetime } from '../contract/host.ts';

/**
 * The age in milliseconds at which a store may drop an attempt: an hour more than is promised, as the process that looks
 * may have a faster clock than the one that wrote.
 */
export const attemptKept = attemptLifetime + 3_600_000;

/** How many expired attempts one claim removes at most: no request pays for a long pause before it. */
export const sweptAtOnce = 100;
