import {
  allowanceSchema,
  clipLinksSchema,
  confirmedStartSchema,
  downloadAddressSchema,
  downloadRequestSchema,
  editDocumentSchema,
  editPatchSchema,
  emptyBodySchema,
  exportFilterSchema,
  exportSchema,
  hostStartExportSchema,
  idSchema,
  newClipSchema,
  newShareSchema,
  newUploadSchema,
  pageTaskSchema,
  pageVideoToShortsSchema,
  pageVideoToVideoSchema,
  type ProblemCode,
  projectSchema,
  shareListSchema,
  shareWithUrlSchema,
  taskMoreSchema,
  taskPageSchema,
  taskWordsSchema,
  tokenAnswerSchema,
  tokenRequestSchema,
  uploadSchema,
} from 'clip-kit/contract';
import * as z from 'zod/mini';
import { HostProblem } from '../http/host-problem.ts';
import {
  clipQuerySchema,
  folderQuerySchema,
  optionalFolderQuerySchema,
} from '../http/json-body.ts';
import { readExport, readExports, startExport } from './exports.ts';
import { downloadExport, grantDownload } from './download.ts';
import {
  changeEdit,
  copyClip,
  createClip,
  createLinks,
  listProjects,
  readAllowance,
  readEdit,
  readProject,
} from './edits.ts';
import { type Answer, readAccount } from './route-context.ts';
import { createShare, listShares, revokeShare } from './shares.ts';
import {
  createMore,
  createVideoToShorts,
  createVideoToVideo,
  addWords,
  deleteTask,
  readTask,
  readTasks,
} from './tasks.ts';
import { issueToken } from './token.ts';
import { createUpload, deleteUpload, readUpload } from './uploads.ts';

type Schema = z.core.$ZodType;

/** The description of a call in `openapi.json`, beside the rules for all of them. */
interface Description {
  readonly id: string;
  readonly summary: string;
  readonly details?: string;
  /** The schema by which the route reads its query; by default it has none. */
  readonly query?: Schema | undefined;
  /** The schema by which the route reads its body. */
  readonly body?: Schema;
  /** Names of headers that the call reads. */
  readonly headers?: readonly string[];
  /** By status: a text, the content, and names of headers. */
  readonly answers: Readonly<
    Record<
      number,
      readonly [
        text: string,
        content?: Schema | readonly string[] | undefined,
        headers?: readonly string[],
      ]
    >
  >;
  readonly errors: readonly ProblemCode[];
}

interface Route {
  readonly method: 'DELETE' | 'GET' | 'HEAD' | 'PATCH' | 'POST';
  /** Below the mount; a segment that begins with a colon matches an id. */
  readonly path: string;
  readonly answer: Answer;
  readonly description: Description;
}

/** Describes a route: `at` is its method and path. */
function route(at: `${Route['method']} /${string}`, answer: Answer, description: Description) {
  const [method, path] = at.split(' ') as [Route['method'], string];
  return { method, path, answer, description };
}

/** Reads something of a clip. */
const read = (id: string, summary: string, content: Schema, headers: string[] = []) =>
  ({
    ...{ id, summary },
    query: optionalFolderQuerySchema,
    answers: { 200: ['The requested part of the clip', content, headers] },
    errors: ['clip-not-found'],
  }) satisfies Description;

/** Makes a clip. */
const make = (id: string, summary: string, body: Schema, query?: Schema) =>
  ({
    ...{ id, summary, body, query },
    details: 'It does not use an export.',
    headers: ['Idempotency-Key'],
    answers: { 201: ['The clip; the same one for the same key', projectSchema] },
    errors: ['clip-not-found', 'unprocessable'],
  }) satisfies Description;

const startErrors = ['attempt-mismatch', 'in-progress', 'outcome-unknown'] as const;

/** Starts a task, once for each attempt key. */
const start = (id: string, summary: string, body: z.ZodMiniObject, ...errors: ProblemCode[]) =>
  ({
    ...{ id, summary, body: z.extend(body, { confirmed_start: confirmedStartSchema }) },
    headers: ['Idempotency-Key'],
    answers: {
      200: ['The task that this key already started', pageTaskSchema],
      201: ['The task, processing', pageTaskSchema],
    },
    errors: ['export-limit', ...errors, ...startErrors, 'unprocessable', 'storage-full'],
  }) satisfies Description;

/** Lists what is the user's. */
const list = (id: string, summary: string, item: Schema) =>
  ({
    ...{ id, summary },
    headers: ['Prefer'],
    answers: {
      200: ['The list', z.array(item), ['Preference-Applied', 'Link']],
    },
    errors: [],
  }) satisfies Description;

const fileHeaders = ['Content-Disposition', 'Accept-Ranges'];

export const routes: readonly Route[] = [
  route('GET /account', readAccount, {
    id: 'readAccount',
    summary: 'Check which account is signed in, by `Clip-Account` in the answer',
    answers: { 204: ['A user is signed in'] },
    errors: [],
  }),
  route('POST /token', issueToken, {
    id: 'issueToken',
    summary: 'Issue a token for the embeds of the logged-in user',
    body: tokenRequestSchema,
    headers: ['Cache-Control'],
    answers: { 200: ['The token', tokenAnswerSchema] },
    errors: ['unprocessable'],
  }),
  route('POST /exports', startExport, {
    id: 'startExport',
    summary: 'Start a paid export, once for each attempt key',
    details:
      'Send one attempt key for each intent to pay, and the same request again until it is answered: also after `in-progress`, and after a 5xx, unless its `unknown_outcome` is false. After `outcome-unknown`, ask a person; if the export is to be started again, send the same request with the `started_at` of that answer as `confirmed_start`.',
    body: z.extend(hostStartExportSchema, { confirmed_start: confirmedStartSchema }),
    headers: ['Idempotency-Key'],
    answers: {
      200: ['The export that this key already started', exportSchema],
      201: ['The export', exportSchema],
    },
    errors: ['export-limit', 'clip-not-found', ...startErrors, 'unprocessable'],
  }),
  route('GET /exports', readExports, {
    ...list('listExports', 'Exports of the user', exportSchema),
    details: 'The exports with the given ids, or those of a folder or a clip.',
    query: z.extend(exportFilterSchema, { id: z.optional(z.array(idSchema)) }),
  }),
  route('GET /exports/:export_id', readExport, {
    id: 'readExport',
    summary: 'An export',
    query: clipQuerySchema,
    answers: { 200: ['The export', exportSchema] },
    errors: ['export-not-found'],
  }),
  ...(['GET', 'HEAD'] as const).map((method) =>
    route(`${method} /exports/:export_id/download`, downloadExport, {
      id: method === 'GET' ? 'downloadExport' : 'headDownload',
      summary: 'The file of an export, as an attachment',
      details: 'An address with `grant` needs no session, and none of the other parameters.',
      query: z.extend(z.partial(downloadRequestSchema), { grant: z.optional(z.string()) }),
      headers: ['Range', 'If-Range'],
      answers: {
        200: ['The file', ['video/mp4'], fileHeaders],
        206: ['A part of the file', ['video/mp4'], [...fileHeaders, 'Content-Range']],
        416: ['The file does not have this range'],
      },
      errors: ['export-limit', 'export-not-found'],
    }),
  ),
  route('POST /exports/:export_id/download', grantDownload, {
    id: 'grantDownload',
    summary: 'Create a link to the file of an export, for users with a session',
    details:
      'A browser sends no session when it follows a link. The link works for ten minutes, for this file and user only. A host that identifies users by a cookie answers 501.',
    body: downloadRequestSchema,
    answers: { 201: ['The address', downloadAddressSchema] },
    errors: ['export-not-found', 'not-supported'],
  }),
  route('GET /projects', listProjects, {
    id: 'listProjects',
    summary: 'The clips of a folder',
    query: folderQuerySchema,
    answers: { 200: ['The clips', z.array(projectSchema)] },
    errors: ['clip-not-found'],
  }),
  route('GET /projects/:project_id', readProject, read('readProject', 'A clip', projectSchema)),
  route(
    'POST /projects/:project_id',
    createClip,
    make('createClip', 'Create a clip from any segment of the source of a folder', newClipSchema),
  ),
  route(
    'POST /projects/:project_id/copy',
    copyClip,
    make('copyClip', 'Copy a clip with its edit', emptyBodySchema, optionalFolderQuerySchema),
  ),
  route(
    'GET /projects/:project_id/allowance',
    readAllowance,
    read('readAllowance', 'The cost of exporting a clip now', allowanceSchema),
  ),
  route('POST /projects/:project_id/links', createLinks, {
    ...read('createLinks', 'The links of a clip, signed if it is private', clipLinksSchema),
    body: emptyBodySchema,
  }),
  route('POST /projects/:project_id/shares', createShare, {
    id: 'createShare',
    summary: 'Share a clip, or all clips of a folder, by a link that anyone can open',
    details: 'Only where the site allows it. No other answer has the `url`.',
    body: newShareSchema,
    answers: { 201: ['The link', shareWithUrlSchema] },
    errors: ['clip-not-found', 'unprocessable'],
  }),
  route('GET /projects/:project_id/shares', listShares, {
    id: 'listShares',
    summary: 'The share links of a clip or folder, the newest first',
    answers: { 200: ['The links', shareListSchema] },
    errors: ['clip-not-found'],
  }),
  route('DELETE /projects/:project_id/shares/:share_id', revokeShare, {
    id: 'revokeShare',
    summary: 'Revoke a share link',
    answers: { 204: ['Revoked'] },
    errors: ['clip-not-found'],
  }),
  route(
    'GET /projects/:project_id/edit',
    readEdit,
    read('readEdit', 'The edit of a clip and its changes', editDocumentSchema, ['ETag']),
  ),
  route('PATCH /projects/:project_id/edit', changeEdit, {
    ...read('changeEdit', 'Change the edit of a clip', editDocumentSchema, ['ETag']),
    details:
      'Send the `ETag` of the edit as `If-Match`: a change by another user is never overwritten.',
    body: editPatchSchema,
    headers: ['If-Match'],
    errors: ['clip-not-found', 'revision-changed', 'unprocessable', 'revision-missing'],
  }),
  route(
    'POST /tasks/video-to-shorts',
    createVideoToShorts,
    start('createVideoToShorts', 'Turn a long video into clips', pageVideoToShortsSchema),
  ),
  route(
    'POST /tasks/video-to-video',
    createVideoToVideo,
    start('createVideoToVideo', 'Edit a single video', pageVideoToVideoSchema),
  ),
  route(
    'POST /tasks/:task_id/words',
    addWords,
    start(
      'addWords',
      'Make the clips of a task again from other words',
      taskWordsSchema,
      'not-found',
    ),
  ),
  route(
    'POST /tasks/:task_id/more',
    createMore,
    start(
      'createMore',
      'Make further clips from the source of a task, as a new task',
      taskMoreSchema,
      'not-found',
    ),
  ),
  route('GET /tasks', readTasks, {
    ...list('listTasks', 'The tasks of the user, newest first', pageTaskSchema),
    query: taskPageSchema,
    errors: ['not-found'],
  }),
  route('GET /tasks/:task_id', readTask, {
    id: 'readTask',
    summary: 'A task',
    details:
      '`Prefer: wait=N; after="STATE"` has the status, stage and whole percent that the page knows, and the whole megabytes of a speech model that is downloaded, separated by spaces and percent-encoded.',
    headers: ['Prefer'],
    answers: { 200: ['The task', pageTaskSchema, ['Preference-Applied']] },
    errors: ['not-found'],
  }),
  route('DELETE /tasks/:task_id', deleteTask, {
    id: 'deleteTask',
    summary: 'Delete a task with its clips',
    details: 'If the service cannot delete, the task is only removed from the user’s list.',
    answers: { 204: ['Deleted'] },
    errors: ['not-found', 'not-supported'],
  }),
  route('POST /uploads', createUpload, {
    id: 'createUpload',
    summary: 'Create an upload: an address that accepts a file',
    details:
      'The file goes to `url` by tus 1.0. `url` is the `source_video_url` or `subtitles_url` of a task afterwards.',
    body: newUploadSchema,
    headers: ['Idempotency-Key?'],
    answers: { 201: ['The upload; the same one for the same key', uploadSchema] },
    errors: [
      ...(['attempt-mismatch', 'upload-too-large', 'unprocessable'] as const),
      ...(['not-supported', 'storage-full'] as const),
    ],
  }),
  route('GET /uploads/:upload_id', readUpload, {
    id: 'readUpload',
    summary: 'An upload, with the number of bytes received',
    answers: { 200: ['The upload', uploadSchema] },
    errors: ['upload-not-found'],
  }),
  route('DELETE /uploads/:upload_id', deleteUpload, {
    id: 'deleteUpload',
    summary: 'Delete an upload',
    answers: { 204: ['Deleted'] },
    errors: ['upload-not-found'],
  }),
];

/** Words in the addresses of the service below a clip, a task or a user: none is an id. */
export const serviceWords: ReadonlySet<string> = new Set([
  ...['allowance', 'copy', 'download', 'edit', 'exports', 'files', 'links', 'more', 'revert'],
  ...['revisions', 'shares', 'tokens', 'video-to-shorts', 'video-to-video', 'views', 'words'],
]);

function decode(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}

/** The ids if the segments match the path of a route, otherwise null. */
function matchPath(path: string, segments: readonly string[]): string[] | null {
  const pattern = path.split('/').slice(1);
  if (pattern.length !== segments.length) return null;
  const ids: string[] = [];
  for (const [index, part] of pattern.entries()) {
    const segment = segments[index] ?? '';
    if (!part.startsWith(':')) {
      if (part !== segment) return null;
      continue;
    }
    const id = decode(segment);
    if (!id || id === '.' || id === '..' || serviceWords.has(id)) return null;
    ids.push(id);
  }
  return ids;
}

/**
 * The route of a request and the ids in its path. Throws 404, or 405 if only the method is wrong.
 */
export function matchRoute(
  method: string,
  pathname: string,
  basePath: string,
): Route & { ids: readonly string[] } {
  const nowhere = (reason: string) =>
    new HostProblem('endpoint-not-found', { detail: `Nothing is at ${pathname}: ${reason}` });
  if (!pathname.startsWith(`${basePath}/`)) {
    throw nowhere(
      `this host is mounted at ${basePath}. basePath must be the whole path that the browser asks for, with those of the routers around it.`,
    );
  }
  const segments = pathname.slice(basePath.length + 1).split('/');
  const allowed = new Set<string>();
  for (const candidate of routes) {
    const ids = matchPath(candidate.path, segments);
    if (!ids) continue;
    if (candidate.method === method) return { ...candidate, ids };
    allowed.add(candidate.method);
  }
  if (!allowed.size) {
    const names = new Set(routes.map(({ path }) => path.split('/')[1]));
    throw nowhere(`below ${basePath} this host has ${[...names].join(', ')}.`);
  }
  throw new HostProblem('method-not-allowed', { headers: { Allow: [...allowed].join(', ') } });
}
