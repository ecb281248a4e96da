import { randomUUID } from 'node:crypto';
import { extname } from 'node:path';
import { type ExportQuality, fetchWatermark, type Style } from 'clip-engine';
import type { Watermark } from 'clip-kit/contract';
import { ExportRefused, refusal } from '../accounts/allowance.ts';
import type { UsageLimits } from '../accounts/usage-limits.ts';
import { readPlan, withLockedPlan } from '../db/accounts.ts';
import { canRender, findRendering, insertExport, readUsage } from '../db/exports.ts';
import type { Queue } from '../db/queue.ts';
import type { Db, ExportRow, PlanRow, ProjectRow, Trx, UserRow } from '../db/schema.ts';
import { takeTurns } from '../db/turns.ts';
import { mayBeKept } from '../db/worked-rows.ts';
import type { Estimates } from '../estimates/estimates.ts';
import { exportWork } from '../estimates/work.ts';
import { inWorkDirectory, type Files } from '../storage/work-directory.ts';
import { UserSlots } from './user-slots.ts';

/** How long a client waits for a store that does not answer. */
const maxStoreMs = 5_000;

/** How many watermarks this process fetches and checks at the same time. */
const watermarkSlots = new UserSlots({ all: 16, ofUser: 2 });

interface Needs extends Files {
  db: Db;
  queue: Pick<Queue, 'send'>;
  estimates: Pick<Estimates, 'current'>;
  limits: Pick<UsageLimits, 'requireExportRoom'>;
  allowPrivateSources: boolean;
  exportQuality: ExportQuality;
}

interface Options {
  watermark?: Watermark | undefined;
  /** If omitted: the style of the clip's own edit. */
  style?: Style | undefined;
  reuse?: boolean;
  /** Called in the transaction that makes the export; throws if it may not be made. */
  admit?: (trx: Trx, id: string) => Promise<void>;
  signal: AbortSignal;
}

/** Fetches the watermark into the store and gives its key. Throws SourceError. */
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
    await service.storage.put(key, path, { maxMs: maxStoreMs });
    return key;
  });

/** What the clip would be rendered from is no longer kept. */
export class SourceGone extends Error {
  override name = 'SourceGone';

  constructor() {
    super('The source of this clip is no longer kept, so it cannot be exported again.');
  }
}

/** Throws {@link ExportRefused}. */
async function requireAllowance(
  db: Db,
  plan: PlanRow,
  user: UserRow,
  project: ProjectRow,
): Promise<void> {
  const refused = refusal(plan, await readUsage(db, user.organization_id, project.id));
  if (refused !== null) throw new ExportRefused(refused);
}

/**
 * Starts a render of the clip, counted against the plan. With `reuse`, an export of the clip that
 * the user has under way is given instead (4.10, rule 3). Throws {@link ExportRefused},
 * {@link SourceGone} and SourceError, with nothing made or counted.
 */
export function startExport(
  service: Needs,
  user: UserRow,
  project: ProjectRow,
  options: Options,
): Promise<ExportRow> {
  const start = () => startNow(service, user, project, options);
  // Until it is made: whoever has waited for the slot of the last allowed one fetches nothing.
  return options.watermark ? watermarkSlots.run(user.id, options.signal, start) : start();
}

async function startNow(
  service: Needs,
  user: UserRow,
  project: ProjectRow,
  options: Options,
): Promise<ExportRow> {
  const id = randomUUID();
  const { watermark } = options;
  let kept: (Watermark & { key: string }) | null = null;
  const underWay = (db: Db): Promise<ExportRow | undefined> =>
    options.reuse ? findRendering(db, user.id, project.id) : Promise.resolve(undefined);
  // Nothing is fetched for an export that is refused or there already. Below, both are asked again.
  const found = await underWay(service.db);
  if (found) return found;
  const { organization_id } = user;
  await service.limits.requireExportRoom(service.db, user);
  await requireAllowance(service.db, await readPlan(service.db, organization_id), user, project);
  if (!(await canRender(service.db, project.id))) throw new SourceGone();
  if (watermark) {
    kept = { ...watermark, key: await keepWatermark(service, id, watermark, options.signal) };
  }
  try {
    const { work, copied } = await exportWork(service, project, {
      style: options.style,
      watermark: watermark !== undefined,
    });
    // Asked before the lock: others of the organization need not wait for it.
    const forecast = await service.estimates.current();
    const { made, isNew } = await withLockedPlan(service.db, organization_id, async (trx, plan) => {
      await options.admit?.(trx, id);
      const rendering = await underWay(trx);
      if (rendering) return { made: rendering, isNew: false };
      await service.limits.requireExportRoom(trx, user);
      await requireAllowance(trx, plan, user, project);
      const turn = (await takeTurns(trx, 'exports', user.id, 1))[0]!;
      const progress = { stage: 'queued', share: 0, share_at: null, started_at: null };
      const created_at = new Date();
      const asked = { project_id: project.id, work, copied, turn, created_at, ...progress };
      const made = await insertExport(trx, user, project, {
        id,
        turn,
        watermark: kept,
        style: options.style ?? null,
        work,
        copied,
        estimated_ready_at: forecast.exportReady(asked),
      });
      await service.queue.send('export', made, trx);
      return { made, isNew: true };
    });
    if (isNew) forecast.add(made);
    return made;
  } catch (error) {
    if (kept && !(await mayBeKept(service.db, 'export', id))) {
      await service.storage.remove(kept.key);
    }
    throw error;
  }
}
