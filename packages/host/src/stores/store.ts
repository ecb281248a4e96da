import { attemptLifetime } from 'clip-kit/contract';

/** The name of a record. Names with other texts are other records, however alike they are. */
export interface RecordName {
  readonly kind: 'user' | 'attempt' | 'task';
  /** The site's own id of the user. */
  readonly hostUser: string;
  /** The attempt key, or the id of the task; empty for `user`, of which each user has one. */
  readonly id: string;
}

/** A time and a text, stored under a name. */
export interface StoredRecord {
  /** The time by which records are listed and expire, in milliseconds since 1970. */
  readonly at: number;
  readonly value: string;
}

/** Where a page of records ends. */
export type RecordPlace = Pick<StoredRecord, 'at'> & Pick<RecordName, 'id'>;

/** The records to list: newest first, and of the same moment in any order that stays the same. */
export interface RecordQuery {
  readonly kind: 'attempt' | 'task';
  readonly hostUser: string;
  /** Only those of this time or later. */
  readonly since: number;
  /** Only those after this one; null: from the first. */
  readonly after: RecordPlace | null;
  readonly limit: number;
}

/**
 * Where a host keeps what must outlive a request. All processes of a host share it. Every method
 * rejects if the store cannot be reached.
 */
export interface HostStore {
  /** The record, or null. */
  read(name: RecordName): Promise<StoredRecord | null>;
  /**
   * Replaces a record if it is still `from`, both in time and value, in one step: of several calls
   * with the same `from`, one succeeds. Returns whether it did. Null, which is never both, stands
   * for no record.
   */
  replace(name: RecordName, from: StoredRecord | null, to: StoredRecord | null): Promise<boolean>;
  list(query: RecordQuery): Promise<readonly (StoredRecord & RecordPlace)[]>;
}

/**
 * The age in milliseconds at which a store may forget a record. Attempts: one hour more than the
 * contract promises, because the process that checks may have a faster clock than the one that
 * wrote the attempt. Tasks: longer than services keep videos.
 */
export const keptMs: Readonly<Record<RecordName['kind'], number>> = {
  user: Infinity,
  attempt: attemptLifetime + 3_600_000,
  task: 366 * 24 * 60 * 60 * 1000,
};

/** Newest first; of the same moment, by id. */
const comparePlaces = (a: RecordPlace, b: RecordPlace): number =>
  b.at - a.at || (a.id < b.id ? 1 : -1);

/** Selects the records of one kind and user that a query asks for. */
export const selectRecords = <T extends RecordPlace>(
  records: readonly T[],
  { since, after, limit }: RecordQuery,
): T[] =>
  records
    .filter((one) => one.at >= since && (!after || comparePlaces(one, after) > 0))
    .toSorted(comparePlaces)
    .slice(0, limit);

/** The error of a store whose server failed. Some drivers' errors contain only a code. */
export function storeFailure(server: string, cause: unknown): Error {
  const { message, code } = cause instanceof Error ? (cause as Error & { code?: unknown }) : {};
  const reason = message || (typeof code === 'string' ? code : 'no reason given');
  return new Error(`the ${server} store failed: ${reason}`, { cause });
}

/**
 * Maximum length of an id that is stored as it is, in UTF-16 units. Two of them fit into an index
 * of every database.
 */
const maxIdLength = 250;

/**
 * An id in a form that a database can store; almost always unchanged. An id with NUL or a lone
 * surrogate becomes its JSON, because UTF-8 columns cannot hold or distinguish it. A long id
 * becomes `#` and its SHA-256 in hex. Different ids stay different.
 */
export async function encodeId(id: string): Promise<string> {
  const json = JSON.stringify(id);
  const spelt = /^["#]|\0|\p{Cs}/u.test(id) ? json : id;
  if (spelt.length <= maxIdLength) return spelt;
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(json));
  const bytes = [...new Uint8Array(digest)];
  return `#${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
