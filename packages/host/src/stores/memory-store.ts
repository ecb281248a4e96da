import {
  type HostStore,
  keptMs,
  type RecordName,
  selectRecords,
  type StoredRecord,
} from './store.ts';

/**
 * A store in this process's memory. Use it only with one process. After a restart, managed users
 * are created again and attempt keys are forgotten.
 */
export function memoryStore(now: () => number = Date.now): HostStore {
  const records = new Map<string, RecordName & StoredRecord>();
  const keyOf = ({ kind, hostUser, id }: RecordName) => JSON.stringify([kind, hostUser, id]);
  return {
    read: async (name) => records.get(keyOf(name)) ?? null,
    async replace(name, from, to) {
      const known = records.get(keyOf(name));
      if (known?.at !== from?.at || known?.value !== from?.value) return false;
      for (const [key, { kind, at }] of records) if (at < now() - keptMs[kind]) records.delete(key);
      if (to) records.set(keyOf(name), { ...name, ...to });
      else records.delete(keyOf(name));
      return true;
    },
    list: async (query) =>
      selectRecords(
        [...records.values()].filter(
          ({ kind, hostUser }) => kind === query.kind && hostUser === query.hostUser,
        ),
        query,
      ),
  };
}
