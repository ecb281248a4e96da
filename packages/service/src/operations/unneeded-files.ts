import { neededFiles } from '../storage/needed-file-queries.ts';
import type { Db } from '../db/schema.ts';
import type { StoredKind } from '../storage/stored-kinds.ts';
import type { Storage } from '../storage/storage.ts';

/**
 * The keys of stored files that no row names, by the id that they are kept under. A row that is at
 * work may have more files than it names: its id is missing.
 */
export async function listUnneeded(
  { db, storage }: { db: Db; storage: Storage },
  kind: StoredKind,
  ids: readonly string[],
): Promise<Map<string, string[]>> {
  const needed = await neededFiles(db, kind, ids);
  const unneeded = new Map<string, string[]>();
  for (const id of ids) {
    const named = needed.get(id);
    if (named === null) continue;
    // Answers that were kept for another attempt go with the source.
    const isNeeded = (key: string): boolean =>
      (named?.has(key) ?? false) ||
      (kind === 'sources' && key.endsWith('.json') && (named?.size ?? 0) > 0);
    const keys = await storage.list(`${kind}/${id}`);
    unneeded.set(
      id,
      keys.filter((key) => !isNeeded(key)),
    );
  }
  return unneeded;
}
