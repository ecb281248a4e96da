import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServiceContext } from '../context.ts';
import { readExport } from '../db/exports.ts';
import { listClips } from '../db/projects.ts';
import type { WorkKind } from '../db/queue.ts';
import { readTask } from '../db/tasks.ts';
import { removeUnder } from '../storage/storage.ts';

type Needs = Pick<ServiceContext, 'db' | 'storage' | 'workDirectory'>;

/** Gives whether the row is settled. */
async function sweepExport({ db, storage }: Needs, id: string): Promise<boolean> {
  const { status, file_key } = await readExport(db, id);
  if (status === 'processing') return false;
  await removeUnder(storage, `exports/${id}`, (key) => key !== file_key);
  if (status === 'error') await removeUnder(storage, `watermarks/${id}`);
  return true;
}

/** Gives whether the row is settled. */
async function sweepTask({ db, storage }: Needs, id: string): Promise<boolean> {
  const { status, source } = await readTask(db, id);
  if (status === 'processing') return false;
  // Answers that were kept for another attempt go with the source.
  const held = (key: string): boolean =>
    source !== null && (key.endsWith('.json') || [source.key, source.transcriptKey].includes(key));
  await removeUnder(storage, `sources/${id}`, (key) => !held(key));
  const clips = await listClips(db, id);
  const shown = new Set(clips.flatMap(({ preview_key, poster_key }) => [preview_key, poster_key]));
  const unseen = (key: string): boolean => !shown.has(key);
  await removeUnder(storage, `posters/${id}`, unseen);
  for (const clip of clips) await removeUnder(storage, `previews/${clip.id}`, unseen);
  return true;
}

/**
 * Removes the files of lost attempts at a settled row, which changes no more. A lost attempt may
 * still be at work, in a process that was stopped for a while, and fails for it. A row that is
 * being processed keeps everything.
 */
export async function sweep(service: Needs, kind: WorkKind, id: string): Promise<void> {
  const settled = await (kind === 'task' ? sweepTask : sweepExport)(service, id);
  if (!settled) return;
  for (const name of await readdir(service.workDirectory)) {
    if (!name.startsWith(`${kind}-${id}-`)) continue;
    await rm(join(service.workDirectory, name), { recursive: true, force: true });
  }
}
