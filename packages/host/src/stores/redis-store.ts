import {
  attemptKeptMs,
  inOrder,
  isAfter,
  storedId,
  storeFailure,
  taskKeptMs,
  type Attempt,
  type AttemptVersion,
  type HostStore,
  type StartedTask,
} from './store.ts';

/** Sends a command, such as `['GET', 'key']`, with any client, and resolves with the answer. */
export type SendRedisCommand = (command: [name: string, ...values: string[]]) => Promise<unknown>;

export interface RedisStoreOptions {
  /** The prefix of every key; `clip-host` by default. Letters, digits and `_ : . -`. */
  readonly prefix?: string;
  readonly now?: () => number;
}

/** KEYS: a hash. ARGV: a field, its value and the new one ('' for none), the lifetime or 0. */
const replace = `
if (redis.call('HGET', KEYS[1], ARGV[1]) or '') ~= ARGV[2] then return 0 end
if ARGV[3] == '' then redis.call('HDEL', KEYS[1], ARGV[1])
else redis.call('HSET', KEYS[1], ARGV[1], ARGV[3]) end
if ARGV[4] ~= '0' then redis.call('PEXPIRE', KEYS[1], ARGV[4]) end
return 1`;

/**
 * A store in Redis (4 or later), or in a server that speaks its protocol and runs its scripts.
 * Works with a single server or a cluster, for any number of processes. The server must not evict
 * keys. Each user has a hash of their managed user (`user:` and its id, or `making:` and the time
 * of the claim), one of their attempts and one of their tasks (JSON by id). Throws a `TypeError`
 * for a client instead of a function, and for an invalid prefix.
 */
export function redisStore(
  sendCommand: SendRedisCommand,
  { prefix = 'clip-host', now = Date.now }: RedisStoreOptions = {},
): HostStore {
  if (typeof sendCommand !== 'function') {
    throw new TypeError(
      'redisStore needs a function that sends a command, such as (command) => client.sendCommand(command)',
    );
  }
  if (!/^[\w:.-]{1,100}$/.test(prefix)) {
    throw new TypeError(
      `redisStore: prefix must be 1 to 100 letters, digits and _ : . -, not ${JSON.stringify(prefix)}`,
    );
  }
  const send = async (...command: Parameters<SendRedisCommand>[0]): Promise<unknown> => {
    try {
      return await sendCommand(command);
    } catch (cause) {
      throw storeFailure('Redis', cause);
    }
  };
  const hash = async (what: 'user' | 'attempts' | 'tasks', hostUser: string): Promise<string> =>
    `${prefix}:${what}:${await storedId(hostUser)}`;
  const lifetimeOf = (key: string): string => {
    const [, what] = key.slice(prefix.length).split(':');
    return String(what === 'user' ? 0 : what === 'tasks' ? taskKeptMs : attemptKeptMs);
  };
  const read = async (key: string, id: string): Promise<string> =>
    String((await send('HGET', key, await storedId(id))) ?? '');
  /** Changes a value, again if another process has changed it meanwhile; null: it stays. */
  const change = async (key: string, id: string, next: (kept: string) => string | null) => {
    for (;;) {
      const kept = await read(key, id);
      const wanted = next(kept);
      if (wanted === null) return { changed: false, kept };
      const values = [await storedId(id), kept, wanted, lifetimeOf(key)];
      if (Number(await send('EVAL', replace, '1', key, ...values)) === 1) {
        return { changed: true, kept: wanted };
      }
    }
  };
  /** The values of a hash that are not too old. The others are forgotten. */
  const all = async <T extends Attempt | StartedTask>(key: string, lifetimeMs: number) => {
    const texts = (await send('HVALS', key)) as unknown[];
    const values = texts.map((text) => JSON.parse(String(text)) as T);
    const isOld = ({ startedAt }: T): boolean => startedAt < now() - lifetimeMs;
    for (const old of values.filter(isOld)) {
      // Another process may have claimed the key of an expired attempt again.
      const next = (kept: string) => (kept && isOld(JSON.parse(kept) as T) ? '' : null);
      await change(key, 'key' in old ? old.key : old.id, next);
    }
    return values.filter((value) => !isOld(value));
  };
  const attemptOf = (text: string): Attempt | null => {
    const attempt = text ? (JSON.parse(text) as Attempt) : null;
    return attempt && attempt.startedAt >= now() - attemptKeptMs ? attempt : null;
  };
  const isVersion = (kept: string, { state, startedAt }: AttemptVersion): boolean => {
    const known = attemptOf(kept);
    return known?.state === state && known.startedAt === startedAt;
  };
  const attempts = (hostUser: string) => hash('attempts', hostUser);
  const changeUser = async (hostUser: string, next: (kept: string) => string | null) =>
    change(await hash('user', hostUser), 'user', next);
  const userOf = (kept: string): string | null => (kept.startsWith('user:') ? kept.slice(5) : null);

  return {
    managedUser: async (hostUser) => userOf(await read(await hash('user', hostUser), 'user')),
    async keepManagedUser(hostUser, made) {
      const { kept } = await changeUser(hostUser, (old) => (userOf(old) ? null : `user:${made}`));
      return userOf(kept)!;
    },
    async claimCreation(hostUser, since, lease) {
      const isFree = (kept: string): boolean =>
        !kept || Math.abs(Number(kept.slice('making:'.length)) - since) >= lease;
      const next = (kept: string) => (!userOf(kept) && isFree(kept) ? `making:${since}` : null);
      return (await changeUser(hostUser, next)).changed;
    },
    async releaseCreation(hostUser, since) {
      await changeUser(hostUser, (old) => (old === `making:${since}` ? '' : null));
    },
    async replaceManagedUser(hostUser, from, to) {
      const next = (kept: string) => ((userOf(kept) ?? from) === from ? `user:${to}` : null);
      return userOf((await changeUser(hostUser, next)).kept)!;
    },
    async claimAttempt(attempt) {
      const next = (kept: string) => (attemptOf(kept) ? null : JSON.stringify(attempt));
      const { changed, kept } = await change(await attempts(attempt.hostUser), attempt.key, next);
      return changed ? null : attemptOf(kept);
    },
    async moveAttempt(from, to) {
      const next = (kept: string) => (isVersion(kept, from) ? JSON.stringify(to) : null);
      return (await change(await attempts(to.hostUser), to.key, next)).changed;
    },
    async dropAttempt(attempt) {
      const next = (kept: string) => (isVersion(kept, attempt) ? '' : null);
      await change(await attempts(attempt.hostUser), attempt.key, next);
    },
    attempt: async (hostUser, key) => attemptOf(await read(await attempts(hostUser), key)),
    attemptsSince: async (hostUser, sinceMs) =>
      (await all<Attempt>(await attempts(hostUser), attemptKeptMs)).filter(
        ({ startedAt }) => startedAt >= sinceMs,
      ),
    async keepTask(task) {
      const next = (kept: string) => (kept ? null : JSON.stringify(task));
      await change(await hash('tasks', task.hostUser), task.id, next);
    },
    startedTasks: async (hostUser, limit, after) =>
      (await all<StartedTask>(await hash('tasks', hostUser), taskKeptMs))
        .filter((task) => isAfter(task, after))
        .toSorted(inOrder)
        .slice(0, limit),
    dropTask: async (hostUser, taskId) =>
      Number(await send('HDEL', await hash('tasks', hostUser), await storedId(taskId))) === 1,
  };
}
