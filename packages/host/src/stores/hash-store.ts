import {
  attemptKeptMs,
  comparePlaces,
  isAfter,
  taskKeptMs,
  type Attempt,
  type AttemptVersion,
  type HostStore,
  type StartedTask,
} from './store.ts';

/** The time for which a user's hash is kept after its last change, in milliseconds; 0: always. */
export const hashLifetimesMs = { user: 0, attempts: attemptKeptMs, tasks: taskKeptMs } as const;

/** One hash of one user: their managed user, attempts or tasks. */
export interface HashName {
  readonly kind: keyof typeof hashLifetimesMs;
  readonly hostUser: string;
}

/** The server of the hashes. Fields and values are texts; an empty value stands for none. */
export interface HashServer {
  read(hash: HashName, field: string): Promise<string>;
  values(hash: HashName): Promise<readonly string[]>;
  /** Replaces the value of a field if it is still `old`, in one step; returns whether it did. */
  replace(hash: HashName, field: string, old: string, value: string): Promise<boolean>;
}

/**
 * A store on hashes: one of each user for their managed user (`user:` and its id, or `making:` and
 * the time of the claim), one for their attempts and one for their tasks (JSON by id).
 */
export function hashStore(server: HashServer, now: () => number): HostStore {
  /** Changes a value, again if another process has changed it meanwhile; null: it stays. */
  const change = async (hash: HashName, field: string, next: (stored: string) => string | null) => {
    for (;;) {
      const stored = await server.read(hash, field);
      const value = next(stored);
      if (value === null) return { changed: false, stored };
      if (await server.replace(hash, field, stored, value)) return { changed: true, stored: value };
    }
  };
  /** The values of a hash that are not too old. The others are deleted. */
  const all = async <T extends Attempt | StartedTask>(hash: HashName): Promise<T[]> => {
    const values = (await server.values(hash)).map((text) => JSON.parse(text) as T);
    const isOld = ({ startedAt }: T) => startedAt < now() - hashLifetimesMs[hash.kind];
    for (const old of values.filter(isOld)) {
      // Another process may have claimed the key of an expired attempt again.
      const next = (stored: string) => (stored && isOld(JSON.parse(stored) as T) ? '' : null);
      await change(hash, 'key' in old ? old.key : old.id, next);
    }
    return values.filter((value) => !isOld(value));
  };

  const changeUser = (hostUser: string, next: (stored: string) => string | null) =>
    change({ kind: 'user', hostUser }, 'user', next);
  const userOf = (stored: string) => (stored.startsWith('user:') ? stored.slice(5) : null);
  const attemptOf = (stored: string): Attempt | null => {
    const attempt = stored ? (JSON.parse(stored) as Attempt) : null;
    return attempt && attempt.startedAt >= now() - attemptKeptMs ? attempt : null;
  };
  const isVersion = (stored: string, { state, startedAt }: AttemptVersion): boolean => {
    const known = attemptOf(stored);
    return known?.state === state && known.startedAt === startedAt;
  };
  const changeAttempt = (
    { hostUser, key }: AttemptVersion,
    next: (stored: string) => string | null,
  ) => change({ kind: 'attempts', hostUser }, key, next);

  return {
    managedUser: async (hostUser) => userOf(await server.read({ kind: 'user', hostUser }, 'user')),
    async keepManagedUser(hostUser, made) {
      const next = (stored: string) => (userOf(stored) ? null : `user:${made}`);
      return userOf((await changeUser(hostUser, next)).stored)!;
    },
    async claimCreation(hostUser, since, lease) {
      const isFree = (stored: string): boolean =>
        !stored || Math.abs(Number(stored.slice('making:'.length)) - since) >= lease;
      const next = (stored: string) =>
        !userOf(stored) && isFree(stored) ? `making:${since}` : null;
      return (await changeUser(hostUser, next)).changed;
    },
    async releaseCreation(hostUser, since) {
      await changeUser(hostUser, (stored) => (stored === `making:${since}` ? '' : null));
    },
    async replaceManagedUser(hostUser, from, to) {
      const next = (stored: string) => ((userOf(stored) ?? from) === from ? `user:${to}` : null);
      return userOf((await changeUser(hostUser, next)).stored)!;
    },
    async claimAttempt(attempt) {
      const next = (stored: string) => (attemptOf(stored) ? null : JSON.stringify(attempt));
      const { changed, stored } = await changeAttempt(attempt, next);
      return changed ? null : attemptOf(stored);
    },
    async moveAttempt(from, to) {
      const next = (stored: string) => (isVersion(stored, from) ? JSON.stringify(to) : null);
      return (await changeAttempt(to, next)).changed;
    },
    async dropAttempt(attempt) {
      await changeAttempt(attempt, (stored) => (isVersion(stored, attempt) ? '' : null));
    },
    attempt: async (hostUser, key) =>
      attemptOf(await server.read({ kind: 'attempts', hostUser }, key)),
    attemptsSince: async (hostUser, sinceMs) =>
      (await all<Attempt>({ kind: 'attempts', hostUser })).filter(
        ({ startedAt }) => startedAt >= sinceMs,
      ),
    async keepTask(task) {
      const next = (stored: string) => (stored ? null : JSON.stringify(task));
      await change({ kind: 'tasks', hostUser: task.hostUser }, task.id, next);
    },
    startedTasks: async (hostUser, limit, after) =>
      (await all<StartedTask>({ kind: 'tasks', hostUser }))
        .filter((task) => isAfter(task, after))
        .toSorted(comparePlaces)
        .slice(0, limit),
    async dropTask(hostUser, taskId) {
      const next = (stored: string) => (stored ? '' : null);
      return (await change({ kind: 'tasks', hostUser }, taskId, next)).changed;
    },
  };
}
