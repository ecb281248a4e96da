import { attemptKeptMs } from './attempt-expiry.ts';
import { inOrder, isAfter } from './task-order.ts';
import { taskKeptMs } from './task-expiry.ts';
import type { Attempt, HostStore, StartedTask } from './store.ts';

/**
 * A store in this process's memory. Use it only with one process. After a restart, managed users
 * are created again and attempt keys are forgotten.
 */
export function memoryStore(now: () => number = Date.now): HostStore {
  const users = new Map<string, string>();
  const claims = new Map<string, number>();
  // In the order of their starts, so that the oldest come first.
  const attempts = new Map<string, Attempt>();
  const tasks = new Map<string, Map<string, StartedTask>>();
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
      claims.delete(hostUser);
      return kept;
    },
    async claimCreation(hostUser, since, lease) {
      const other = claims.get(hostUser);
      const held = other !== undefined && Math.abs(since - other) < lease;
      if (held || users.has(hostUser)) return false;
      claims.set(hostUser, since);
      return true;
    },
    async releaseCreation(hostUser, since) {
      if (claims.get(hostUser) === since) claims.delete(hostUser);
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
    async keepTask(task) {
      const own = tasks.get(task.hostUser) ?? new Map<string, StartedTask>();
      tasks.set(task.hostUser, own);
      for (const [id, { startedAt }] of own) if (now() - startedAt > taskKeptMs) own.delete(id);
      if (!own.has(task.id)) own.set(task.id, task);
    },
    startedTasks: async (hostUser, limit, after) =>
      [...(tasks.get(hostUser)?.values() ?? [])]
        .filter((task) => now() - task.startedAt <= taskKeptMs && isAfter(task, after))
        .toSorted(inOrder)
        .slice(0, limit),
    dropTask: async (hostUser, taskId) => tasks.get(hostUser)?.delete(taskId) ?? false,
  };
}
