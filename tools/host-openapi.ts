/** The host contract as OpenAPI 3.1, from what stands beside the routes of the host. */
import * as contract from 'clip-kit/contract';
import { routes } from '../packages/host/src/routes/routes.ts';
import { openApi } from '../packages/service/src/api/openapi.ts';

const meanings: Readonly<Record<contract.ProblemCode, string>> = {
  'invalid-request': 'the body, the query or a header is not valid; `errors` names each field',
  unauthenticated: 'nobody is logged in',
  'session-expired': 'the session has ended; the site signs a new one',
  'session-refused': 'the session is not accepted; `detail` says what is wrong with it',
  'export-limit': 'the plan allows no more exports, or is paused or past due',
  forbidden: 'logged in, but not allowed; also a request from another site’s page',
  'clip-not-found': 'no clip of this user',
  'export-not-found': 'no export of this user',
  'endpoint-not-found': 'no such path; `detail` says where the host is mounted',
  'not-found': 'no task of this user',
  'upload-not-found': 'the upload does not exist, belongs to another user, or has expired',
  'method-not-allowed': 'the path exists with another method',
  'account-changed': 'the page shows another account than the one that is signed in',
  'attempt-mismatch': 'the attempt key was used with another body',
  'in-progress': 'the start may still be carried out; repeat the request after `Retry-After`',
  'outcome-unknown':
    'the service cannot say whether it has carried the start out; ask a person whether to repeat it',
  'revision-changed': 'somebody else has changed the clip since the page has read it',
  'body-too-large': 'the body is over 64 kB; of views, over 16 kB',
  'upload-too-large': 'the file is larger than the service or the site takes; nothing was sent',
  'unsupported-media-type': 'the body is not sent as application/json',
  unprocessable:
    'the service cannot do what was requested; `errors` names the fields that it reported',
  'revision-missing': 'the request has no `If-Match`',
  'rate-limited': 'too many requests; `Retry-After` says when to try again',
  'internal-error': 'the host failed',
  'not-supported': 'this host, or the service behind it, does not do this',
  'service-error': 'the service failed, or its answer was not valid',
  'service-unavailable': 'the service cannot be reached, or is not ready',
  'service-timeout': 'the service did not answer in time',
  'storage-full': 'the service has no space',
};

const always: readonly contract.ProblemCode[] = [
  ...(['invalid-request', 'forbidden', 'rate-limited', 'internal-error'] as const),
  ...(['service-error', 'service-unavailable', 'service-timeout'] as const),
];
const ofUsers: readonly contract.ProblemCode[] = [
  ...(['unauthenticated', 'session-expired', 'session-refused', 'account-changed'] as const),
];

const { attemptKeySchema, maxWaitSeconds } = contract;
const key = {
  description: 'The attempt key, kept for at least 24 hours',
  schema: attemptKeySchema,
};

const headers = {
  'Clip-Account': {
    description:
      'The tag of the account that the page shows, from an earlier answer. 409 if another one is signed in',
  },
  'Cache-Control': { description: '`no-cache` asks for a new token, not for a cached one' },
  'Idempotency-Key': { ...key, required: true },
  'Idempotency-Key?': { ...key, name: 'Idempotency-Key' },
  'If-Match': { description: 'The revision, such as `"7"`', required: true },
  'If-Range': { description: 'The `ETag` of the part that is there' },
  Prefer: {
    description: `\`wait=N\` (RFC 7240) holds the answer until something has changed, for N seconds, at most ${maxWaitSeconds}. A host may ignore it.`,
  },
  Range: {
    description: 'The part that is missing, to resume a download. A host may send the whole file',
  },
  'Tus-Resumable': { description: '`1.0.0`', required: true },
  'Upload-Offset': { description: 'Where the bytes belong', required: true },
};

const answerHeaders = {
  'Accept-Ranges': { description: '`bytes` if a part can be asked for' },
  'Content-Disposition': {
    description: 'Saves the file under its name; `filename*` has letters of every language',
    required: true,
  },
  'Content-Range': { description: 'Which part it is', required: true },
  ETag: { description: 'The revision', required: true },
  'Idempotency-Key': {
    description:
      'With `attempt`: that key, from a host that stores keys. `[]` then means that nothing was started, and the key may be sent again. Believe it for 23 hours after the key was last sent',
    schema: attemptKeySchema,
  },
  Link: {
    description: '`<…>; rel="next"` with the address of the next page, if there is one',
  },
  Location: { description: 'Where the file is', required: true },
  'Preference-Applied': { description: '`wait=N`, if the host holds answers' },
  'Retry-After': { description: 'Seconds to wait', required: true },
  'Upload-Offset': { description: 'Bytes that have arrived', required: true },
};

/** The call that needs no user, and takes JSON under any type, has no route of its own. */
const views = {
  method: 'POST',
  path: '/views',
  description: {
    id: 'sendViews',
    summary: 'What visitors have watched',
    details:
      'From pages that set `views`. No user need be signed in, and no cookie or session is read. Pages send it as `text/plain`, as `navigator.sendBeacon` does, and read no answer.',
    body: contract.viewsRequestSchema,
    answers: { 204: ['It is taken'] as const },
    errors: ['not-supported'] as const,
  },
};

export const hostOpenApi = (version: string): object => ({
  openapi: '3.1.0',
  info: {
    title: 'Clip host',
    version,
    description:
      'What the backend of a page answers to the elements of clip-kit. Every answer has `Cache-Control: no-store`. Requests by POST, PATCH and DELETE are refused unless they come from a page of the same site or of one that the host lists.',
  },
  servers: [{ url: '{endpoint}', variables: { endpoint: { default: '/clips' } } }],
  security: [{ session: [] }, { cookie: [] }],
  ...openApi<contract.ProblemCode>([...routes, views], {
    schemas: contract,
    headers,
    answerHeaders,
    statuses: contract.problemStatuses,
    meanings,
    securitySchemes: {
      session: {
        type: 'http',
        scheme: 'bearer',
        bearerFormat: 'JWT',
        description: 'A session that the site signs: docs/sign-in.md',
      },
      cookie: {
        type: 'apiKey',
        in: 'cookie',
        name: 'session',
        description: 'The site’s own login; its cookie may have any name',
      },
    },
    common: ({ path, description: { body } }) =>
      path === '/views'
        ? { headers: [], errors: [...always, 'body-too-large'] }
        : {
            headers: ['Clip-Account'],
            errors: [
              ...always,
              ...ofUsers,
              ...(body ? (['body-too-large', 'unsupported-media-type'] as const) : []),
            ],
          },
  }),
});
