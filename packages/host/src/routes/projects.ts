import { folderQuerySchema, optionalFolderQuerySchema, readQuery } from '../http/query.ts';
import { jsonResponse, type Answer } from './route-context.ts';
import { upstreamProblem } from '../http/upstream-problem.ts';

type Listing = 'allow' | 'hostUser' | 'service' | 'url' | 'users';

/** `GET /projects?folder_id=` */
export const listProjects: Answer<Listing> = async ({ url, hostUser, users, service, allow }) => {
  const { folder_id } = readQuery(url, folderQuerySchema);
  await allow('read', null, folder_id);
  try {
    const projects = await users.with(hostUser, (onBehalfOf) =>
      service.listProjects(folder_id, { onBehalfOf }),
    );
    return jsonResponse(projects);
  } catch (cause) {
    throw upstreamProblem(cause, 'clip');
  }
};

/** `GET /projects/{project_id}?folder_id=` */
export const readProject: Answer<Listing | 'ids'> = async ({
  url,
  ids: [projectId = ''],
  hostUser,
  users,
  service,
  allow,
}) => {
  const { folder_id } = readQuery(url, optionalFolderQuerySchema);
  await allow('read', projectId, folder_id);
  try {
    const project = await users.with(hostUser, (onBehalfOf) =>
      service.getProject({ projectId, folderId: folder_id ?? null }, { onBehalfOf }),
    );
    return jsonResponse(project);
  } catch (cause) {
    throw upstreamProblem(cause, 'clip');
  }
};
