import { tokenRequestSchema } from 'clip-kit/contract';
import { parsedOrRefused } from '../http/host-problem.ts';
import { readJson } from '../http/json-body.ts';
import { jsonResponse, type Answer } from './route-context.ts';
import { upstreamProblem } from '../http/upstream-problem.ts';

/**
 * `POST /token`. With `Cache-Control: no-cache`, which the elements send when they renew, it never
 * returns a cached token.
 */
export const issueToken: Answer<'request' | 'hostUser' | 'tokens' | 'allow'> = async ({
  request,
  hostUser,
  tokens,
  allow,
}) => {
  parsedOrRefused(tokenRequestSchema, await readJson(request));
  // Without the clip that the page names: the token opens all clips of the user.
  await allow('token');
  try {
    const fresh = /\bno-cache\b/i.test(request.headers.get('Cache-Control') ?? '');
    return jsonResponse(await tokens.tokenOf(hostUser, fresh));
  } catch (cause) {
    throw upstreamProblem(cause, 'user');
  }
};
