import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { errorText } from 'clip-engine';
import type { ServiceContext } from '../context.ts';
import { listClipIds } from '../db/projects.ts';
import type { WorkKind } from '../db/queue.ts';
import { owners, storedKinds, type Owner } from '../db/stored-kinds.ts';
import { listUnneeded } from '../deletion/unneeded-files.ts';

type Needs = Pick<ServiceContext, 'db' | 'storage' | 'workDirectory'>;

/** The rows of each kind of work, and how their directories in the work directory begin. */
const rows = {
  ingest: { owner: 'tasks', start: 'task' },
  scan: { owner: 'tasks', start: 'task' },
  preview: { owner: 'projects', start: 'preview' },
  export: { owner: 'exports', start: 'export' },
} as const;

/** Gives whether the row is settled, or gone. */
async function sweepRow(service: Needs, owner: Owner, id: string): Promise<boolean> {
  for (const kind of storedKinds) {
    if (owners[kind] !== owner) continue;
    const keys = (await listUnneeded(service, kind, [id])).get(id);
    if (!keys) return false;
    for (const key of keys) await service.storage.remove(key);
  }
  return true;
}

/**
 * Removes the files of lost attempts at a settled row, which changes no more, or at a deleted one.
 * A lost attempt may still be at work, in a process that was stopped for a while, and fails for it.
 * A row that is being processed keeps everything.
 */
export async function sweep(service: Needs, kind: WorkKind, id: string): Promise<void> {
  const { owner, start } = rows[kind];
  if (!(await sweepRow(service, owner, id))) return;
  if (owner === 'tasks') {
    for (const clip of await listClipIds(service.db, id)) await sweepRow(service, 'projects', clip);
  }
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
