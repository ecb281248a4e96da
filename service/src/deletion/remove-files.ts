import { storedKinds, type Deleted, type StoredKind } from '../db/deletion.ts';
import { removeUnder, type Storage } from '../storage/storage.ts';

/** Whose ids the files of a kind are kept under. */
export const owners: Readonly<Record<StoredKind, 'tasks' | 'projects' | 'exports'>> = {
  sources: 'tasks',
  stretches: 'tasks',
  posters: 'tasks',
  previews: 'projects',
  exports: 'exports',
  watermarks: 'exports',
};

/**
 * Removes the files of rows that are deleted. If that fails, or the process ends, the sweep finds
 * them.
 */
export async function removeFiles(storage: Storage, deleted: Deleted): Promise<void> {
  for (const kind of storedKinds) {
    for (const id of deleted[owners[kind]]) await removeUnder(storage, `${kind}/${id}`);
  }
  for (const key of deleted.files) await storage.remove(key);
}
