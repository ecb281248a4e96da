import { randomUUID } from 'node:crypto';
import { extname } from 'node:path';
import type { Watermark } from 'clip-kit/contract';
import { fetchWatermark, type Style } from 'clip-engine';
import { ExportRefused, refusal } from '../accounts/allowance.ts';
import { findRendering, lockOrganization, readUsage } from '../db/exports.ts';
import type { Queue } from '../db/queue.ts';
import type { Db, ExportRow, ProjectRow, UserRow } from '../db/schema.ts';
import { mayBeKept } from '../db/worked-rows.ts';
import { readEstimates } from '../estimates/estimates.ts';
import { exportWork } from '../estimates/export-work.ts';
import type { RenderRate } from '../estimates/render-rate.ts';
import { inWorkDirectory, type Files } from '../storage/work-directory.ts';

interface Needs extends Files {
  db: Db;
  queue: Pick<Queue, 'send'>;
  changes: { announce(): void };
  rate: RenderRate;
  concurrency: number;
  allowPrivateSources: boolean;
}

/** Fetches the watermark into the store and gives its key. Throws SourceError; nothing stays behind then. */
const keepWatermark = (
  service: Needs,
  exportId: string,
  watermark: Watermark,
  signal: AbortSignal,
): Promise<string> =>
  inWorkDirectory(service, `watermark-${exportId}`, async (directory) => {
    const path = await fetchWatermark(watermark.src_url, {
      directory,
      allowPrivate: service.allowPrivateSources,
      signal,
    });
    const extension = extname(path).toLowerCase();
    const key = `watermarks/${exportId}/image${/^\.[a-z0-9]{1,8}$/.test(extension) ? extension : ''}`;
    await service.storage.put(key, path);
    return key;
  });

const refuseOver = async (service: Needs, user: UserRow, project: ProjectRow): Promise<void> => {
  const organization = await service.db
    .selectFrom('organizations')
    .select(['plan', 'export_allowance', 'state'])
    .where('id', '=', user.organization_id)
    .executeTakeFirstOrThrow();
  const usage = await readUsage(service.db, user.organization_id, project.id);
  const refused = refusal(organization, usage);
  if (refused !== null) throw new ExportRefused(refused);
};

/**
 * Starts a render of the clip, counted against the plan. With `reuse`, an export of the clip that the user
 * has under way is given instead (4.10, rule 3). Throws 402 problems and SourceError, with nothing made or counted.
 */
export const startExport = async (
  service: Needs,
  user: UserRow,
  project: ProjectRow,
  options: {
    watermark?: Watermark | undefined;
    /** Left out: the style of the clip's own edit. */
    style?: Style | undefined;
    reuse?: boolean;
    signal: AbortSignal;
  },
): Promise<ExportRow> => {
  const id = randomUUID();
  const { watermark } = options;
  let kept: (Watermark & { key: string }) | null = null;
  const underWay = (db: Db): Promise<ExportRow | undefined> =>
    options.reuse ? findRendering(db, user.id, project.id) : Promise.resolve(undefined);
  // No image is fetched and no file looked at for an export that is refused or there already; what decides is asked again below.
  const found = await underWay(service.db);
  if (found) return found;
  await refuseOver(service, user, project);
  if (watermark) {
    kept = { ...watermark, key: await keepWatermark(service, id, watermark, options.signal) };
  }
  try {
    const { work, copied } = await exportWork(service, project, {
      ...options,
      watermark: watermark !== undefined,
    });
    const begun = { stage: 'queued', share: 0, work, copied };
    // Read before the lock: others of the organization need not wait for it.
    const estimates = await readEstimates(service, {
      ...{ ...begun, id, task_id: project.task_id, share_at: null, started_at: null },
    });
    const row = await service.db.transaction().execute(async (trx) => {
      const organization = await lockOrganization(trx, user.organization_id);
      const rendering = await underWay(trx);
      if (rendering) return rendering;
      const usage = await readUsage(trx, user.organization_id, project.id);
      const refused = refusal(organization, usage);
      if (refused !== null) throw new ExportRefused(refused);
      const made = await trx
        .insertInto('exports')
        .values({
          id,
          organization_id: user.organization_id,
          author_id: user.id,
          project_id: project.id,
          folder_id: project.folder_id,
          name: project.name,
          duration: project.edit.duration,
          watermark: kept && JSON.stringify(kept),
          style: options.style ? JSON.stringify(options.style) : null,
          status: 'processing',
          ...begun,
          estimated_ready_at: estimates.get(id) ?? new Date(Date.now() + 1000),
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      await service.queue.send('export', id, trx);
      return made;
    });
    service.changes.announce();
    return row;
  } catch (error) {
    if (kept && !(await mayBeKept(service.db, 'exports', id))) {
      await service.storage.remove(kept.key);
    }
    throw error;
  }
};
