import {
  accessTokenSchema,
  allowanceSchema,
  clipLinksSchema,
  editChangesSchema,
  editDocumentSchema,
  editRevisionsSchema,
  emptyBodySchema,
  exportSchema,
  newClipSchema,
  newLinksSchema,
  problemSchema,
  projectSchema,
  revertBodySchema,
  startExportBodyASchema,
  startExportBodyBSchema,
  startExportRecordSchema,
  taskSchema,
  taskMoreSchema,
  taskWordsSchema,
  newTokenSchema,
  newUploadSchema,
  uploadSchema,
  userSchema,
  videoToShortsRequestSchema,
  videoToVideoRequestSchema,
  viewBatchSchema,
  viewReportSchema,
} from '../../src/contract/index.ts';
import {
  appearanceSchema,
  fontSchema,
  newPresetSchema,
  ownPresetSchema,
} from '../../packages/service/src/appearance/rules.ts';
import { projectFileNames } from '../../packages/service/src/clips/routes.ts';
import {
  inHeader,
  inQuery,
  json,
  listOf,
  one,
  paths,
  reference,
  schemaOf,
  type Call,
  type Calls,
  type Json,
} from './document.ts';

const problem = (description: string): Json => ({
  description,
  content: { 'application/problem+json': { schema: reference('Problem') } },
});

const problems: Readonly<Record<string, string>> = {
  400: 'The body or query does not fit',
  401: 'No API key, or one that is not known',
  402: 'The plan allows no more exports, or is paused or past due',
  403: 'X-On-Behalf-Of names nobody that this key acts for',
  404: 'Not there, or another user’s',
  408: 'The request took too long to arrive',
  412: 'Somebody else has changed the clip: `ETag` names its revision',
  428: 'No If-Match was sent',
  409: 'The Idempotency-Key was used for another request, or what it has made was deleted',
  413: 'The body is over 64 kB, or the file of an upload has more bytes than one may have',
  415: 'The body is no JSON',
  422: 'The source, the watermark or what is asked for cannot be used; `reason` says why',
  429: 'A limit is reached: `Retry-After` says when to try again',
  507: 'The disk of the service has no room for the file',
  503: 'Try again later: the service is stopping, or its database or machine is at fault; `reason` says which',
  504: 'The export failed, or was not ready in time',
};

const prefer = inHeader(
  'Prefer',
  '`wait=N` (RFC 7240): hold the answer up to N seconds (25 at most) until the status changes',
);
const idempotencyKey = inHeader(
  'Idempotency-Key',
  'New for each request (not in the specification): the same request again within a day gets what the first has made',
  { schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{8,128}$' } },
);
const keyOfStart: Json = {
  ...idempotencyKey,
  description: 'Lists only what a start with this key has made; the answer names the key',
};
const ifMatch = inHeader('If-Match', 'The `ETag` of the edit that was read, or `*` for any', {
  required: true,
});
const onBehalfOf = inHeader('X-On-Behalf-Of', 'Id of the managed user that the call is made for');

const answered = (status: number, description: string, content: Json): Json => ({
  [status]: { description, content },
});

const startBody: Json = { anyOf: [reference('StartExportA'), reference('StartExportB')] };
const bodyFailures = [400, 413, 415];

const taskCall = (name: string, summary: string): Call<number> => ({
  summary,
  success: answered(201, 'The task, processing', one('Task')),
  failures: [...bodyFailures, 409, 422],
  body: reference(name),
  parameters: [idempotencyKey],
});

const deletion = (summary: string): { delete: Call<number> } => ({
  delete: {
    summary: `${summary} (not in the specification)`,
    success: answered(204, 'It is deleted', {}),
    failures: [404],
  },
});

const calls: Calls<number> = {
  '/uploads': {
    post: {
      summary: 'An address that takes the bytes of a file, by tus 1.0 (not in the specification)',
      success: answered(201, 'The upload', one('Upload')),
      failures: [...bodyFailures, 409, 422, 429, 507],
      body: reference('NewUpload'),
      parameters: [idempotencyKey],
    },
  },
  '/uploads/{upload_id}': {
    delete: {
      summary: 'Delete an upload that no task has taken (not in the specification)',
      success: answered(204, 'It is deleted', {}),
      failures: [404, 422],
    },
    get: {
      summary: 'An upload, with the number of bytes that have arrived (not in the specification)',
      success: answered(200, 'The upload', one('Upload')),
      failures: [404],
    },
  },
  '/appearance': {
    get: {
      summary: 'How the pages of the organization look (not in the specification)',
      success: answered(200, 'What was put last; an empty object at first', one('Appearance')),
      failures: [],
    },
    put: {
      summary: 'Changes how the pages of the organization look (not in the specification)',
      success: answered(200, 'What is set now', one('Appearance')),
      failures: bodyFailures,
      body: reference('Appearance'),
    },
  },
  '/fonts': {
    get: {
      summary: 'The fonts of the organization (not in the specification)',
      success: answered(200, 'The fonts, by family', listOf('Font')),
      failures: [],
    },
    post: {
      summary: 'Adds a font: WOFF2, TTF or OTF of at most 5 MB (not in the specification)',
      success: answered(201, 'The font, with the family that the file names', one('Font')),
      failures: [409, 413, 415, 422],
      body: { type: 'string', contentMediaType: 'font/ttf' },
      bodyTypes: ['font/woff2', 'font/ttf', 'font/otf'],
      parameters: [idempotencyKey],
    },
  },
  '/fonts/{font_id}': deletion('Delete a font; exports that were started are set in it'),
  '/style-presets': {
    get: {
      summary: 'The style presets that the organization can name (not in the specification)',
      success: answered(200, 'The built-in ones and its own', listOf('StylePreset')),
      failures: [],
    },
    post: {
      summary: 'Adds a style preset of the organization (not in the specification)',
      success: answered(201, 'The preset', one('StylePreset')),
      failures: [...bodyFailures, 409, 422],
      body: reference('NewStylePreset'),
      parameters: [idempotencyKey],
    },
  },
  '/style-presets/{preset_id}': {
    ...deletion('Delete a style preset of the organization; what was made with it stays'),
    get: {
      summary: 'A style preset (not in the specification)',
      success: answered(200, 'The preset', one('StylePreset')),
      failures: [404],
    },
    patch: {
      summary: 'Changes a style preset by a merge patch (not in the specification)',
      description:
        'Exports that were started keep the style that it had. Null as a `box` is no box.',
      success: answered(200, 'The preset as it is now', one('StylePreset')),
      failures: [...bodyFailures, 404, 422],
      body: { type: 'object' },
    },
  },
  '/tasks': {
    get: {
      summary: 'The user’s tasks, newest first (not in the specification)',
      success: answered(
        200,
        'The tasks; `Link` with `rel="next"` leads to the next page',
        listOf('Task'),
      ),
      failures: [400],
      parameters: [inQuery('limit'), inQuery('cursor'), prefer],
    },
  },
  '/tasks/video-to-shorts': { post: taskCall('VideoToShorts', 'Turn a long video into shorts') },
  '/tasks/video-to-video': { post: taskCall('VideoToVideo', 'Edit a single video') },
  '/tasks/{task_id}/words': {
    post: {
      ...taskCall(
        'TaskWords',
        'The clips of a task once more, with other words (not in the specification)',
      ),
      success: answered(202, 'The task, processing again', one('Task')),
      failures: [...bodyFailures, 404, 409, 422],
    },
  },
  '/tasks/{task_id}/more': {
    post: {
      ...taskCall(
        'TaskMore',
        'Further clips of the source of a task, as a new task (not in the specification)',
      ),
      failures: [...bodyFailures, 404, 409, 422],
    },
  },
  '/tasks/{task_id}': {
    ...deletion('Delete a task with its clips and exports'),
    get: {
      summary: 'A task',
      success: answered(200, 'The task', one('Task')),
      failures: [404],
      parameters: [prefer],
    },
  },
  '/projects/{id}': {
    ...deletion('Delete a project without a folder, and its exports'),
    post: {
      summary: 'A clip of any segment of a folder’s source (not in the specification)',
      success: answered(201, 'The project', one('Project')),
      failures: [...bodyFailures, 404, 409, 422],
      body: reference('NewClip'),
      parameters: [idempotencyKey],
    },
    get: {
      summary: 'The projects of a folder, or a project without a folder',
      success: answered(
        200,
        'An array for a folder’s id, one project for a project’s',
        json({
          anyOf: [{ type: 'array', items: reference('Project') }, reference('Project')],
        }),
      ),
      failures: [404],
    },
  },
  '/projects/{id}/allowance': {
    get: {
      summary: 'What an export of the clip would cost now (not in the specification)',
      success: answered(200, 'The allowance', one('Allowance')),
      failures: [404],
    },
  },
  '/projects/views': {
    post: {
      summary:
        'What visitors have watched of the clips of the organization, from its host (not in the specification)',
      description:
        'Of one `visitor`, a clip gets at most one view a minute, and each ten seconds once. Clips of others are left out.',
      success: answered(204, 'It is counted', {}),
      failures: bodyFailures,
      body: reference('ViewBatch'),
    },
  },
  '/projects/{id}/views': {
    get: {
      summary: 'How often a clip was watched, and how far (not in the specification)',
      success: answered(200, 'The counts', {
        ...one('ViewReport'),
        'text/csv': { schema: { type: 'string' } },
      }),
      failures: [400, 404],
      parameters: [
        inQuery('format', {
          description: '`csv`: a line for each ten seconds',
          schema: { enum: ['json', 'csv'] },
        }),
      ],
    },
  },
  '/projects/{id}/links': {
    post: {
      summary:
        'The addresses with which a clip can be watched, signed where clips are private (not in the specification)',
      description:
        'Without `X-On-Behalf-Of`, of any clip of the organization. Of public clips they have no end.',
      success: answered(200, 'The addresses', one('ClipLinks')),
      failures: [...bodyFailures, 404],
      body: reference('NewLinks'),
      bodyRequired: false,
    },
  },
  '/projects/{id}/copy': {
    post: {
      summary: 'Another clip as this one is now (not in the specification)',
      success: answered(201, 'The project', one('Project')),
      failures: [...bodyFailures, 404, 409, 422],
      body: reference('Empty'),
      bodyRequired: false,
      parameters: [idempotencyKey],
    },
  },
  '/projects/{folder_id}/{project_id}': {
    ...deletion('Delete a project inside a folder, and its exports'),
    get: {
      summary: 'A project inside a folder',
      success: answered(200, 'The project', one('Project')),
      failures: [404],
    },
  },
  '/projects/{project_id}/files/{name}': {
    get: {
      summary: `A file for other programs (not in the specification): ${projectFileNames.join(', ')}`,
      success: answered(200, 'The file', {
        'application/json': {},
        'application/x-subrip': {},
        'application/xml': {},
        'image/jpeg': {},
        'text/plain': {},
        'text/vtt': {},
      }),
      failures: [404],
    },
  },
  '/projects/{id}/edit': {
    get: {
      summary: 'What a clip shows, and what was changed of it (not in the specification)',
      success: answered(200, 'The edit; `ETag` is its revision', one('Edit')),
      failures: [404],
    },
    patch: {
      summary: 'Change a clip by a JSON merge patch (not in the specification)',
      success: answered(200, 'The changed edit', one('Edit')),
      failures: [...bodyFailures, 404, 412, 422, 428],
      body: {
        type: 'object',
        required: ['changes'],
        properties: {
          changes: { ...reference('EditChanges'), description: 'null takes a change back' },
        },
      },
      parameters: [ifMatch],
    },
  },
  '/projects/{id}/edit/revisions': {
    get: {
      summary: 'The last 50 revisions of a clip, newest first (not in the specification)',
      success: answered(200, 'The revisions', one('EditRevisions')),
      failures: [404],
    },
  },
  '/projects/{id}/edit/revert': {
    post: {
      summary: 'Go back to the changes of a revision (not in the specification)',
      success: answered(200, 'The edit, as a new revision', one('Edit')),
      failures: [...bodyFailures, 404, 412, 422, 428],
      body: reference('Revert'),
      parameters: [ifMatch],
    },
  },
  '/projects/{clip_id}/exports': {
    post: {
      summary: 'Start an export',
      success: answered(
        201,
        'The start-export record, which holds the fields of the Export Object too',
        json({ allOf: [reference('StartExportRecord'), reference('Export')] }),
      ),
      failures: [...bodyFailures, 402, 404, 409, 422],
      body: startBody,
      bodyRequired: false,
      parameters: [idempotencyKey],
    },
  },
  '/projects/{folder_id}/{project_id}/exports': {
    post: {
      summary: 'Start an export of a project inside a folder',
      success: answered(201, 'The export, processing', one('Export')),
      failures: [...bodyFailures, 402, 404, 409, 422],
      body: startBody,
      bodyRequired: false,
      parameters: [idempotencyKey],
    },
  },
  ...Object.fromEntries(
    ['/projects/{clip_id}', '/projects/{folder_id}/{project_id}'].map((path) => [
      `${path}/exports/{export_id}`,
      {
        ...deletion('Delete an export'),
        get: {
          summary: 'An export',
          success: answered(200, 'The export', one('Export')),
          failures: [404],
          parameters: [prefer],
        },
      } satisfies { get: Call<number>; delete: Call<number> },
    ]),
  ),
  '/exports': {
    get: {
      summary: 'The user’s exports, newest first',
      success: answered(200, 'The exports', listOf('Export')),
      failures: [400],
      parameters: [
        inQuery('folder_id'),
        inQuery('project_id'),
        inQuery('limit'),
        inQuery('cursor'),
        keyOfStart,
        prefer,
      ],
    },
  },
  '/projects/{clip_id}/download': {
    get: {
      summary: 'The MP4 of an export, as soon as it is ready',
      success: answered(200, 'The file', { 'video/mp4': {} }),
      failures: [400, 402, 404, 504],
      parameters: [inQuery('export_id')],
    },
  },
  '/users': {
    post: {
      summary: 'Create a managed user',
      success: answered(201, 'The user', one('User')),
      failures: [...bodyFailures, 409],
      body: reference('Empty'),
      bodyRequired: false,
      parameters: [idempotencyKey],
    },
  },
  '/users/{user_id}': deletion('Erase a managed user with all that the user has'),
  '/users/{user_id}/tokens': {
    post: {
      summary: 'Issue an access token for a managed user',
      success: answered(201, 'The token', one('AccessToken')),
      failures: [...bodyFailures, 404],
      body: reference('NewToken'),
      bodyRequired: false,
    },
  },
};

const schemas = (): Json => ({
  VideoToShorts: schemaOf(videoToShortsRequestSchema, 'input'),
  VideoToVideo: schemaOf(videoToVideoRequestSchema, 'input'),
  TaskWords: schemaOf(taskWordsSchema, 'input'),
  TaskMore: schemaOf(taskMoreSchema, 'input'),
  StartExportA: schemaOf(startExportBodyASchema, 'input'),
  StartExportB: schemaOf(startExportBodyBSchema, 'input'),
  NewClip: schemaOf(newClipSchema, 'input'),
  Empty: schemaOf(emptyBodySchema, 'input'),
  NewToken: schemaOf(newTokenSchema, 'input'),
  Appearance: schemaOf(appearanceSchema, 'input'),
  Font: schemaOf(fontSchema, 'output'),
  NewStylePreset: schemaOf(newPresetSchema, 'input'),
  StylePreset: schemaOf(ownPresetSchema, 'output'),
  NewUpload: schemaOf(newUploadSchema, 'input'),
  Upload: schemaOf(uploadSchema, 'output'),
  Task: schemaOf(taskSchema, 'output'),
  Project: schemaOf(projectSchema, 'output'),
  Edit: schemaOf(editDocumentSchema, 'output'),
  EditChanges: schemaOf(editChangesSchema, 'input'),
  EditRevisions: schemaOf(editRevisionsSchema, 'output'),
  Revert: schemaOf(revertBodySchema, 'input'),
  Allowance: schemaOf(allowanceSchema, 'output'),
  NewLinks: schemaOf(newLinksSchema, 'input'),
  ClipLinks: schemaOf(clipLinksSchema, 'output'),
  ViewBatch: schemaOf(viewBatchSchema, 'input'),
  ViewReport: schemaOf(viewReportSchema, 'output'),
  Export: schemaOf(exportSchema, 'output'),
  StartExportRecord: schemaOf(startExportRecordSchema, 'output'),
  User: schemaOf(userSchema, 'output'),
  AccessToken: schemaOf(accessTokenSchema, 'output'),
  Problem: schemaOf(problemSchema, 'output'),
});

/** Without `servers`, which only the service knows. */
export const serviceOpenApi = (): Json => ({
  openapi: '3.1.0',
  info: { title: 'Clip service', version: '2' },
  security: [{ apiKey: [] }],
  paths: paths(calls, {
    idSchema: { type: 'string' },
    parametersOf: (path) => (path.startsWith('/users') ? [] : [onBehalfOf]),
    problemsOf: ({ failures }) =>
      Object.fromEntries(
        [401, 403, 408, 503, ...failures].map((status) => [
          status,
          problem(problems[status] ?? ''),
        ]),
      ),
  }),
  components: {
    securitySchemes: { apiKey: { type: 'http', scheme: 'bearer' } },
    schemas: schemas(),
  },
});
