import type { Project } from 'clip-kit/contract';
import type { ProjectRow } from '../db/schema.ts';

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
