import type { Db } from '../db/schema.ts';
import { storedKinds } from '../storage/stored-kinds.ts';
import type { Storage } from '../storage/storage.ts';
import { listUnneeded } from './unneeded-files.ts';

/** A file that no row names. */
export interface Orphan {
  key: string;
  bytes: number;
}

/** A younger file may belong to a row that is not written yet. */
const minAgeMs = 24 * 60 * 60 * 1000;
const atATime = 200;

async function* inBatches<T>(items: AsyncIterable<T>): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < atATime) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/**
 * The stored files that no row names: what deletions and lost attempts have left. Files younger
 * than a day, and those of rows that are at work, are not among them.
 */
export async function* findOrphans(
  service: { db: Db; storage: Storage },
  now = Date.now(),
): AsyncGenerator<Orphan> {
  const { storage } = service;
  for (const kind of storedKinds) {
    for await (const ids of inBatches(storage.ids(kind))) {
      for (const key of [...(await listUnneeded(service, kind, ids)).values()].flat()) {
        const file = await storage.stat(key);
        if (file && now - file.modified.getTime() > minAgeMs) yield { key, bytes: file.bytes };
      }
    }
  }
}
