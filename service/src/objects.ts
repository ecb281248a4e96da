import type { Selectable } from 'kysely';
import type { Export, Project, StartExportRecord, Task } from 'clip-kit/contract';
import type { ExportTable, ProjectTable, TaskTable } from './db/schema.ts';

export type TaskRow = Selectable<TaskTable>;
export type ProjectRow = Selectable<ProjectTable>;
export type ExportRow = Selectable<ExportTable>;

type Worked = Pick<TaskRow, 'status' | 'stage' | 'share' | 'failure_code' | 'failure_message'>;

/** What is still being worked on is not ready for another second, whatever the queue was read to say. */
const notBefore = (estimate: Date): Date =>
  new Date(Math.max(estimate.getTime(), Date.now() + 1000));

/** Seconds until then, to a tenth. */
const secondsUntil = (at: Date): number =>
  Math.max(0, Math.round((at.getTime() - Date.now()) / 100) / 10);

const progressOf = (row: Worked, estimate?: Date): Task['progress'] =>
  row.status === 'processing'
    ? {
        stage: row.stage,
        share: row.share,
        seconds_left: estimate ? secondsUntil(estimate) : null,
      }
    : null;

const failureOf = (row: Worked): Task['failure'] =>
  row.status === 'error'
    ? {
        code: row.failure_code ?? 'internal-error',
        message: row.failure_message ?? 'It failed, and the reason is not known.',
      }
    : null;

/** Task Object (2.1). `estimate`: when it will be ready, where that can be told. */
export const taskObject = (row: Omit<TaskRow, 'request' | 'source'>, estimate?: Date): Task => ({
  id: row.id,
  type: row.type,
  status: row.status,
  created_at: row.created_at.toISOString(),
  output_type: row.output_type,
  output_id: row.output_id,
  progress: progressOf(row, estimate),
  failure: failureOf(row),
  notes: row.notes ?? [],
});

/** Project Object (2.2). */
export const projectObject = (row: Omit<ProjectRow, 'edit'>): Project => ({
  id: row.id,
  author_id: row.author_id,
  folder_id: row.folder_id,
  name: row.name,
  created_at: row.created_at.toISOString(),
  virality_score: row.virality_score,
  virality_score_explanation: row.virality_score_explanation,
  notes: row.notes ?? [],
});

/** Export Object (2.3). `estimate`: when an export that is being processed will be ready, as it looks now. */
export const exportObject = (
  row: ExportRow,
  publicUrl: string,
  estimate: Date = row.estimated_ready_at,
): Export => {
  const expected = notBefore(estimate);
  return {
    id: row.id,
    status: row.status,
    src_url: row.status === 'ready' && row.file_key ? `${publicUrl}/files/${row.file_key}` : null,
    estimated_ready_at: (row.status === 'processing'
      ? expected
      : (row.finished_at ?? row.estimated_ready_at)
    ).toISOString(),
    project_id: row.project_id,
    created_at: row.created_at.toISOString(),
    finished_at: row.status === 'processing' ? null : (row.finished_at?.toISOString() ?? null),
    name: row.name,
    author_id: row.author_id,
    folder_id: row.folder_id,
    descriptions: null,
    watermarked: row.watermark !== null,
    progress: progressOf(row, expected),
    failure: failureOf(row),
    notes: row.notes ?? [],
  };
};

/** The start-export record (2.3) and the Export Object in one: a client of either variant finds its fields. */
export const startExportRecord = (exported: Export): Export & StartExportRecord => ({
  ...exported,
  projectId: exported.project_id,
  estimatedReadyAt: exported.estimated_ready_at,
});
