/** How long a host keeps attempt keys at least, in milliseconds. The contract's figure, repeated here because its module brings zod. */
export const attemptLifetime = 24 * 60 * 60 * 1000;

/** A new attempt key: 32 hexadecimal digits or a UUID, from the platform's random numbers. `randomUUID` is missing on plain http. */
export const newAttemptKey = (): string =>
  crypto.randomUUID?.() ??
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
