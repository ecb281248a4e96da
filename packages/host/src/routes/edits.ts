import {
  type EditDocument,
  editPatchSchema,
  emptyBodySchema,
  newClipSchema,
} from 'clip-kit/contract';
import { HostProblem, makeUpstreamProblem, parseOrRefuse } from '../http/host-problem.ts';
import {
  folderQuerySchema,
  optionalFolderQuerySchema,
  readJson,
  readQuery,
} from '../http/json-body.ts';
import {
  type Answer,
  readAttemptKey,
  makeJsonResponse,
  requireWithinLimits,
  type RouteContext,
} from './route-context.ts';

type Reading = 'allow' | 'callService' | 'ids' | 'service' | 'url';

/** Checks the policy for the user's action, then calls the service for the user. */
async function ask<T>(
  { allow, callService }: Pick<RouteContext, 'allow' | 'callService'>,
  action: 'edit' | 'read',
  projectId: string | null,
  folderId: string | undefined,
  call: (options: { onBehalfOf: string }) => Promise<T>,
): Promise<T> {
  await allow(action, projectId, folderId);
  return callService('clip', (onBehalfOf) => call({ onBehalfOf }));
}

/** `GET /projects?folder_id=` */
export const listProjects: Answer<Reading> = async (context) => {
  const { folder_id } = readQuery(context.url, folderQuerySchema);
  return makeJsonResponse(
    await ask(context, 'read', null, folder_id, (options) =>
      context.service.listProjects(folder_id, options),
    ),
  );
};

/** `GET /projects/{project_id}?folder_id=` */
export const readProject: Answer<Reading> = async (context) => {
  const [projectId = ''] = context.ids;
  const { folder_id } = readQuery(context.url, optionalFolderQuerySchema);
  return makeJsonResponse(
    await ask(context, 'read', projectId, folder_id, (options) =>
      context.service.getProject({ projectId, folderId: folder_id ?? null }, options),
    ),
  );
};

/** `GET /projects/{project_id}/allowance?folder_id=` */
export const readAllowance: Answer<Reading> = async (context) => {
  const [projectId = ''] = context.ids;
  const { folder_id } = readQuery(context.url, optionalFolderQuerySchema);
  return makeJsonResponse(
    await ask(context, 'read', projectId, folder_id, (options) =>
      context.service.getAllowance(projectId, options),
    ),
  );
};

/**
 * `POST /projects/{project_id}/links?folder_id=`: the addresses of a clip of the user, or of one
 * that the site lets the user watch.
 */
export const createLinks: Answer<Reading | 'mayWatch' | 'request'> = async (context) => {
  const { allow, callService, ids, mayWatch, request, service, url } = context;
  const [projectId = ''] = ids;
  const { folder_id = null } = readQuery(url, optionalFolderQuerySchema);
  parseOrRefuse(emptyBodySchema, await readJson(request));
  const asked = await allow('read', projectId, folder_id);
  const isShared = (await mayWatch?.(asked)) === true;
  try {
    return makeJsonResponse(
      isShared
        ? await service.createLinks(projectId)
        : await callService('clip', (onBehalfOf) => service.createLinks(projectId, { onBehalfOf })),
    );
  } catch (cause) {
    throw makeUpstreamProblem(cause, 'clip');
  }
};

type Editing = Reading | 'readEditorLimits' | 'request';

/** The revision that the page has read. Throws 428 without one, and 400. */
function readExpectedRevision(request: Request): number {
  const tag = request.headers.get('If-Match');
  if (tag === null) {
    throw new HostProblem('revision-missing', {
      detail: 'Send the ETag of the edit that you read as If-Match.',
    });
  }
  // Servers between may have made it weak.
  const [, digits] = /^(?:W\/)?"(\d{1,9})"$/.exec(tag.trim()) ?? [];
  if (digits !== undefined) return Number(digits);
  const message = 'must be the ETag of the edit, such as "7"';
  throw new HostProblem('invalid-request', {
    detail: `If-Match ${message}.`,
    errors: [{ path: 'If-Match', message }],
  });
}

const editResponse = (edit: EditDocument): Response =>
  makeJsonResponse(edit, 200, { ETag: `"${edit.revision}"` });

/** `GET /projects/{project_id}/edit` */
export const readEdit: Answer<Editing> = async (context) => {
  const { url, ids, service } = context;
  const [projectId = ''] = ids;
  const { folder_id } = readQuery(url, optionalFolderQuerySchema);
  return editResponse(
    await ask(context, 'edit', projectId, folder_id, (options) =>
      service.getEdit(projectId, options),
    ),
  );
};

/** `PATCH /projects/{project_id}/edit` */
export const changeEdit: Answer<Editing> = async (context) => {
  const { request, url, ids, service } = context;
  const [projectId = ''] = ids;
  const { folder_id } = readQuery(url, optionalFolderQuerySchema);
  const revision = readExpectedRevision(request);
  const { changes } = parseOrRefuse(editPatchSchema, await readJson(request));
  return editResponse(
    await ask(context, 'edit', projectId, folder_id, async (options) => {
      requireWithinLimits(await context.readEditorLimits(), changes);
      return service.changeEdit(projectId, revision, changes, options);
    }),
  );
};

/** `POST /projects/{folder_id}`: the service makes nothing twice for a key. */
export const createClip: Answer<Editing> = async (context) => {
  const { request, ids, service } = context;
  const [folderId = ''] = ids;
  const idempotencyKey = readAttemptKey(request);
  const body = parseOrRefuse(newClipSchema, await readJson(request));
  const made = await ask(context, 'edit', null, folderId, async (options) => {
    requireWithinLimits(await context.readEditorLimits(), body);
    return service.createClip(folderId, body, { ...options, idempotencyKey });
  });
  return makeJsonResponse(made, 201);
};

/** `POST /projects/{project_id}/copy`: the service makes nothing twice for a key. */
export const copyClip: Answer<Editing> = async (context) => {
  const { request, url, ids, service } = context;
  const [projectId = ''] = ids;
  const { folder_id } = readQuery(url, optionalFolderQuerySchema);
  const idempotencyKey = readAttemptKey(request);
  parseOrRefuse(emptyBodySchema, await readJson(request));
  const made = await ask(context, 'edit', projectId, folder_id, (options) =>
    service.copyClip(projectId, { ...options, idempotencyKey }),
  );
  return makeJsonResponse(made, 201);
};
