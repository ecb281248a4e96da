import * as contract from 'clip-kit/contract';
import * as appearance from '../appearance/rules.ts';
import { meanings } from '../api-error.ts';
import { listDescribedCalls } from './describe.ts';
import { openApi } from './openapi.ts';
import { statuses } from './problem.ts';

const headers = {
  Prefer: {
    description:
      '`wait=N` (RFC 7240): hold the answer up to N seconds (25 at most) until the status changes',
  },
  'Idempotency-Key': {
    description:
      'A new key for each request. The same request with the same key returns the same result for a day',
    schema: contract.attemptKeySchema,
  },
  'If-Match': {
    description: 'The `ETag` of the edit that was read, or `*` for any',
    required: true,
  },
  'X-On-Behalf-Of': { description: 'Id of the managed user on whose behalf the call is made' },
};

/** The API in OpenAPI 3.1, from what stands beside its routes. */
export const describeApi = (
  routes: readonly { method: string; path: string; handler: object }[],
): object => ({
  openapi: '3.1.0',
  info: {
    title: 'Clip service',
    version: '2',
    description:
      'A number in a summary is the section of the specification. Calls without one are not in it.',
  },
  security: [{ apiKey: [] }],
  ...openApi(listDescribedCalls(routes), {
    schemas: { ...contract, ...appearance },
    headers,
    answerHeaders: { 'Retry-After': { description: 'Seconds to wait' } },
    statuses,
    meanings,
    securitySchemes: { apiKey: { type: 'http', scheme: 'bearer' } },
    common: ({ path, description: { body } }) => ({
      headers: path.startsWith('/users') ? [] : ['X-On-Behalf-Of'],
      errors: [
        ...(['invalid-request', 'unauthenticated', 'forbidden', 'rate-limited'] as const),
        ...(['internal-error', 'service-unavailable'] as const),
        // Of an id that no text of the database can be.
        ...(path.includes(':') ? (['not-found'] as const) : []),
        ...(body ? (['body-too-large', 'unsupported-media-type'] as const) : []),
      ],
    }),
  }),
});
