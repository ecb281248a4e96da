import type { Context, Hono } from 'hono';
import type { ServiceContext } from '../context.ts';
import { deleteProject } from '../tasks/deletion-queries.ts';
import { findFolder, findProject, listProjects } from './queries.ts';
import { projectObject } from './project-object.ts';
import { json } from '../http/json.ts';
import { methods, type AppEnv } from '../http/methods.ts';
import { ApiError } from '../http/problem.ts';
import { createClip } from './own-clip-routes.ts';

/** Sections 4.4 and 4.5. One path serves a folder and a project without one; the id says which. */
export function projectRoutes(
  app: Hono<AppEnv>,
  service: Pick<ServiceContext, 'changes' | 'db' | 'publicUrl'> & Parameters<typeof createClip>[0],
): void {
  /** Without its folder in the address, a clip must be in none, as where it is read. */
  const remove = async (c: Context<AppEnv>, id: string, folderId: string | null) => {
    const userId = c.get('user').id;
    const project = await findProject(service.db, userId, id, folderId);
    const deleted = project && (await deleteProject(service.db, userId, id));
    if (!deleted) throw new ApiError('clip-not-found', 'There is no such project.');
    service.changes.deleted();
    return c.body(null, 204);
  };
  methods(app, '/projects/:id', {
    DELETE: (c) => remove(c, c.req.param('id') ?? '', null),
    POST: (c) => createClip(service, c),
    GET: async (c) => {
      const id = c.req.param('id') ?? '';
      const userId = c.get('user').id;
      if (await findFolder(service.db, userId, id)) {
        const projects = await listProjects(service.db, id);
        return json(projects.map((row) => projectObject(row, service.publicUrl())));
      }
      const project = await findProject(service.db, userId, id, null);
      if (project) return json(projectObject(project, service.publicUrl()));
      const inside = await findProject(service.db, userId, id);
      throw new ApiError(
        'clip-not-found',
        inside
          ? `This project is in a folder: read it at /projects/${inside.folder_id}/${id}.`
          : 'There is no such folder or project.',
      );
    },
  });
  methods(app, '/projects/:folder_id/:project_id', {
    GET: async (c) => {
      const { folder_id: folderId = '', project_id: id = '' } = c.req.param();
      const project = await findProject(service.db, c.get('user').id, id, folderId);
      if (!project)
        throw new ApiError('clip-not-found', 'There is no such project in this folder.');
      return json(projectObject(project, service.publicUrl()));
    },
    DELETE: (c) => remove(c, c.req.param('project_id') ?? '', c.req.param('folder_id') ?? ''),
  });
}
