import {
  encodeId,
  type HostStore,
  keptMs,
  type RecordName,
  type RecordPlace,
  selectRecords,
  storeFailure,
  type StoredRecord,
} from './store.ts';

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
  const keyOf = async ({ kind, hostUser }: Pick<RecordName, 'kind' | 'hostUser'>) =>
    `${prefix}:${kind}:${await encodeId(hostUser)}`;
  const replace: HostStore['replace'] = async (name, from, to) => {
    const values = [from, to].map((record) => (record ? writeField(name.id, record) : ''));
    values.push(name.kind === 'user' ? '0' : String(keptMs[name.kind]));
    const field = await encodeId(name.id);
    const answer = await send('EVAL', replaceScript, '1', await keyOf(name), field, ...values);
    return Number(answer) === 1;
  };
  return {
    async read(name) {
      const field = await send('HGET', await keyOf(name), await encodeId(name.id));
      return field ? readField(String(field)) : null;
    },
    replace,
    async list(query) {
      const { kind, hostUser } = query;
      const fields = (await send('HVALS', await keyOf(query))) as unknown[];
      const records = fields.map((field) => readField(String(field)));
      for (const one of records) {
        // Another process may have claimed the key of an expired attempt again.
        if (one.at < now() - keptMs[kind]) await replace({ kind, hostUser, id: one.id }, one, null);
      }
      return selectRecords(records, query);
    },
  };
}

const writeField = (id: string, { at, value }: StoredRecord): string =>
  JSON.stringify([at, id, value]);

function readField(field: string): StoredRecord & RecordPlace {
  const [at, id, value] = JSON.parse(field) as [number, string, string];
  return { at, id, value };
}
