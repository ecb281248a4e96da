import { hashLifetimesMs, hashStore, type HashName } from './hash-store.ts';
import type { HostStore } from './store.ts';

interface Hash {
  readonly values: Map<string, string>;
  changedAt: number;
}

/**
 * A store in this process's memory. Use it only with one process. After a restart, managed users
 * are created again and attempt keys are forgotten.
 */
export function memoryStore(now: () => number = Date.now): HostStore {
  // Each in the order of the last changes, so that the oldest come first.
  const kinds = { user: new Map<string, Hash>(), attempts: new Map(), tasks: new Map() };
  const dropExpired = (kind: HashName['kind']) => {
    for (const [hostUser, { changedAt }] of kinds[kind]) {
      if (now() - changedAt <= hashLifetimesMs[kind]) return;
      kinds[kind].delete(hostUser);
    }
  };
  const hashOf = ({ kind, hostUser }: HashName): Hash | undefined => kinds[kind].get(hostUser);
  return hashStore(
    {
      read: async (hash, field) => hashOf(hash)?.values.get(field) ?? '',
      values: async (hash) => [...(hashOf(hash)?.values.values() ?? [])],
      async replace(hash, field, old, value) {
        const { values } = hashOf(hash) ?? { values: new Map<string, string>() };
        if ((values.get(field) ?? '') !== old) return false;
        if (value) values.set(field, value);
        else values.delete(field);
        kinds[hash.kind].delete(hash.hostUser);
        if (values.size) kinds[hash.kind].set(hash.hostUser, { values, changedAt: now() });
        if (hashLifetimesMs[hash.kind]) dropExpired(hash.kind);
        return true;
      },
    },
    now,
  );
}
