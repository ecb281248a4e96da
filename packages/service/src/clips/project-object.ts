import type { Project } from 'clip-kit/contract';
import type { ProjectRow } from '../db/schema.ts';

/** Project Object (2.2), and what a page needs to show the clip: its poster, size and length. */
export const projectObject = (row: ProjectRow, publicUrl: string): Project => ({
  id: row.id,
  author_id: row.author_id,
  folder_id: row.folder_id,
  name: row.name,
  created_at: row.created_at.toISOString(),
  virality_score: row.virality_score,
  virality_score_explanation: row.virality_score_explanation,
  notes: row.notes ?? [],
  poster_url: `${publicUrl}/player/${row.id}/poster.jpg`,
  ...row.edit.dimensions,
  duration: row.edit.duration,
  revision: row.revision,
});
