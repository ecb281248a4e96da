import { tokenRequestSchema, type Permission } from 'clip-kit/contract';
import { parseOrRefuse, makeUpstreamProblem } from '../http/host-problem.ts';
import { readJson } from '../http/json-body.ts';
import type { Session } from '../sessions/sessions.ts';
import { makeJsonResponse, type Answer } from './route-context.ts';

/**
 * `POST /token`. With `Cache-Control: no-cache`, which the elements send when they renew, it never
 * returns a cached token.
 */
export const issueToken: Answer = async (context) => {
  const { request, hostUser, session, tokens } = context;
  parseOrRefuse(tokenRequestSchema, await readJson(request));
  // Without the clip that the page names: the token opens all clips of the user.
  await context.allow('token');
  try {
    const fresh = /\bno-cache\b/i.test(request.headers.get('Cache-Control') ?? '');
    const wanted = {
      allowed: session && choosePermissions(session),
      editor: await context.readEditorLimits(),
    };
    return makeJsonResponse(await tokens.tokenOf(hostUser, wanted, fresh));
  } catch (cause) {
    throw makeUpstreamProblem(cause, 'user');
  }
};

/**
 * Returns the permissions of a session in the service's own pages; null for all, which every
 * service gives. Not exports if they are limited: those pages count none.
 */
function choosePermissions({ permissions, exportsPerDay }: Session): Permission[] | null {
  const all = ['view', 'edit', 'export'] as const;
  const allowed = all.filter(
    (one) => permissions.has(one) && (one !== 'export' || exportsPerDay === null),
  );
  return allowed.length < all.length ? allowed : null;
}
