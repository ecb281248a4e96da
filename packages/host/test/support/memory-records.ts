import { memoryStore } from '../../src/index.ts';
import { HostRecords } from '../../src/stores/records.ts';

export const memoryRecords = (now: () => number): HostRecords =>
  new HostRecords(memoryStore(now), now);
