import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { errorText } from 'clip-engine';
import type { ServiceContext } from '../context.ts';
import { readExport } from '../db/exports.ts';
import { findClip, listClips } from '../db/projects.ts';
import type { WorkKind } from '../db/queue.ts';
import type { ProjectRow } from '../db/schema.ts';
import { readTask } from '../db/tasks.ts';
import { removeUnder, type Storage } from '../storage/storage.ts';

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
  const shown = shownBy(clips);
  await removeUnder(storage, `posters/${id}`, (key) => !shown.has(key));
  const kept = new Set(clips.map(({ stretch }) => stretch?.key));
  await removeUnder(storage, `stretches/${id}`, (key) => !kept.has(key));
  for (const clip of clips) await sweepClip(storage, clip);
  return true;
}

/** The files that pages show of clips. */
const shownBy = (clips: readonly Pick<ProjectRow, 'preview_key' | 'poster_key'>[]) =>
  new Set(clips.flatMap(({ preview_key, poster_key }) => [preview_key, poster_key]));

async function sweepClip(storage: Storage, clip: ProjectRow): Promise<void> {
  if (clip.status === 'processing') return;
  const shown = shownBy([clip]);
  await removeUnder(storage, `previews/${clip.id}`, (key) => !shown.has(key));
}

/** Gives whether the row is settled. A clip that is gone is settled too. */
async function sweepPreview(service: Needs, id: string): Promise<boolean> {
  const clip = await findClip(service.db, id);
  if (!clip) {
    await removeUnder(service.storage, `previews/${id}`);
    return true;
  }
  await sweepClip(service.storage, clip);
  return clip.status !== 'processing';
}

const sweepers = { ingest: sweepTask, scan: sweepTask, preview: sweepPreview, export: sweepExport };

/**
 * Removes the files of lost attempts at a settled row, which changes no more. A lost attempt may
 * still be at work, in a process that was stopped for a while, and fails for it. A row that is
 * being processed keeps everything.
 */
export async function sweep(service: Needs, kind: WorkKind, id: string): Promise<void> {
  const settled = await sweepers[kind](service, id);
  if (!settled) return;
  const start = kind === 'ingest' || kind === 'scan' ? 'task' : kind;
  for (const name of await readdir(service.workDirectory)) {
    if (!name.startsWith(`${start}-${id}-`)) continue;
    await rm(join(service.workDirectory, name), { recursive: true, force: true });
  }
}

/** Whatever is wrong with the store must not make finished work fail. */
export async function sweepQuietly(
  service: Needs & Pick<ServiceContext, 'log'>,
  kind: WorkKind,
  id: string,
): Promise<void> {
  try {
    await sweep(service, kind, id);
  } catch (error) {
    service.log({ event: 'sweep-failed', kind, id, message: errorText(error) });
  }
}
