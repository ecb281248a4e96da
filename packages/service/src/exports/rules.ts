import type { Export, StartExportRecord } from 'clip-kit/contract';
import type { PlanRow } from '../db/schema.ts';
import type { Addresses } from '../links/links.ts';
import type { ShownExport, Usage } from './queries.ts';
import { makeFailure, makeProgress } from '../tasks/rules.ts';

/** Export Object (2.3). `estimate`: when it will probably be ready; null if unknown. */
export function exportObject(
  row: ShownExport,
  addresses: Pick<Addresses, 'file'>,
  estimate: Date | null = row.estimated_ready_at,
): Export {
  // At least a second ahead, whatever was estimated.
  const expected = new Date(
    Math.max((estimate ?? row.estimated_ready_at).getTime(), Date.now() + 1000),
  );
  return {
    id: row.id,
    status: row.status,
    src_url:
      row.status === 'ready' && row.file_key ? addresses.file(row.file_key, row.project_id) : null,
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
    progress: makeProgress(row, estimate ? expected : undefined),
    failure: makeFailure(row),
    notes: row.notes ?? [],
    revision: row.revision,
    ...(row.description !== null && { description: row.description }),
    ...(row.tags && { tags: row.tags }),
    ...(row.status === 'ready' &&
      row.cover_key && { cover_url: addresses.file(row.cover_key, row.project_id) }),
  };
}

/** The start-export record (2.3) and the Export Object in one, for clients of either variant. */
export const startExportRecord = (exported: Export): Export & StartExportRecord => ({
  ...exported,
  projectId: exported.project_id,
  estimatedReadyAt: exported.estimated_ready_at,
});

/** Why an organization may not have an export (4.6, rules 2 and 3); null if it may. */
export function findRefusal(plan: PlanRow, usage: Usage): string | null {
  if (plan.state === 'paused') {
    return 'The subscription is paused: resume it to export clips.';
  }
  if (plan.state === 'past_due') {
    return 'The subscription is past due: settle the payment to export clips.';
  }
  const allowance = plan.export_allowance;
  if (allowance === null) return null;
  if (plan.plan === 'paid') {
    return !usage.isNewClip || usage.clips <= allowance
      ? null
      : `The plan allows ${allowance} clips to be exported, and all of them are used up.`;
  }
  return usage.exports <= allowance
    ? null
    : `The plan allows ${allowance} exports, and all of them are used up.`;
}
