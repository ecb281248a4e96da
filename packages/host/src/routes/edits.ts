import {
  type EditDocument,
  editPatchSchema,
  emptyBodySchema,
  newClipSchema,
} from 'clip-kit/contract';
import { HostProblem, parseOrRefuse } from '../http/host-problem.ts';
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

/** Checks the policy for the user's action, then calls the service for the user. */
async function ask<T>(
  { allow, callService }: RouteContext,
  action: 'edit' | 'read',
  { projectId, folderId }: { projectId: string | null; folderId: string | null },
  call: (options: { onBehalfOf: string }) => Promise<T>,
): Promise<T> {
  await allow(action, projectId, folderId);
  return callService('clip', (onBehalfOf) => call({ onBehalfOf }));
}

/** Reads which clip a request names in its path and query. */
function readClip({ ids: [projectId = ''], url }: RouteContext) {
  const { folder_id: folderId = null } = readQuery(url, optionalFolderQuerySchema);
  return { projectId, folderId };
}

/** `GET /projects?folder_id=` */
export const listProjects: Answer = async (context) => {
  const { folder_id: folderId } = readQuery(context.url, folderQuerySchema);
  return makeJsonResponse(
    await ask(context, 'read', { projectId: null, folderId }, (options) =>
      context.service.listProjects(folderId, options),
    ),
  );
};

/** `GET /projects/{project_id}?folder_id=` */
export const readProject: Answer = async (context) => {
  const clip = readClip(context);
  return makeJsonResponse(
    await ask(context, 'read', clip, (options) => context.service.getProject(clip, options)),
  );
};

/** `GET /projects/{project_id}/allowance?folder_id=` */
export const readAllowance: Answer = async (context) => {
  const clip = readClip(context);
  return makeJsonResponse(
    await ask(context, 'read', clip, (options) =>
      context.service.getAllowance(clip.projectId, options),
    ),
  );
};

/**
 * `POST /projects/{project_id}/links?folder_id=`: the addresses of a clip of the user, or of one
 * that the site lets the user watch.
 */
export const createLinks: Answer = async (context) => {
  const { allow, callService, mayWatch, request, service } = context;
  const { projectId, folderId } = readClip(context);
  parseOrRefuse(emptyBodySchema, await readJson(request));
  const asked = await allow('read', projectId, folderId);
  const isShared = (await mayWatch?.(asked)) === true;
  return makeJsonResponse(
    isShared
      ? await service.createLinks(projectId)
      : await callService('clip', (onBehalfOf) => service.createLinks(projectId, { onBehalfOf })),
  );
};

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
export const readEdit: Answer = async (context) => {
  const clip = readClip(context);
  return editResponse(
    await ask(context, 'edit', clip, (options) => context.service.getEdit(clip.projectId, options)),
  );
};

/** `PATCH /projects/{project_id}/edit` */
export const changeEdit: Answer = async (context) => {
  const { request, service } = context;
  const clip = readClip(context);
  const revision = readExpectedRevision(request);
  const { changes } = parseOrRefuse(editPatchSchema, await readJson(request));
  return editResponse(
    await ask(context, 'edit', clip, async (options) => {
      requireWithinLimits(await context.readEditorLimits(), changes);
      return service.changeEdit(clip.projectId, revision, changes, options);
    }),
  );
};

/** `POST /projects/{folder_id}`: the service makes nothing twice for a key. */
export const createClip: Answer = async (context) => {
  const { request, ids, service } = context;
  const [folderId = ''] = ids;
  const idempotencyKey = readAttemptKey(request);
  const body = parseOrRefuse(newClipSchema, await readJson(request));
  const made = await ask(context, 'edit', { projectId: null, folderId }, async (options) => {
    requireWithinLimits(await context.readEditorLimits(), body);
    return service.createClip(folderId, body, { ...options, idempotencyKey });
  });
  return makeJsonResponse(made, 201);
};

/** `POST /projects/{project_id}/copy`: the service makes nothing twice for a key. */
export const copyClip: Answer = async (context) => {
  const { request, service } = context;
  const clip = readClip(context);
  const idempotencyKey = readAttemptKey(request);
  parseOrRefuse(emptyBodySchema, await readJson(request));
  const made = await ask(context, 'edit', clip, (options) =>
    service.copyClip(clip.projectId, { ...options, idempotencyKey }),
  );
  return makeJsonResponse(made, 201);
};
