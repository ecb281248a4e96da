export {
  createClipHost,
  type ClipHost,
  type ClipHostOptions,
  type HostLogEntry,
  type HostUser,
} from './clip-host.ts';
export { memoryStore } from './memory-store.ts';
export type { Attempt, HostStore } from './store.ts';
export { sqliteStore, type SqliteDatabase } from './sqlite-store.ts';
