import { newShareSchema } from 'clip-kit/contract';
import { answerHeaders, HostProblem, parseOrRefuse } from '../http/host-problem.ts';
import { readJson } from '../http/json-body.ts';
import { type Answer, makeJsonResponse, type RouteContext } from './route-context.ts';

/** Calls the service for the user, where the site lets the user share. Throws 403. */
async function share<T>(
  { allow, callService, ids: [id = ''], mayShare, session }: RouteContext,
  call: (id: string, options: { onBehalfOf: string }) => Promise<T>,
): Promise<T> {
  const asked = await allow('share', id);
  // A session names the permission itself.
  if (!(mayShare ? await mayShare(asked) : session)) {
    throw new HostProblem('forbidden', {
      detail: 'Clips of this site cannot be shared by a link.',
    });
  }
  return callService('clip', (onBehalfOf) => call(id, { onBehalfOf }));
}

/** `POST /projects/{project_id}/shares` */
export const createShare: Answer = async (context) => {
  const asked = parseOrRefuse(newShareSchema, await readJson(context.request));
  const { service } = context;
  const made = await share(context, (id, options) =>
    service.createShare(id, { ...options, ...asked }),
  );
  return makeJsonResponse(made, 201);
};

/** `GET /projects/{project_id}/shares` */
export const listShares: Answer = async (context) =>
  makeJsonResponse(await share(context, (id, options) => context.service.listShares(id, options)));

/** `DELETE /projects/{project_id}/shares/{share_id}` */
export const revokeShare: Answer = async (context) => {
  const [, shareId = ''] = context.ids;
  await share(context, (id, options) => context.service.revokeShare(id, shareId, options));
  return new Response(null, { status: 204, headers: answerHeaders });
};
