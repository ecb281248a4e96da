import { attemptLifetime } from 'clip-kit/contract';

/**
 * The age at which a store may drop an attempt. One hour more than the contract promises, because
 * the process that checks may have a faster clock than the one that wrote the attempt.
 */
export const attemptKeptMs = attemptLifetime + 3_600_000;

/**
 * Maximum number of expired attempts that one claim removes, so that no request waits for a large
 * cleanup.
 */
export const maxSweptAttempts = 100;
