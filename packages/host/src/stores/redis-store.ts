import { hashLifetimesMs, hashStore, type HashName } from './hash-store.ts';
import { encodeId, storeFailure, type HostStore } from './store.ts';

/** Sends a command, such as `['GET', 'key']`, with any client, and resolves with the answer. */
export type SendRedisCommand = (command: [name: string, ...values: string[]]) => Promise<unknown>;

export interface RedisStoreOptions {
  /** The prefix of every key; `clip-host` by default. Letters, digits and `_ : . -`. */
  readonly prefix?: string;
  readonly now?: () => number;
}

/** KEYS: a hash. ARGV: a field, its value and the new one ('' for none), the lifetime or 0. */
const replaceScript = `
if (redis.call('HGET', KEYS[1], ARGV[1]) or '') ~= ARGV[2] then return 0 end
if ARGV[3] == '' then redis.call('HDEL', KEYS[1], ARGV[1])
else redis.call('HSET', KEYS[1], ARGV[1], ARGV[3]) end
if ARGV[4] ~= '0' then redis.call('PEXPIRE', KEYS[1], ARGV[4]) end
return 1`;

/**
 * A store in Redis (4 or later), or in a server that speaks its protocol and runs its scripts.
 * Works with a single server or a cluster, for any number of processes. The server must not evict
 * keys. Throws a `TypeError` for a client instead of a function, and for an invalid prefix.
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
  const keyOf = async ({ kind, hostUser }: HashName): Promise<string> =>
    `${prefix}:${kind}:${await encodeId(hostUser)}`;
  return hashStore(
    {
      read: async (hash, field) =>
        String((await send('HGET', await keyOf(hash), await encodeId(field))) ?? ''),
      values: async (hash) => ((await send('HVALS', await keyOf(hash))) as unknown[]).map(String),
      async replace(hash, field, old, value) {
        const values = [await encodeId(field), old, value, String(hashLifetimesMs[hash.kind])];
        const answer = await send('EVAL', replaceScript, '1', await keyOf(hash), ...values);
        return Number(answer) === 1;
      },
    },
    now,
  );
}
