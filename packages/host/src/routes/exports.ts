import {
  exportFilterSchema,
  hostStartExportSchema,
  idSchema,
  waitSeconds,
} from 'clip-kit/contract';
import { type Answer, makeJsonResponse, readStart, requireWithinLimits } from './route-context.ts';
import { ExportCall } from '../exports/export-call.ts';
import { HostProblem, parseOrRefuse } from '../http/host-problem.ts';
import { clipQuerySchema, readQuery } from '../http/json-body.ts';
import { checkOptions } from '../policy.ts';

/** Maximum number of exports that one request may ask for by id. */
const maxIds = 200;

/** `POST /exports` */
export const startExport: Answer = async (context) => {
  const { request, hostUser, starts, audit } = context;
  const { asked: given, ...attempt } = await readStart(request);
  const body = parseOrRefuse(hostStartExportSchema, given);
  const ask = await context.allow('export', body.project_id, body.folder_id);
  const { watermark, preset_id } = body;
  if (preset_id) requireWithinLimits(await context.readEditorLimits(), { preset_id });
  const asked = { ...(watermark && { watermark }), ...(preset_id && { preset_id }) };
  const options = context.exportOptions
    ? checkOptions(await context.exportOptions(asked, ask), body)
    : asked;
  const call = new ExportCall(context, body, options);
  const { value, replayed } = await starts.start(hostUser, attempt, call, () =>
    context.pay('export'),
  );
  audit.note({ exportId: value.id, replayed });
  return makeJsonResponse(value, replayed ? 200 : 201);
};

/** `GET /exports/{export_id}` */
export const readExport: Answer = async ({ url, ids: [id = ''], variant, allow, callService }) => {
  const { project_id: projectId, folder_id: folderId = null } = readQuery(url, clipQuerySchema);
  await allow('read', projectId, folderId);
  return makeJsonResponse(
    await callService('export', (onBehalfOf) =>
      variant.getExport({ projectId, folderId }, id, { onBehalfOf }),
    ),
  );
};

/** `GET /exports` in its two forms: by `id`, or by `folder_id` and `project_id`. */
export const readExports: Answer = async (context) => {
  const { request, url, callService, service, watch } = context;
  const { searchParams } = url;
  await context.allow('read', searchParams.get('project_id'), searchParams.get('folder_id'));
  if (!searchParams.has('id')) {
    const filter = readQuery(url, exportFilterSchema);
    const { signal } = request;
    return makeJsonResponse(
      await callService('export', (onBehalfOf) =>
        service.listExports(filter, { onBehalfOf, signal }),
      ),
    );
  }
  const ids = readIds(url);
  const seconds = waitSeconds(request.headers.get('Prefer'));
  const { exports, held } = await callService('export', (managedUser) =>
    watch.watch(managedUser, ids, seconds * 1000, request),
  );
  // Also sent when a settled export ended the hold at once, so that the page knows that this host
  // can hold. Not sent when nothing was found or held: the page would then ask again without a
  // pause.
  const applied = held && exports.length > 0;
  return makeJsonResponse(exports, 200, applied ? { 'Preference-Applied': `wait=${seconds}` } : {});
};

function readIds(url: URL): string[] {
  for (const name of new Set(url.searchParams.keys())) {
    if (name !== 'id') {
      throw new HostProblem('invalid-request', {
        errors: [{ path: name, message: 'cannot be combined with id' }],
      });
    }
  }
  const ids = [...new Set(url.searchParams.getAll('id'))];
  if (ids.length > maxIds || ids.some((id) => !idSchema.safeParse(id).success)) {
    throw new HostProblem('invalid-request', {
      errors: [{ path: 'id', message: `must be 1 to ${maxIds} ids` }],
    });
  }
  return ids;
}
