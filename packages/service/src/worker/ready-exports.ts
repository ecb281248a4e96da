import { formatError, SourceError, type Presets } from 'clip-engine';
import type { Note } from 'clip-kit/contract';
import { ApiError } from '../api-error.ts';
import { listPresets } from '../appearance/queries.ts';
import { findClip } from '../clips/queries.ts';
import { describeUnknownPreset } from '../clips/rules.ts';
import type { Log } from '../config/config.ts';
import { AlreadyMade } from '../db/idempotency-keys.ts';
import type { TaskRow, UserRow } from '../db/schema.ts';
import {
  chooseClips,
  claimExport,
  endReadyExports,
  listDueTasks,
  listUnexportedClips,
  noteStarted,
} from '../exports/ready-export-queries.ts';
import { type ExportStartDependencies, startExport } from '../exports/start-export.ts';
import { findUser } from '../users/queries.ts';

interface Dependencies extends ExportStartDependencies {
  closing: AbortSignal;
  log: Log;
  presets: Presets;
}

/** Why a clip is not exported, which another try would not change; null for any other error. */
function findRefusal(error: unknown): Note | null {
  if (error instanceof SourceError) return { code: error.code, message: error.message };
  if (!(error instanceof ApiError) || error.code === 'rate-limited') return null;
  return { code: error.reason ?? error.code, message: error.message };
}

/** Starts the export of a clip, unless it was started before. */
async function startOne(
  service: Dependencies,
  user: UserRow,
  task: TaskRow,
  clipId: string,
): Promise<void> {
  const { preset_id: presetId, watermark } = task.request.export_when_ready!;
  const clip = await findClip(service.db, user.id, clipId);
  if (!clip) return;
  const presets = presetId === undefined ? null : await listPresets(service, user);
  const style = presetId === undefined ? undefined : presets?.get(presetId)?.style;
  if (presets && !style) {
    const message = describeUnknownPreset(presets, presetId!);
    throw new ApiError('unprocessable', message, { reason: 'preset-unknown' });
  }
  const admit = (trx: Parameters<typeof claimExport>[0], id: string) =>
    claimExport(trx, { taskId: task.id, clipId }, id);
  const { closing: signal } = service;
  const { id } = await startExport(service, user, clip, { watermark, style, admit, signal });
  service.log({ event: 'export-started', id, task: task.id });
}

/** Starts the exports that a ready task has asked for, and notes those that are refused. */
async function startAll(service: Dependencies, task: TaskRow): Promise<void> {
  const user = await findUser(service.db, task.author_id);
  if (!user) return;
  await chooseClips(service.db, task);
  const refusals = new Map<string, { code: string; message: string; count: number }>();
  const clips = await listUnexportedClips(service.db, task.id);
  for (const [at, clipId] of clips.entries()) {
    try {
      await startOne(service, user, task, clipId);
    } catch (error) {
      if (error instanceof AlreadyMade) continue;
      const refusal = findRefusal(error);
      if (!refusal) throw error;
      const { count = 0 } = refusals.get(refusal.message) ?? {};
      // A watermark that cannot be used is not fetched again for each clip.
      const isFile = error instanceof SourceError;
      refusals.set(refusal.message, { ...refusal, count: isFile ? clips.length - at : count + 1 });
      if (isFile) break;
    }
  }
  const notes = [...refusals.values()].map(({ code, message, count }) => ({
    code,
    message: `${count === 1 ? 'One clip was' : `${count} clips were`} not exported: ${message}`,
  }));
  await noteStarted(service.db, task.id, notes);
  for (const note of notes) service.log({ event: 'note', id: task.id, ...note });
}

/**
 * Starts the exports that ready tasks have asked for, and ends those whose exports are all over:
 * of one task, or of all. What fails is logged, and tried again with the next call for all.
 */
export async function exportReadyTasks(
  service: Dependencies,
  of: { taskId?: string; clipId?: string; exportId?: string } = {},
): Promise<void> {
  try {
    for (const task of await listDueTasks(service.db, of)) await exportReadyTask(service, task);
  } catch (error) {
    logFailure(service, error);
  }
}

/** Starts or ends the exports of one task: its failure delays no other. */
async function exportReadyTask(service: Dependencies, task: TaskRow): Promise<void> {
  try {
    service.closing.throwIfAborted();
    if (task.ready_exports !== 'started') await startAll(service, task);
    await endReadyExports(service.db, task.id);
  } catch (error) {
    logFailure(service, error, task.id);
  }
}

function logFailure({ closing, log }: Dependencies, error: unknown, id?: string): void {
  if (closing.aborted) return;
  log({ event: 'ready-exports-failed', level: 'warn', id, message: formatError(error) });
}
