import { randomUUID } from 'node:crypto';
import { extname } from 'node:path';
import { type ExportQuality, fetchWatermark, isSegmentComplete, type Style } from 'clip-engine';
import type { Watermark } from 'clip-kit/contract';
import { ApiError, makeUnprocessableError } from '../api-error.ts';
import { readBumperSeconds } from '../appearance/media-queries.ts';
import { findRefusal } from './rules.ts';
import type { UsageLimits } from '../users/limits.ts';
import { lockPlan } from '../users/queries.ts';
import { findNewest, insertExport } from './queries.ts';
import { type ClipWithSource, lockRenderSource } from '../clips/queries.ts';
import type { Queue } from '../queue/queue.ts';
import type { Db, ExportRow, Trx, UserRow } from '../db/schema.ts';
import { takeTurns } from '../queue/queries.ts';
import { mayBeKept } from '../queue/attempt-queries.ts';
import type { Estimates } from './forecast.ts';
import { exportWork } from '../clips/rules.ts';
import { type Files, withWorkDirectory } from '../storage/work-directory.ts';

/** Limits how much work runs at once, in total and for each user; the rest waits in turn. */
export class UserSlots {
  readonly #most: { all: number; ofUser: number };
  /** The users whose work runs, each as often as it has a slot. */
  readonly #running: string[] = [];
  readonly #waiting = new Map<() => void, string>();

  constructor(most: { all: number; ofUser: number }) {
    this.#most = most;
  }

  /** Rejects with the signal's reason if that is aborted while the work waits. */
  async run<T>(userId: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    const { promise, resolve: begin, reject } = Promise.withResolvers<void>();
    const leave = (): void => {
      if (this.#waiting.delete(begin)) reject(signal.reason);
    };
    signal.addEventListener('abort', leave, { once: true });
    this.#waiting.set(begin, userId);
    this.#fill();
    await promise.finally(() => signal.removeEventListener('abort', leave));
    try {
      return await work();
    } finally {
      this.#running.splice(this.#running.indexOf(userId), 1);
      this.#fill();
    }
  }

  #fill(): void {
    for (const [begin, userId] of this.#waiting) {
      if (this.#running.length >= this.#most.all) return;
      if (this.#running.filter((one) => one === userId).length >= this.#most.ofUser) continue;
      this.#waiting.delete(begin);
      this.#running.push(userId);
      begin();
    }
  }
}

/** The time for which a client waits for a store that does not answer. */
const maxStoreMs = 5_000;

/** The number of watermarks that this process fetches and checks at the same time. */
const watermarkSlots = new UserSlots({ all: 16, ofUser: 2 });

/** The parts of the service that starting an export takes. */
export interface ExportStartDependencies extends Files {
  db: Db;
  queue: Pick<Queue, 'send'>;
  estimates: Pick<Estimates, 'current'>;
  limits: Pick<UsageLimits, 'requireWorkRoom'>;
  allowPrivateSources: boolean;
  exportQuality: ExportQuality;
}

interface Options {
  watermark?: Watermark | undefined;
  /** If omitted: the style of the clip's own edit. */
  style?: Style | undefined;
  reuse?: boolean;
  /** Called in the transaction with the export that is given; throws if it may not be made. */
  admit?: (trx: Trx, id: string) => Promise<void>;
  signal: AbortSignal;
}

/** Fetches the watermark into the store and returns its key. Throws SourceError. */
const storeWatermark = (
  service: ExportStartDependencies,
  exportId: string,
  watermark: Watermark,
  signal: AbortSignal,
): Promise<string> =>
  withWorkDirectory(service, `watermark-${exportId}`, async (directory) => {
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

/**
 * Starts a render of the clip, counted against the plan. With `reuse`, an export of the clip that
 * the user has under way is given instead (4.10, rule 3). Throws ApiError and SourceError, with
 * nothing made or counted.
 */
export async function startExport(
  service: ExportStartDependencies,
  user: UserRow,
  clip: ClipWithSource,
  options: Options,
): Promise<ExportRow> {
  const { watermark, reuse = false, signal } = options;
  if (reuse && !options.admit) {
    const found = await findNewest(service.db, user.id, clip.id, 'processing', clip.revision);
    if (found) return found;
  }
  const id = randomUUID();
  if (!watermark) return insert(service, user, clip, { ...options, id, watermark: null });
  // The slot is held until the export is made: if it was the last one allowed, the next caller
  // fetches nothing.
  return watermarkSlots.run(user.id, signal, async () => {
    const make = (key: string, isTrial: boolean) =>
      insert(service, user, clip, { ...options, id, watermark: { ...watermark, key }, isTrial });
    // Nothing is fetched for an export that is refused, or that was made before.
    await make('', true).catch((error: unknown) => {
      if (!(error instanceof TrialEnded)) throw error;
    });
    const key = await storeWatermark(service, id, watermark, signal);
    try {
      return await make(key, false);
    } catch (error) {
      if (!(await mayBeKept(service.db, id))) await service.storage.remove(key);
      throw error;
    }
  });
}

/** The export could be made: nothing of it is kept. */
class TrialEnded extends Error {}

/** Makes the export and its job, or returns the one in progress. A trial makes nothing. */
async function insert(
  service: ExportStartDependencies,
  user: UserRow,
  clip: ClipWithSource,
  options: Omit<Options, 'watermark'> & Pick<ExportRow, 'id' | 'watermark'> & { isTrial?: boolean },
): Promise<ExportRow> {
  const { id, watermark, style, reuse, admit, isTrial } = options;
  const { exportQuality } = service;
  const { all: bumperSeconds } = await readBumperSeconds(service.db, clip.edit);
  const drawn = { watermark: watermark !== null, bumperSeconds };
  const work = exportWork(clip, { style, ...drawn, exportQuality });
  // Asked before the lock: others of the organization need not wait for it.
  const forecast = await service.estimates.current();
  const { made, isNew } = await service.db.transaction().execute(async (trx) => {
    const plan = await lockPlan(trx, user);
    const rendering = reuse
      ? await findNewest(trx, user.id, clip.id, 'processing', clip.revision)
      : undefined;
    await admit?.(trx, rendering?.id ?? id);
    if (rendering) return { made: rendering, isNew: false };
    const now = await lockRenderSource(trx, clip.id);
    // Of a clip that was deleted meanwhile, no export can be inserted below.
    if (now && !(now.source ?? (now.segment && isSegmentComplete(now.segment, clip.edit)))) {
      const message =
        'The source of this clip is no longer stored, so it cannot be exported again.';
      throw makeUnprocessableError(message, 'source-gone');
    }
    await service.limits.requireWorkRoom(trx, user);
    const turn = (await takeTurns(trx, 'exports', user.id, 1))[0]!;
    const progress = { stage: 'queued', share: 0, share_at: null, started_at: null };
    const asked = { project_id: clip.id, ...work, turn, created_at: new Date(), ...progress };
    const { made, usage } = await insertExport(trx, user, clip, {
      id,
      turn,
      watermark,
      style: style ?? null,
      duration: clip.edit.duration + bumperSeconds,
      ...work,
      estimated_ready_at: forecast.exportReady(asked) ?? forecast.readyAlone(asked),
    });
    // Counted first: to count and to look is one statement.
    const refused = findRefusal(plan, usage);
    if (refused !== null) throw new ApiError('export-limit', refused);
    if (isTrial) throw new TrialEnded();
    await service.queue.send('export', made, trx);
    return { made, isNew: true };
  });
  if (isNew) forecast.add(made);
  return made;
}
