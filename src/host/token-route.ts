import { tokenRequestSchema } from '../contract/host.ts';
import { parsedOrRefused } from './host-problem.ts';
import { readJson } from './json-body.ts';
import { jsonResponse, type Answer } from './route-context.ts';
import { upstreamProblem } from './upstream-problem.ts';

/** `POST /token` */
export const issueToken: Answer = async ({ request, hostUser, tokens }) => {
  parsedOrRefused(tokenRequestSchema, await readJson(request));
  try {
    return jsonResponse(await tokens.tokenOf(hostUser));
  } catch (cause) {
    throw upstreamProblem(cause, 'user');
  }
};
