import type { Export, StartExportRecord } from 'clip-kit/contract';
import type { ShownExport } from '../tasks/shown-queries.ts';
import { failureOf, progressOf } from '../tasks/task-object.ts';

/** What is still being worked on is not ready for another second, whatever was estimated. */
const notBefore = (estimate: Date): Date =>
  new Date(Math.max(estimate.getTime(), Date.now() + 1000));

/** Export Object (2.3). `estimate`: when it will be ready, as it looks now. */
export function exportObject(
  row: ShownExport,
  addressOf: (key: string) => string,
  estimate: Date = row.estimated_ready_at,
): Export {
  const expected = notBefore(estimate);
  return {
    id: row.id,
    status: row.status,
    src_url: row.status === 'ready' && row.file_key ? addressOf(row.file_key) : null,
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
    revision: row.revision,
  };
}

/** The start-export record (2.3) and the Export Object in one, for clients of either variant. */
export const startExportRecord = (exported: Export): Export & StartExportRecord => ({
  ...exported,
  projectId: exported.project_id,
  estimatedReadyAt: exported.estimated_ready_at,
});
