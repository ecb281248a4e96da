/** A random key that nobody can guess. `randomUUID` is missing on plain http. */
export const newAttemptKey = (): string =>
  crypto.randomUUID?.() ??
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
