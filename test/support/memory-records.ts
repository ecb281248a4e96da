import { memoryStore } from '../../packages/host/src/index.ts';
import { HostRecords } from '../../packages/host/src/stores/records.ts';

export const memoryRecords = (now: () => number): HostRecords =>
  new HostRecords(memoryStore(now), now);
