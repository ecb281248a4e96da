import { attemptKeptMs } from './attempt-expiry.ts';
import type { Attempt, HostStore } from './store.ts';

/**
 * A store in this process's memory. Use it only with one process. After a restart, managed users
 * are created again and attempt keys are forgotten.
 */
export function memoryStore(now: () => number = Date.now): HostStore {
  const users = new Map<string, string>();
  const makings = new Map<string, number>();
  // In the order of their starts, so that the oldest come first.
  const attempts = new Map<string, Attempt>();
  const nameOf = (hostUser: string, key: string) => JSON.stringify([hostUser, key]);

  const dropExpired = () => {
    for (const [name, { startedAt }] of attempts) {
      if (now() - startedAt <= attemptKeptMs) return;
      attempts.delete(name);
    }
  };

  return {
    managedUser: async (hostUser) => users.get(hostUser) ?? null,
    async keepManagedUser(hostUser, managedUser) {
      const kept = users.get(hostUser) ?? managedUser;
      users.set(hostUser, kept);
      makings.delete(hostUser);
      return kept;
    },
    async claimMaking(hostUser, since, lease) {
      const other = makings.get(hostUser);
      const held = other !== undefined && Math.abs(since - other) < lease;
      if (held || users.has(hostUser)) return false;
      makings.set(hostUser, since);
      return true;
    },
    async releaseMaking(hostUser, since) {
      if (makings.get(hostUser) === since) makings.delete(hostUser);
    },
    async replaceManagedUser(hostUser, from, to) {
      const kept = users.get(hostUser) ?? from;
      const stored = kept === from ? to : kept;
      users.set(hostUser, stored);
      return stored;
    },
    async claimAttempt(attempt) {
      dropExpired();
      const name = nameOf(attempt.hostUser, attempt.key);
      const known = attempts.get(name);
      if (known) return known;
      attempts.set(name, attempt);
      return null;
    },
    async moveAttempt(from, to) {
      const name = nameOf(to.hostUser, to.key);
      const kept = attempts.get(name);
      if (kept?.state !== from.state || kept.startedAt !== from.startedAt) return false;
      if (to.startedAt !== from.startedAt) attempts.delete(name);
      attempts.set(name, to);
      return true;
    },
    async dropAttempt({ hostUser, key, state, startedAt }) {
      const name = nameOf(hostUser, key);
      const kept = attempts.get(name);
      if (kept?.state === state && kept.startedAt === startedAt) attempts.delete(name);
    },
    attempt: async (hostUser, key) => attempts.get(nameOf(hostUser, key)) ?? null,
    attemptsSince: async (hostUser, sinceMs) =>
      [...attempts.values()].filter(
        (attempt) => attempt.hostUser === hostUser && attempt.startedAt >= sinceMs,
      ),
  };
}
