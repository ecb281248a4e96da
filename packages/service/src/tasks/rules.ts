import type { Task } from 'clip-kit/contract';
import type { StageDetail } from '../db/schema.ts';
import type { ShownTask } from './queries.ts';
import type { Addresses } from '../links/links.ts';
import { shareBeforePreviews } from '../clips/preview-queries.ts';

type Worked = Pick<ShownTask, 'status' | 'stage' | 'share' | 'failure_code' | 'failure_message'> &
  Partial<Pick<ShownTask, 'stage_detail'>>;

/** Seconds until then, to a tenth. */
const countSecondsUntil = (at: Date): number =>
  Math.max(0, Math.round((at.getTime() - Date.now()) / 100) / 10);

export const makeProgress = (row: Worked, estimate?: Date): Task['progress'] =>
  row.status === 'processing'
    ? {
        stage: row.stage,
        share: row.share,
        seconds_left: estimate ? countSecondsUntil(estimate) : null,
        ...(detailed.has(row.stage) && makeDetail(row.stage_detail ?? {})),
      }
    : null;

/** The stages with a detail: the detail of an earlier stage stays in the row. */
const detailed = new Set<string>(['speech-model', 'transcript'] satisfies TaskStage[]);

const makeDetail = ({ bytes, totalBytes, endsAt }: StageDetail) => ({
  ...(bytes !== undefined && { bytes }),
  ...(totalBytes !== undefined && { total_bytes: totalBytes }),
  ...(endsAt !== undefined && { stage_seconds_left: countSecondsUntil(new Date(endsAt)) }),
});

export const makeFailure = (row: Worked): Task['failure'] =>
  row.status === 'error'
    ? {
        code: row.failure_code ?? 'internal-error',
        message: row.failure_message ?? 'It failed for an unknown reason.',
      }
    : null;

/**
 * Task Object (2.1). `addresses`: of stored files. `estimate`: when it will be ready, if that is
 * known.
 */
export const makeTaskObject = (
  row: ShownTask,
  addresses: Pick<Addresses, 'file'>,
  estimate?: Date,
): Task => ({
  id: row.id,
  type: row.type,
  status: row.status,
  created_at: row.created_at.toISOString(),
  output_type: row.output_type,
  output_id: row.output_id,
  progress: makeProgress(row, estimate),
  failure: makeFailure(row),
  notes: row.notes ?? [],
  name: row.name,
  ...(row.source_task_id !== null && { source_task_id: row.source_task_id }),
  ...(row.source_seconds !== null && { source_seconds: row.source_seconds }),
  ...(row.picture_key !== null && { picture_url: addresses.file(row.picture_key, row.id) }),
  ...(row.output_type === 'folder' && { clip_count: row.clips }),
  metadata: row.metadata ?? {},
  ...(row.export_ids && { export_ids: row.export_ids }),
});

/** The stages of a task in their order, each with the share of the task that is done before it. */
export const taskStages = [
  ['ingest', 0],
  ['scan', 0.2],
  ['speech-model', 0.35],
  ['transcript', 0.4],
  ['candidates', 0.5],
  ['preview', shareBeforePreviews],
] as const;

export type TaskStage = (typeof taskStages)[number][0];

/** Share of the whole task at `share` of one of its stages, 0 to 1. */
export function computeTaskShare(stage: TaskStage, share: number): number {
  const at = taskStages.findIndex(([name]) => name === stage);
  const [from, to] = [taskStages[at]?.[1] ?? 0, taskStages[at + 1]?.[1] ?? 1];
  return from + Math.min(1, Math.max(0, share)) * (to - from);
}

/** The failure of a task if only the log has the reason. */
export const unknownTaskFailure = {
  code: 'processing-failed',
  message: 'The video could not be processed. Create a new task to try again.',
};
