export { createClipHost, type ClipHost } from './handler.ts';
export type { ClipHostOptions, HostLogEntry } from './options.ts';
export type { SessionOptions } from './sessions/sessions.ts';
export type { HostUser } from './users/account-tag.ts';
export type {
  Authorize,
  ChooseExportOptions,
  ExportOptions,
  HostAction,
  HostAsk,
  HostAuditEntry,
} from './policy.ts';
export { memoryStore } from './stores/memory-store.ts';
export {
  postgresStore,
  type PostgresPool,
  type PostgresStoreOptions,
} from './stores/postgres-store.ts';
export { redisStore, type RedisStoreOptions, type SendRedisCommand } from './stores/redis-store.ts';
export { sqliteStore, type SqliteDatabase } from './stores/sqlite-store.ts';
export type {
  HostStore,
  RecordName,
  RecordPlace,
  RecordQuery,
  StoredRecord,
} from './stores/store.ts';
