import { attemptKeptMs } from './attempt-expiry.ts';
import {
  claimAttempt,
  claimCreation,
  deleteIfSame,
  dropAttempt,
  dropTask,
  keepTask,
  keepUser,
  moveAttempt,
  replaceUser,
  startedTasks,
} from './redis-scripts.ts';
import { storeFailure } from './store-failure.ts';
import { taskKeptMs } from './task-expiry.ts';
import { afterPlace, startedTaskOf, taskText } from './task-row.ts';
import type { Attempt, HostStore } from './store.ts';
import { storedId } from './stored-id.ts';

/** Sends a command, such as `['GET', 'key']`, with any client, and resolves with the answer. */
export type SendRedisCommand = (command: [name: string, ...values: string[]]) => Promise<unknown>;

export interface RedisStoreOptions {
  /** The prefix of every key; `clip-host` by default. Letters, digits and `_ : . -`. */
  readonly prefix?: string;
  readonly now?: () => number;
}

/**
 * A store in Redis (4 or later), or in a server that speaks its protocol and runs its scripts.
 * Works with a single server or a cluster, for any number of processes. The server must not evict
 * keys. Throws a `TypeError` for a client instead of a function, and for an invalid prefix.
 */
export function redisStore(
  sendCommand: SendRedisCommand,
  options: RedisStoreOptions = {},
): HostStore {
  if (typeof sendCommand !== 'function') {
    throw new TypeError(
      'redisStore needs a function that sends a command, such as (command) => client.sendCommand(command)',
    );
  }
  const { prefix = 'clip-host', now = Date.now } = options;
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
  const run = (script: string, keys: string[], ...values: string[]): Promise<unknown> =>
    send('EVAL', script, String(keys.length), ...keys, ...values);

  // A user's script has only one key, so users are spread over a cluster. Attempts share one slot:
  // {...}.
  const userKey = async (hostUser: string) => `${prefix}:user:${await storedId(hostUser)}`;
  const attemptKey = async (hostUser: string, key: string) =>
    `{${prefix}}:attempt:${JSON.stringify([await storedId(hostUser), await storedId(key)])}`;
  const attemptsKey = async (hostUser: string) =>
    `{${prefix}}:attempts:${await storedId(hostUser)}`;

  const taskKeys = async (hostUser: string) => {
    const user = await storedId(hostUser);
    return [`{${prefix}}:task-starts:${user}`, `{${prefix}}:tasks:${user}`];
  };

  const attemptOf = (hostUser: string, key: string, fields: unknown): Attempt | null => {
    const [request, startedAt, state, exportId] = fields as (string | null)[];
    if (request == null) return null;
    return {
      key,
      hostUser,
      request: String(request),
      startedAt: Number(startedAt),
      state: String(state) as Attempt['state'],
      exportId: exportId == null ? null : String(exportId),
    };
  };
  const writing = async ({ hostUser, key, request, startedAt, state, exportId }: Attempt) => {
    const start = String(startedAt);
    return {
      keys: [await attemptKey(hostUser, key), await attemptsKey(hostUser)],
      values: [String(attemptKeptMs), key, request, start, state, exportId ?? ''],
    };
  };
  const attemptAt = async (hostUser: string, key: string): Promise<Attempt | null> => {
    const name = await attemptKey(hostUser, key);
    const fields = await send('HMGET', name, 'request', 'startedAt', 'state', 'exportId');
    const kept = attemptOf(hostUser, key, fields);
    return kept && kept.startedAt >= now() - attemptKeptMs ? kept : null;
  };

  return {
    async managedUser(hostUser) {
      const kept = String((await send('GET', await userKey(hostUser))) ?? '');
      return kept.startsWith('user:') ? kept.slice(5) : null;
    },
    async keepManagedUser(hostUser, managedUser) {
      return String(await run(keepUser, [await userKey(hostUser)], managedUser)).slice(5);
    },
    async claimCreation(hostUser, since, lease) {
      const keys = [await userKey(hostUser)];
      return Number(await run(claimCreation, keys, String(since), String(Math.ceil(lease)))) === 1;
    },
    async releaseCreation(hostUser, since) {
      await run(deleteIfSame, [await userKey(hostUser)], `making:${since}`);
    },
    async replaceManagedUser(hostUser, from, to) {
      return String(await run(replaceUser, [await userKey(hostUser)], from, to)).slice(5);
    },
    async claimAttempt(attempt) {
      const { keys, values } = await writing(attempt);
      const known = await run(claimAttempt, keys, ...values, String(now() - attemptKeptMs));
      return known ? attemptOf(attempt.hostUser, attempt.key, known) : null;
    },
    async moveAttempt(from, to) {
      const { keys, values } = await writing(to);
      const moved = await run(moveAttempt, keys, ...values, from.state, String(from.startedAt));
      return Number(moved) === 1;
    },
    async dropAttempt({ hostUser, key, state, startedAt }) {
      await run(dropAttempt, [await attemptKey(hostUser, key)], state, String(startedAt));
    },
    attempt: attemptAt,
    async attemptsSince(hostUser, sinceMs) {
      const index = await attemptsKey(hostUser);
      const keys = (await send('ZRANGEBYSCORE', index, String(sinceMs), '+inf')) as unknown[];
      const found = await Promise.all(keys.map((key) => attemptAt(hostUser, String(key))));
      // The index keeps the keys of attempts that were dropped.
      return found.filter((attempt) => attempt !== null);
    },
    async keepTask(task) {
      const values = [await storedId(task.id), String(task.startedAt), taskText(task)];
      const since = String(now() - taskKeptMs);
      await run(keepTask, await taskKeys(task.hostUser), ...values, String(taskKeptMs), since);
    },
    async startedTasks(hostUser, limit, after) {
      const [before, id] = await afterPlace(after);
      const values = [String(before), id, String(limit), String(now() - taskKeptMs)];
      const found = (await run(startedTasks, await taskKeys(hostUser), ...values)) as unknown[];
      return found.flatMap((task, at) =>
        at % 2
          ? [startedTaskOf(hostUser, { started_at: Number(found[at - 1]), task: String(task) })]
          : [],
      );
    },
    async dropTask(hostUser, taskId) {
      const keys = await taskKeys(hostUser);
      return Number(await run(dropTask, keys, await storedId(taskId))) === 1;
    },
  };
}
