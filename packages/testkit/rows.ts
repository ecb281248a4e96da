import { randomUUID } from 'node:crypto';
import { ensureFirstOrganization } from '../service/src/users/queries.ts';
import type { Db } from '../service/src/db/schema.ts';
import { noInputs, spanEdit } from './span-edit.ts';

/**
 * A project of a user; if nothing is said, of the first organization's owner. In the database only:
 * nothing can be rendered.
 */
export interface Library {
  userId: string;
  organizationId: string;
  taskId: string;
  projectId: string;
}

/**
 * A ready task with a project, for rows that no job works on. `renderable`: it has a source, but no
 * file of it.
 */
export async function insertLibrary(
  db: Db,
  whose: {
    organizationId?: string | undefined;
    userId?: string | undefined;
    folderId?: string;
    renderable?: boolean;
  } = {},
): Promise<Library> {
  await ensureFirstOrganization(db, []);
  const user = await db
    .selectFrom('users')
    .selectAll()
    .$if(whose.organizationId !== undefined, (users) =>
      users.where('organization_id', '=', whose.organizationId!),
    )
    .$if(whose.userId !== undefined, (users) => users.where('id', '=', whose.userId!))
    .orderBy('created_at')
    .executeTakeFirstOrThrow();
  const [taskId, projectId] = [randomUUID(), randomUUID()];
  const source_video_url = 'https://example.com/a.mp4';
  const request = { type: 'video-to-video', name: 'clip', source_video_url };
  await db
    .insertInto('tasks')
    .values({
      id: taskId,
      type: 'video-to-video',
      author_id: user.id,
      request: JSON.stringify(request),
      output_type: whose.folderId === undefined ? 'project' : 'folder',
      output_id: whose.folderId ?? projectId,
      ...(whose.renderable && { source: JSON.stringify({ bytes: 1000, media: { duration: 5 } }) }),
      status: 'ready',
      stage: 'preview',
      share: 1,
      scanned: true,
      finished_at: new Date(),
    })
    .execute();
  if (whose.folderId !== undefined) {
    const folder = { id: whose.folderId, author_id: user.id, task_id: taskId, name: 'clips' };
    await db.insertInto('folders').values(folder).execute();
  }
  await db
    .insertInto('projects')
    .values({
      id: projectId,
      author_id: user.id,
      task_id: taskId,
      folder_id: whose.folderId ?? null,
      position: 0,
      name: 'clip',
      edit: JSON.stringify(spanEdit(0, 5)),
      preview: 'ready',
      preview_key: `previews/${projectId}/1-a.mp4`,
      poster_key: `previews/${projectId}/1-a.jpg`,
      notes: '[]',
    })
    .execute();
  await db
    .insertInto('edits')
    .values({ project_id: projectId, inputs: JSON.stringify(noInputs) })
    .execute();
  return { userId: user.id, organizationId: user.organization_id, taskId, projectId };
}

/** Exports that are being processed, without jobs. */
export async function insertExports(db: Db, library: Library, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomUUID());
  await db
    .insertInto('exports')
    .values(
      ids.map((id) => ({
        id,
        organization_id: library.organizationId,
        author_id: library.userId,
        project_id: library.projectId,
        folder_id: null,
        name: 'clip',
        duration: 5,
        edit: JSON.stringify(spanEdit(0, 5)),
        status: 'processing' as const,
        stage: 'render',
        share: 0,
        estimated_ready_at: new Date(Date.now() + 60_000),
      })),
    )
    .execute();
  return ids;
}

export const settleExport = (db: Db, id: string): Promise<unknown> =>
  db
    .updateTable('exports')
    .set({ status: 'ready', file_key: `exports/${id}/1-a.mp4`, finished_at: new Date() })
    .where('id', '=', id)
    .execute();
