/** The host contract as OpenAPI 3.1, generated from the schemas that the host uses. */
import {
  allowanceSchema,
  clipLinksSchema,
  attemptKeySchema,
  downloadAddressSchema,
  downloadRequestSchema,
  editDocumentSchema,
  editPatchSchema,
  emptyBodySchema,
  exportSchema,
  hostStartExportSchema,
  idSchema,
  maxWaitSeconds,
  newClipSchema,
  newUploadSchema,
  problemSchema,
  problemStatuses,
  projectSchema,
  taskSchema,
  taskMoreSchema,
  taskWordsSchema,
  tokenAnswerSchema,
  tokenRequestSchema,
  uploadSchema,
  videoToShortsRequestSchema,
  videoToVideoRequestSchema,
  viewsRequestSchema,
  type ProblemCode,
} from '../../src/contract/index.ts';
import {
  inHeader,
  inQuery,
  listOf,
  one,
  paths,
  reference,
  schemaOf,
  type Call,
  type Calls,
  type Json,
} from './document.ts';

const meaning: Readonly<Record<ProblemCode, string>> = {
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
  'upload-not-found': 'no upload of this user, or its day is over',
  'method-not-allowed': 'the path exists with another method',
  'account-changed': 'the page shows another account than the one that is signed in',
  'attempt-mismatch': 'the attempt key was used with another body',
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

const always: readonly ProblemCode[] = [
  'unauthenticated',
  'session-expired',
  'session-refused',
  'forbidden',
  'account-changed',
  'rate-limited',
  'internal-error',
  'service-error',
  'service-unavailable',
  'service-timeout',
];
/** Of the call that needs no user, and takes JSON under any type. */
const notOfViews: readonly ProblemCode[] = [
  'unauthenticated',
  'session-expired',
  'session-refused',
  'account-changed',
  'unsupported-media-type',
];
const ofBody: readonly ProblemCode[] = [
  'invalid-request',
  'body-too-large',
  'unsupported-media-type',
];

const retryAfter: Json = {
  'Retry-After': { description: 'Seconds to wait', schema: { type: 'string' } },
};

/** The responses of failures, by their codes. Each is created once. */
const failures: Record<string, Json> = {};

function failure(status: number, codes: readonly ProblemCode[]): Json {
  const name = codes.join('_or_');
  failures[name] ??= {
    description: codes.map((code) => `\`${code}\`: ${meaning[code]}`).join('; '),
    ...(status === 429 ? { headers: retryAfter } : {}),
    content: {
      'application/problem+json': {
        schema: {
          allOf: [
            reference('Problem'),
            { properties: { status: { const: status }, code: { enum: codes } } },
          ],
        },
      },
    },
  };
  return { $ref: `#/components/responses/${name}` };
}

/** One response for each status, with its possible codes. */
const problems = (codes: readonly ProblemCode[]): Json =>
  Object.fromEntries(
    [...Map.groupBy([...new Set(codes)], (code) => problemStatuses[code])]
      .toSorted(([a], [b]) => a - b)
      .map(([status, own]) => [status, failure(status, own)]),
  );

const cacheControl: Json = {
  'Cache-Control': { description: 'Always `no-store`', schema: { const: 'no-store' } },
};
const answered = (description: string, content?: Json, headers: Json = {}): Json => ({
  description,
  headers: { ...cacheControl, ...headers },
  ...(content ? { content } : {}),
});

/** For the answers about an attempt. */
const keptKey: Json = {
  description:
    'With `attempt`: that key, from a host that stores keys. `[]` then means that nothing was started, and the key may be sent again. Believe it for 23 hours after the key was last sent',
  schema: schemaOf(attemptKeySchema, 'output'),
};

/** The header that asks the host to hold the answer. */
const prefer = (what: string, until: string): Json =>
  inHeader(
    'Prefer',
    `${what} (RFC 7240) holds the answer until ${until}, for N seconds, at most ${maxWaitSeconds}. A host may ignore it.`,
    { schema: { type: 'string', examples: [`wait=${maxWaitSeconds}`] } },
  );

const preferenceApplied: Json = {
  description: '`wait=N`, if the host holds answers',
  schema: { type: 'string', pattern: '^wait=\\d+$' },
};

const idParameter = schemaOf(idSchema, 'input');
const idInQuery = (name: string, description: string, required = false): Json =>
  inQuery(name, { description, required, schema: idParameter });
const project = idInQuery('project_id', 'The clip', true);
const folder = idInQuery('folder_id', 'The clip’s folder, if it has one');

const ofDownload: readonly Json[] = [
  project,
  folder,
  inQuery('name', { description: 'What to call the file, if not like the clip' }),
  inHeader(
    'Range',
    'The part that is missing, to resume a download. A host may send the whole file',
  ),
  inHeader('If-Range', 'The `ETag` of the part that is there'),
];

const fileHeaders: Json = {
  'Content-Disposition': {
    description: 'Saves the file under its name; `filename*` has letters of every language',
    required: true,
    schema: { type: 'string', pattern: '^attachment; filename=' },
  },
  'Accept-Ranges': {
    description: '`bytes` if a part can be asked for',
    schema: { type: 'string' },
  },
  ETag: { description: 'For `If-Range`', schema: { type: 'string' } },
};

const attemptKeyHeader = inHeader(
  'Idempotency-Key',
  'The attempt key, kept for at least 24 hours',
  { required: true, schema: schemaOf(attemptKeySchema, 'input') },
);

const optionalKeyHeader = {
  ...attemptKeyHeader,
  required: false,
  description: 'Sent again with the same one within 24 hours, the service gives the same upload',
};

const tusVersion = inHeader('Tus-Resumable', '`1.0.0`', { required: true });

const tusOffset: Json = {
  'Upload-Offset': {
    description: 'Bytes that have arrived',
    required: true,
    schema: { type: 'string', pattern: '^\\d+$' },
  },
};

const editTag: Json = {
  ETag: {
    description: 'The revision',
    required: true,
    schema: { type: 'string', pattern: '^"\\d+"$' },
  },
};

const creation = (id: string, body: string, summary: string): Call<ProblemCode> => ({
  id,
  summary,
  parameters: [attemptKeyHeader],
  body: reference(body),
  success: {
    200: answered('The task that this key created before', one('Task')),
    201: answered('The task, processing', one('Task')),
  },
  failures: ['upload-not-found', 'attempt-mismatch', 'unprocessable', 'storage-full'],
});

const calls: Calls<ProblemCode> = {
  '/token': {
    post: {
      id: 'issueToken',
      summary: 'A token for the embeds of the logged-in user',
      parameters: [
        inHeader('Cache-Control', '`no-cache` asks for a new token, not for a cached one', {
          schema: { type: 'string', examples: ['no-cache'] },
        }),
      ],
      body: reference('TokenRequest'),
      success: { 200: answered('The token', one('Token')) },
      failures: [],
    },
  },
  '/exports': {
    post: {
      id: 'startExport',
      summary: 'Start a paid export, once for each attempt key',
      description:
        'Send one attempt key for each intent to pay, and the same key again if no answer came. If `unknown_outcome` is true, the start may have succeeded: ask with `GET /exports?attempt=` before you use a new key.',
      parameters: [attemptKeyHeader],
      body: reference('StartExport'),
      success: {
        200: answered('The export that this key started before', one('Export')),
        201: answered('The export', one('Export')),
      },
      failures: ['export-limit', 'clip-not-found', 'attempt-mismatch', 'unprocessable'],
    },
    get: {
      id: 'listExports',
      summary: 'Exports of the user: those with these ids, that of an attempt, or a list',
      description: '`id`, `attempt` and the pair `folder_id`, `project_id` exclude one another.',
      parameters: [
        inQuery('id', {
          description: 'Exports to watch; exports of other users are omitted',
          schema: { type: 'array', items: idParameter, minItems: 1, maxItems: 200 },
          style: 'form',
          explode: true,
        }),
        inQuery('attempt', {
          description:
            'An attempt key: an array with its one export, or `[]`. 202 and `[]` while the start is still running',
          schema: schemaOf(attemptKeySchema, 'input'),
        }),
        idInQuery('folder_id', 'Only exports of clips in this folder'),
        idInQuery('project_id', 'Only exports of this clip'),
        prefer('With `id`: `wait=N`', 'one of the exports has changed'),
      ],
      success: {
        200: answered('The exports', listOf('Export'), {
          'Preference-Applied': preferenceApplied,
          'Idempotency-Key': keptKey,
        }),
        202: answered(
          'With `attempt`: the start may still be carried out, and nothing is known yet. Ask again',
          listOf('Export'),
        ),
      },
      failures: ['invalid-request', 'export-not-found', 'attempt-mismatch'],
    },
  },
  '/exports/{export_id}': {
    get: {
      id: 'readExport',
      summary: 'An export',
      parameters: [project, folder],
      success: { 200: answered('The export', one('Export')) },
      failures: ['invalid-request', 'export-not-found'],
    },
  },
  '/exports/{export_id}/download': {
    post: {
      id: 'grantDownload',
      summary: 'An address of the file that a link can have, for users with a session',
      description:
        'A browser sends no session with a link. The address is good for ten minutes, for this file and user alone. A host whose users have a cookie answers 501.',
      body: reference('Download'),
      success: { 201: answered('The address', one('DownloadAddress')) },
      failures: ['invalid-request', 'export-not-found', 'not-supported'],
    },
    head: {
      id: 'headDownload',
      summary: 'The headers of the file (optional)',
      parameters: ofDownload,
      success: { 200: answered('They are those of `GET`', { 'video/mp4': {} }, fileHeaders) },
      failures: ['invalid-request', 'export-limit', 'export-not-found'],
    },
    get: {
      id: 'downloadExport',
      summary: 'The file of an export, as an attachment',
      parameters: ofDownload,
      success: {
        200: answered('The file', { 'video/mp4': {} }, fileHeaders),
        206: answered(
          'A part of the file',
          { 'video/mp4': {} },
          {
            ...fileHeaders,
            'Content-Range': { required: true, schema: { type: 'string' } },
          },
        ),
        302: answered(
          'To the file’s public address, if it has `Content-Disposition: attachment` there',
          undefined,
          { Location: { required: true, schema: { type: 'string', format: 'uri' } } },
        ),
        416: answered('The file does not have this range', undefined, {
          'Content-Range': { schema: { type: 'string' } },
        }),
      },
      failures: ['invalid-request', 'export-limit', 'export-not-found'],
    },
  },
  '/projects': {
    get: {
      id: 'listProjects',
      summary: 'The clips of a folder (optional)',
      parameters: [idInQuery('folder_id', 'The folder', true)],
      success: { 200: answered('The clips', listOf('Project')) },
      failures: ['invalid-request', 'clip-not-found'],
    },
  },
  '/projects/{project_id}': {
    get: {
      id: 'readProject',
      summary: 'A clip (optional)',
      parameters: [folder],
      success: { 200: answered('The clip', one('Project')) },
      failures: ['invalid-request', 'clip-not-found'],
    },
    post: {
      id: 'createClip',
      summary: 'A clip of any segment of a folder’s source (optional)',
      description: 'The id in the path is that of the folder. It costs no export.',
      parameters: [attemptKeyHeader],
      body: reference('NewClip'),
      success: { 201: answered('The clip; the same one for the same key', one('Project')) },
      failures: ['clip-not-found', 'unprocessable'],
    },
  },
  '/projects/{project_id}/copy': {
    post: {
      id: 'copyClip',
      summary: 'One more clip with the same edit (optional)',
      description: 'It costs no export.',
      parameters: [folder, attemptKeyHeader],
      body: reference('Copy'),
      success: { 201: answered('The copy; the same one for the same key', one('Project')) },
      failures: ['clip-not-found', 'unprocessable'],
    },
  },
  '/projects/{project_id}/allowance': {
    get: {
      id: 'readAllowance',
      summary: 'What an export of a clip would cost now (optional)',
      parameters: [folder],
      success: { 200: answered('The allowance', one('Allowance')) },
      failures: ['invalid-request', 'clip-not-found'],
    },
  },
  '/projects/{project_id}/links': {
    post: {
      id: 'createLinks',
      summary: 'The addresses with which a clip can be watched, signed if it is private (optional)',
      parameters: [folder],
      body: reference('Copy'),
      success: { 200: answered('The addresses', one('ClipLinks')) },
      failures: ['invalid-request', 'clip-not-found', 'body-too-large', 'unsupported-media-type'],
    },
  },
  '/projects/{project_id}/edit': {
    get: {
      id: 'readEdit',
      summary: 'What a clip shows, and what was changed of it (optional)',
      parameters: [folder],
      success: { 200: answered('The edit', one('Edit'), editTag) },
      failures: ['invalid-request', 'clip-not-found'],
    },
    patch: {
      id: 'changeEdit',
      summary: 'Change what a clip shows (optional)',
      description:
        'The `ETag` of the edit that was read goes into `If-Match`: a change of somebody else is never overwritten.',
      parameters: [folder, inHeader('If-Match', 'The revision, such as `"7"`', { required: true })],
      body: reference('EditPatch'),
      success: { 200: answered('The edit as it is now', one('Edit'), editTag) },
      failures: ['clip-not-found', 'revision-changed', 'unprocessable', 'revision-missing'],
    },
  },
  '/tasks/video-to-shorts': {
    post: creation(
      'createVideoToShorts',
      'VideoToShorts',
      'Turn a long video into clips (optional)',
    ),
  },
  '/tasks/video-to-video': {
    post: creation('createVideoToVideo', 'VideoToVideo', 'Edit a single video (optional)'),
  },
  '/tasks/{task_id}/words': {
    post: {
      ...creation(
        'addWords',
        'TaskWords',
        'The clips of a task once more, with other words (optional)',
      ),
      success: {
        200: answered('The task for which this key has asked before', one('Task')),
        201: answered('The task, processing again', one('Task')),
      },
      failures: [
        'not-found',
        'upload-not-found',
        'attempt-mismatch',
        'unprocessable',
        'storage-full',
      ],
    },
  },
  '/tasks/{task_id}/more': {
    post: {
      ...creation(
        'createMore',
        'TaskMore',
        'Further clips of the source of a task, as a new task (optional)',
      ),
      failures: ['not-found', 'attempt-mismatch', 'unprocessable', 'storage-full'],
    },
  },
  '/tasks': {
    get: {
      id: 'listTasks',
      summary: 'The tasks of the user, newest first, or that of an attempt (optional)',
      description: '`attempt` excludes `limit` and `cursor`.',
      parameters: [
        inQuery('attempt', {
          description: 'An attempt key: an array with its one task, or `[]`',
          schema: schemaOf(attemptKeySchema, 'input'),
        }),
        inQuery('limit', {
          description: 'Maximum number of items, 1 to 100; 20 if omitted',
          schema: { type: 'integer', minimum: 1, maximum: 100 },
        }),
        inQuery('cursor', {
          description: 'From the address of the next page, in the header `Link`',
          schema: { type: 'string' },
        }),
        prefer('Without `attempt`: `wait=N`', 'one of the listed tasks has changed'),
      ],
      success: {
        200: answered('The tasks', listOf('Task'), {
          'Idempotency-Key': keptKey,
          'Preference-Applied': preferenceApplied,
          Link: {
            description: '`<…>; rel="next"` with the address of the next page, if there is one',
            schema: { type: 'string', pattern: '^<.+>; rel="next"$' },
          },
        }),
        202: answered(
          'With `attempt`: the start may still be carried out, and nothing is known yet. Ask again',
          listOf('Task'),
        ),
      },
      failures: ['invalid-request', 'not-found', 'attempt-mismatch'],
    },
  },
  '/tasks/{task_id}': {
    get: {
      id: 'readTask',
      summary: 'A task (optional)',
      parameters: [
        prefer(
          '`wait=N`, or `wait=N; after="STATE"` with the status, stage and whole percent that the page knows (and the whole megabytes of a speech model that is downloaded), separated by spaces and percent-encoded,',
          'the task has another state',
        ),
      ],
      success: {
        200: answered('The task', one('Task'), { 'Preference-Applied': preferenceApplied }),
      },
      failures: ['invalid-request', 'not-found'],
    },
    delete: {
      id: 'deleteTask',
      summary: 'Delete a task with its clips (optional)',
      description: 'Where the service cannot delete, the task only leaves the list of the user.',
      success: { 204: answered('It is gone') },
      failures: ['invalid-request', 'not-found', 'not-supported'],
    },
  },
  '/views': {
    post: {
      id: 'sendViews',
      summary: 'What visitors have watched (optional)',
      description:
        'From pages that set `views`. No user need be signed in, and no cookie or session is read. Pages send it as `text/plain`, as `navigator.sendBeacon` does, and read no answer.',
      body: reference('Views'),
      success: { 204: answered('It is taken') },
      failures: ['not-supported'],
    },
  },
  '/uploads': {
    post: {
      id: 'createUpload',
      summary: 'An address that takes the bytes of a file (optional)',
      description:
        'The file goes to `url` by tus 1.0. `url` is the `source_video_url` or `subtitles_url` of a task afterwards.',
      parameters: [optionalKeyHeader],
      body: reference('NewUpload'),
      success: { 201: answered('The upload', one('Upload')) },
      failures: [
        'attempt-mismatch',
        'upload-too-large',
        'unprocessable',
        'not-supported',
        'storage-full',
      ],
    },
  },
  '/uploads/{upload_id}': {
    get: {
      id: 'readUpload',
      summary: 'How much of a file has arrived (optional)',
      success: { 200: answered('The upload', one('Upload')) },
      failures: ['invalid-request', 'upload-not-found'],
    },
    delete: {
      id: 'deleteUpload',
      summary: 'Remove what has arrived of a file (optional)',
      success: { 204: answered('It is gone') },
      failures: ['invalid-request', 'upload-not-found'],
    },
    head: {
      id: 'headUpload',
      summary: 'The offset of tus, if the bytes come by way of the host (optional)',
      parameters: [tusVersion],
      success: { 200: answered('The offset', undefined, tusOffset) },
      failures: ['invalid-request', 'upload-not-found', 'method-not-allowed'],
    },
    patch: {
      id: 'sendBytes',
      summary: 'Bytes of tus, if they come by way of the host (optional)',
      description: 'Statuses and headers are those of tus 1.0.',
      parameters: [
        tusVersion,
        inHeader('Upload-Offset', 'Where the bytes belong', { required: true }),
      ],
      success: {
        204: answered('They have arrived', undefined, tusOffset),
        409: answered('The offset is another one: ask for it. With a body: `account-changed`'),
      },
      failures: ['invalid-request', 'upload-not-found', 'method-not-allowed'],
    },
  },
};

function problem(): Json {
  const schema = schemaOf(problemSchema, 'output') as { required: string[] } & Json;
  return { ...schema, required: [...schema.required, 'status', 'code'] };
}

/** A host that does not know `expires_at` may omit it. */
const token = (): Json => ({
  ...schemaOf(tokenAnswerSchema, 'output'),
  required: ['external_access_token'],
});

export const hostOpenApi = (version: string): Json => ({
  openapi: '3.1.0',
  info: {
    title: 'Clip host',
    version,
    description:
      'What the backend of a page answers to the elements of clip-kit. Requests by POST, PATCH and DELETE are refused unless they come from a page of the same site or of one that the host lists.',
  },
  servers: [{ url: '{endpoint}', variables: { endpoint: { default: '/clips' } } }],
  security: [{ session: [] }, { cookie: [] }],
  paths: paths(calls, {
    idSchema: idParameter,
    parametersOf: (path) =>
      path === '/views'
        ? []
        : [
            inHeader(
              'Clip-Account',
              'The tag of the account that the page shows, from an earlier answer. 409 if another one is signed in',
            ),
          ],
    problemsOf: (call) => {
      const codes = [...call.failures, ...always, ...(call.body ? ofBody : [])];
      return problems(
        call.id === 'sendViews' ? codes.filter((code) => !notOfViews.includes(code)) : codes,
      );
    },
  }),
  components: {
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
    // The paths above fill this.
    responses: failures,
    schemas: {
      TokenRequest: schemaOf(tokenRequestSchema, 'input'),
      Token: token(),
      StartExport: {
        ...schemaOf(hostStartExportSchema, 'input'),
        not: { required: ['watermark', 'preset_id'] },
      },
      Export: schemaOf(exportSchema, 'output'),
      Download: schemaOf(downloadRequestSchema, 'input'),
      DownloadAddress: schemaOf(downloadAddressSchema, 'output'),
      Project: schemaOf(projectSchema, 'output'),
      Allowance: schemaOf(allowanceSchema, 'output'),
      ClipLinks: schemaOf(clipLinksSchema, 'output'),
      NewClip: schemaOf(newClipSchema, 'input'),
      Copy: schemaOf(emptyBodySchema, 'input'),
      Edit: schemaOf(editDocumentSchema, 'output'),
      EditPatch: schemaOf(editPatchSchema, 'input'),
      VideoToShorts: schemaOf(videoToShortsRequestSchema, 'input'),
      VideoToVideo: schemaOf(videoToVideoRequestSchema, 'input'),
      TaskWords: schemaOf(taskWordsSchema, 'input'),
      TaskMore: schemaOf(taskMoreSchema, 'input'),
      Task: schemaOf(taskSchema, 'output'),
      NewUpload: schemaOf(newUploadSchema, 'input'),
      Upload: schemaOf(uploadSchema, 'output'),
      Views: schemaOf(viewsRequestSchema, 'input'),
      Problem: problem(),
    },
  },
});
