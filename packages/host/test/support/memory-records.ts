import { memoryStore } from '../../src/index.ts';
import { HostRecords, type PaidStart } from '../../src/stores/records.ts';

export const memoryRecords = (now: () => number): HostRecords =>
  new HostRecords(memoryStore(now), now);

/** Returns the attempt of a user with this key, or null. */
export async function findPaidStart(
  records: HostRecords,
  hostUser: string,
  key: string,
): Promise<PaidStart | null> {
  const found = await records.listPaidStartsSince(hostUser, 0);
  return found.find((attempt) => attempt.key === key) ?? null;
}
