import type { ServerResponse } from 'node:http';
import {
  accessTokenSchema,
  allowanceSchema,
  clipLinksSchema,
  editChangesSchema,
  editDocumentSchema,
  editPatchSchema,
  emptyBodySchema,
  type NewToken,
  newTokenSchema,
  permissionSchema,
  exportFilterSchema,
  exportListSchema,
  exportSchema,
  listFieldErrors,
  newClipSchema,
  newLinksSchema,
  newShareSchema,
  type NewShare,
  newUploadSchema,
  projectListSchema,
  projectSchema,
  shareListSchema,
  shareWithUrlSchema,
  startExportBodyASchema,
  startExportBodyBSchema,
  startExportRecordSchema,
  taskListSchema,
  taskPageSchema,
  taskMoreSchema,
  taskWordsSchema,
  taskSchema,
  uploadSchema,
  userSchema,
  videoToShortsRequestSchema,
  videoToVideoRequestSchema,
  type Project,
  type Task,
} from 'clip-kit/contract';
import { sendFile } from './fake-file.ts';
import { wireExport, wireRecord, wireTask, type FakeWorld } from './fake-service-world.ts';

export interface RecordedRequest {
  readonly method: string;
  /** Below the base URL, as sent (percent-encoded), without the query. */
  readonly path: string;
  readonly query: string;
  readonly keyWasRight: boolean;
  readonly onBehalfOf: string | null;
  /** All headers but `Authorization`. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Parsed; undefined if none was sent. */
  readonly body: unknown;
}

/** How deployments differ, and points that the specification leaves open. */
export interface ServiceVariant {
  /** Section 3.3: `in_progress`, `completed`, `failed`, `video_to_shorts`. */
  readonly legacy: boolean;
  /** Section 4.7: the body of a start inside a folder. */
  readonly folderBody: 'A' | 'B';
  /** Whether the forms with a folder (4.7, 4.8) exist at all. */
  readonly folderForm: boolean;
  /** Section 4.6: the answer to a direct start; a start with a folder answers the Export Object. */
  readonly start: 'record' | 'export';
  readonly foreignClip: 404 | 400;
  readonly lists: 'bare' | 'wrapped';
  /**
   * Whether `GET /exports` has pages (`limit`), ignores that it is asked for them, refuses, or
   * begins with an empty page where it is asked for those of a clip.
   */
  readonly pages: 'yes' | 'ignored' | 'refused' | 'empty-first';
  /** How long after its start an export is in `GET /exports`. */
  readonly listLateMs: number;
  /** Whether Export Objects do not say if they have a watermark. */
  readonly hidesWatermark: boolean;
  /** Lifetime of a token in seconds; null for a token without an expiry. */
  readonly tokenLife: number | null;
  /** Whether tokens have permissions, as this project's have; the specification's have none. */
  readonly tokenPermissions: boolean;
  /**
   * Whether it has what this project's service has beside the specification: uploads, a list of
   * tasks, and their deletion.
   */
  readonly extensions: boolean;
  /** Whether it names the key of a start, and starts nothing twice for it within a day. */
  readonly keepsKeys: boolean;
  /** The largest file that can be uploaded, in bytes. */
  readonly maxUploadBytes: number;
  /** Its own address, without the version segment. */
  readonly origin: () => string;
  readonly now: () => number;
}

export interface Answer {
  readonly status: number;
  readonly body: unknown;
  /** The fields that the contract's schema does not accept. */
  readonly misfit?: string | undefined;
  send(response: ServerResponse): void;
}

interface Schema {
  safeParse(value: unknown): { success: boolean; error?: Parameters<typeof listFieldErrors>[0] };
}

function json(
  status: number,
  body: unknown,
  schema?: Schema,
  headers: Record<string, string> = {},
): Answer {
  const { error } = schema?.safeParse(body) ?? {};
  return {
    status,
    body,
    misfit: error && JSON.stringify(listFieldErrors(error)),
    send: (response) => {
      response
        .writeHead(status, { 'Content-Type': 'application/json', ...headers })
        .end(JSON.stringify(body));
    },
  };
}

const refusal = (status: number, message: string): Answer => json(status, { message });

/** 400 with the fields, as this project's service sends it; null if the body is valid. */
function misfitOf(schema: Schema, body: unknown): Answer | null {
  const { error } = schema.safeParse(body);
  return error ? json(400, { code: 'invalid-request', errors: listFieldErrors(error) }) : null;
}

function jwt(more: object, now: number, life: number, serial: number): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = { ...more, exp: Math.floor(now / 1000) + life, jti: serial };
  return `${part({ alg: 'none' })}.${part(claims)}.c2lnbmF0dXJl`;
}

/** 204, or another answer without a body. */
const empty = (status: number): Answer => ({
  status,
  body: null,
  send: (response) => void response.writeHead(status).end(),
});

const problem = (status: number, code: string, detail: string, path?: string): Answer =>
  json(status, { status, code, detail, ...(path && { errors: [{ path, message: detail }] }) });

let tokens = 0;

/** The specification's answer to the request. */
export async function answerOf(
  request: RecordedRequest,
  query: URLSearchParams,
  world: FakeWorld,
  variant: ServiceVariant,
): Promise<Answer> {
  if (!request.keyWasRight) return refusal(401, 'The API key is not valid.');
  const author = request.onBehalfOf ?? world.owner;
  if (author !== world.owner && !world.users.has(author)) {
    return refusal(403, 'X-On-Behalf-Of must be the id of a managed user of this organization.');
  }
  const { method, body } = request;
  const list = (
    name: string,
    items: unknown[],
    schema: Schema,
    headers?: Record<string, string>,
  ): Answer => json(200, variant.lists === 'wrapped' ? { [name]: items } : items, schema, headers);
  const segments = request.path.slice(1).split('/').map(decodeURIComponent);
  const [first, a = '', b = '', c = '', d] = segments;
  const route = `${method} ${[first, ...segments.slice(1).map((one) => (['exports', 'download', 'tokens', 'edit', 'copy', 'allowance', 'links', 'shares', 'video-to-shorts', 'video-to-video', 'words', 'more'].includes(one) ? one : '*'))].join('/')}`;

  const key = request.headers['idempotency-key'] as string | undefined;
  /** What a start makes, or has made with its key. */
  const once = (make: () => { readonly id: string }): { readonly id: string } => {
    if (key === undefined) return make();
    const known = variant.keepsKeys ? world.keyOf(author, key) : undefined;
    const made = known ?? { id: make().id, at: variant.now() };
    world.startKeys.set(`${author} ${key}`, made);
    return made;
  };

  const start = (project: Project | null, folderForm: boolean): Answer => {
    if (!project) return refusal(variant.foreignClip, 'Not a clip of this account.');
    const bodyB = folderForm && variant.folderBody === 'B';
    const misfit = misfitOf(bodyB ? startExportBodyBSchema : startExportBodyASchema, body);
    if (misfit) return misfit;
    const { id } = once(() => world.addExport(author, project, 'watermark' in (body as object)));
    const one = world.exports.get(id)!;
    return variant.start === 'record' && !folderForm
      ? json(200, wireRecord(one, variant), startExportRecordSchema)
      : json(200, wireExport(one, variant), exportSchema);
  };
  const readExport = (project: Project | null, exportId: string): Answer => {
    const one = world.exports.get(exportId);
    return project && one?.project_id === project.id && one.author_id === author
      ? json(200, wireExport(one, variant), exportSchema)
      : refusal(404, 'Export not found.');
  };

  if (/ projects\/\*\/\*\/exports/.test(route) && !variant.folderForm) {
    return refusal(404, 'No such endpoint.');
  }
  switch (route) {
    case 'POST tasks/video-to-shorts':
    case 'POST tasks/video-to-video': {
      const shorts = a === 'video-to-shorts';
      const refused =
        misfitOf(shorts ? videoToShortsRequestSchema : videoToVideoRequestSchema, body) ??
        sourceRefusal(world, author, body as Sources, variant);
      if (refused) return refused;
      const { name = 'Upload', metadata } = body as Pick<Task, 'name' | 'metadata'>;
      const type = shorts ? 'video-to-shorts' : 'video-to-video';
      const more = { name, metadata };
      const made = world.tasks.get(once(() => world.addTask(author, type, more)).id)!;
      return json(201, wireTask(made, variant), taskSchema);
    }
    case 'POST tasks/*/words': {
      if (!variant.extensions) return refusal(404, 'No such endpoint.');
      const task = world.tasks.get(a);
      if (task?.author !== author) return refusal(404, 'Task not found.');
      const refused =
        misfitOf(taskWordsSchema, body) ?? sourceRefusal(world, author, body as Sources, variant);
      if (refused) return refused;
      once(() => Object.assign(task, { status: 'processing', notes: [] }));
      return json(202, wireTask(task, variant), taskSchema);
    }
    case 'POST tasks/*/more': {
      if (!variant.extensions) return refusal(404, 'No such endpoint.');
      const before = world.tasks.get(a);
      if (before?.author !== author) return refusal(404, 'Task not found.');
      const refused =
        misfitOf(taskMoreSchema, body) ?? sourceRefusal(world, author, body as Sources, variant);
      if (refused) return refused;
      const { type, name = 'Upload' } = before;
      const more = { name, source_task_id: a };
      const made = world.tasks.get(once(() => world.addTask(author, type, more)).id)!;
      return json(201, wireTask(made, variant), taskSchema);
    }
    case 'GET tasks': {
      if (!variant.extensions) return refusal(404, 'No such endpoint.');
      const isPair = (name: string): boolean => name.startsWith('metadata[');
      const pairs = [...query].filter(([name]) => isPair(name));
      const asked = Object.fromEntries([...query].filter(([name]) => !isPair(name)));
      const page = taskPageSchema.safeParse(asked);
      if (!page.success) return misfitOf(taskPageSchema, asked)!;
      const { limit = 20, cursor } = page.data;
      const all = world
        .tasksOf(author)
        .filter(({ metadata }) =>
          pairs.every(([name, value]) => metadata?.[name.slice(9, -1)] === value),
        );
      const from = cursor === undefined ? 0 : all.findIndex(({ id }) => id === cursor) + 1;
      const tasks = all.slice(from, from + limit);
      const more = from + limit < all.length;
      const next = `</v2/tasks?limit=${limit}&cursor=${tasks.at(-1)?.id}>; rel="next"`;
      return list(
        'tasks',
        tasks.map((task) => wireTask(task, variant)),
        taskListSchema,
        more ? { Link: next } : {},
      );
    }
    case 'DELETE tasks/*': {
      if (!variant.extensions) return refusal(404, 'No such endpoint.');
      if (world.tasks.get(a)?.author !== author) return refusal(404, 'Task not found.');
      world.tasks.delete(a);
      return empty(204);
    }
    case 'POST uploads': {
      if (!variant.extensions) return refusal(404, 'No such endpoint.');
      const misfit = misfitOf(newUploadSchema, body);
      if (misfit) return misfit;
      const given = newUploadSchema.parse(body);
      if (given.size > variant.maxUploadBytes) {
        const detail = `The file is larger than ${variant.maxUploadBytes} bytes.`;
        return problem(413, 'upload-too-large', detail, 'size');
      }
      const urlOf = (id: string) => `${variant.origin()}/uploads/${id}`;
      const key = request.headers['idempotency-key'];
      const name = `${author} ${String(key)}`;
      const before = key === undefined ? undefined : world.uploadKeys.get(name);
      if (before) {
        const upload = world.uploadOf(author, before.id);
        const isSame = before.asked === JSON.stringify(given);
        return upload && isSame
          ? json(201, upload, uploadSchema)
          : problem(409, 'attempt-mismatch', 'What this key has made was deleted.');
      }
      const upload = world.addUpload(author, given, urlOf);
      world.uploadKeys.set(name, { asked: JSON.stringify(given), id: upload.id });
      return json(201, upload, uploadSchema);
    }
    case 'GET uploads/*':
    case 'DELETE uploads/*': {
      const upload = variant.extensions ? world.uploadOf(author, a) : null;
      if (!upload) return refusal(404, 'Upload not found.');
      if (method === 'GET') return json(200, upload, uploadSchema);
      world.uploads.delete(a);
      return empty(204);
    }
    case 'GET tasks/*': {
      const task = world.tasks.get(a);
      return task?.author === author
        ? json(200, wireTask(task, variant), taskSchema)
        : refusal(404, 'Task not found.');
    }
    case 'GET projects/*': {
      const direct = world.clipOf(author, a);
      if (direct?.folder_id === null) return json(200, direct, projectSchema);
      const inFolder = [...world.projects.values()].filter(
        (one) => one.folder_id === a && one.author_id === author,
      );
      // The folder of a task is there before its clips.
      const isOutput = world.tasksOf(author).some(({ output_id }) => output_id === a);
      return isOutput || inFolder.length
        ? list('projects', inFolder, projectListSchema)
        : refusal(404, 'Not found.');
    }
    case 'GET projects/*/*': {
      const project = world.clipOf(author, b, a);
      return project ? json(200, project, projectSchema) : refusal(404, 'Clip not found.');
    }
    case 'GET projects/*/allowance': {
      if (!variant.extensions || !world.clipOf(author, a)) return refusal(404, 'Clip not found.');
      const used = world.exportsOf(author, {}).length;
      const refused = used < 10 ? null : 'The plan allows 10 exports, and all of them are used up.';
      const plan = { plan: 'free', state: 'active', allowance: 10 };
      return json(200, { ...plan, used, counts: true, refusal: refused }, allowanceSchema);
    }
    case 'POST projects/*/links': {
      const project = world.projects.get(a);
      const isOwn = project?.author_id === author || (author === world.owner && !!project);
      if (!variant.extensions || !isOwn) return refusal(404, 'Clip not found.');
      const expires = Math.floor(variant.now() / 1000) + world.linkSeconds;
      // Two of the same second differ.
      const query = `?expires=${expires}&signature=${`${++world.linksMade}`.padStart(43, 's')}`;
      const page = `${variant.origin()}/player/${a}`;
      const links = {
        ...{ player_url: page + query, poster_url: null, video_url: null, captions_url: null },
        expires_at: new Date(expires * 1000).toISOString(),
      };
      return misfitOf(newLinksSchema, body) ?? json(200, links, clipLinksSchema);
    }
    case 'GET projects/*/shares':
    case 'POST projects/*/shares':
    case 'DELETE projects/*/shares/*': {
      const isOwn = [...world.projects.values()].some(
        (one) => one.author_id === author && [one.id, one.folder_id].includes(a),
      );
      if (!variant.extensions || !isOwn) return refusal(404, 'Clip not found.');
      const shares = [...world.shares.values()].filter(({ of }) => of === a);
      if (method === 'GET') return json(200, shares, shareListSchema);
      const now = new Date(variant.now()).toISOString();
      if (method === 'DELETE') {
        const found = shares.find(({ id }) => id === c);
        if (!found) return refusal(404, 'Share link not found.');
        world.shares.set(found.id, { ...found, revoked_at: now });
        return empty(204);
      }
      const misfit = misfitOf(newShareSchema, body);
      if (misfit) return misfit;
      const { expires_at = null, download = false } = body as NewShare;
      const id = `share-${world.shares.size + 1}`;
      const made = { id, download, expires_at, revoked_at: null, created_at: now };
      world.shares.set(id, { ...made, of: a });
      return json(
        201,
        { ...made, url: `${variant.origin()}/share/${id}?key=k` },
        shareWithUrlSchema,
      );
    }
    case 'GET projects/*/edit':
    case 'PATCH projects/*/edit':
      return edit(world, world.clipOf(author, a), request);
    case 'POST projects/*':
      return (
        misfitOf(newClipSchema, body) ??
        ([...world.projects.values()].some((one) => one.folder_id === a && one.author_id === author)
          ? json(201, made(world, author, a, request), projectSchema)
          : refusal(404, 'Folder not found.'))
      );
    case 'POST projects/*/copy': {
      const project = world.clipOf(author, a);
      return (
        misfitOf(emptyBodySchema, body) ??
        (project
          ? json(201, made(world, author, project.folder_id, request), projectSchema)
          : refusal(404, 'Clip not found.'))
      );
    }
    case 'POST projects/*/exports':
      return start(world.clipOf(author, a), false);
    case 'POST projects/*/*/exports':
      return start(world.clipOf(author, b, a), true);
    case 'GET projects/*/exports/*':
      return readExport(world.clipOf(author, a), c);
    case 'GET projects/*/*/exports/*':
      return readExport(world.clipOf(author, b, a), d ?? '');
    case 'GET exports': {
      const { limit, ...given } = Object.fromEntries(query);
      const filter = exportFilterSchema.safeParse(given);
      if (!filter.success || (limit !== undefined && variant.pages === 'refused')) {
        return refusal(400, 'Unknown filter.');
      }
      if (variant.keepsKeys && key !== undefined) {
        const kept = world.exports.get(world.keyOf(author, key)?.id ?? '');
        const items = kept ? [wireExport(kept, variant)] : [];
        return list('exports', items, exportListSchema, { 'Idempotency-Key': key });
      }
      const listed = variant.now() - variant.listLateMs;
      const found = world
        .exportsOf(author, filter.data)
        .filter(({ created_at }) => Date.parse(created_at) <= listed);
      const isEmpty = variant.pages === 'empty-first' && !!filter.data.project_id;
      const isLimited = limit !== undefined && variant.pages === 'yes';
      const count = isEmpty ? 0 : isLimited ? Number(limit) : Infinity;
      const newest = found.slice(found.length - count);
      return list(
        'exports',
        newest.map((one) => wireExport(one, variant)),
        exportListSchema,
        found.length > count ? { Link: '</v2/exports?cursor=c>; rel="next"' } : {},
      );
    }
    case 'GET projects/*/download':
      return download(world, author, a, request, query.get('export_id'));
    case 'POST users':
      return (
        misfitOf(emptyBodySchema, body) ??
        json(201, { ...world.addUser(), internal: true }, userSchema)
      );
    case 'POST users/*/tokens': {
      if (!world.users.has(a)) return refusal(404, 'User not found.');
      tokens += 1;
      const { permissions = permissionSchema.options, editor } = (body ?? {}) as NewToken;
      const limits = { permissions, ...(editor && { editor }) };
      const claims = { sub: a, ...(variant.tokenPermissions && limits) };
      const token =
        variant.tokenLife === null
          ? `opaque-token-${tokens}`
          : jwt(claims, variant.now(), variant.tokenLife, tokens);
      return (
        misfitOf(variant.tokenPermissions ? newTokenSchema : emptyBodySchema, body) ??
        json(201, { external_access_token: token }, accessTokenSchema)
      );
    }
    default:
      return refusal(404, 'No such endpoint.');
  }
}

interface Sources {
  readonly source_video_url: string;
  readonly subtitles_url?: string;
}

/** 422 for the address of an upload that this user cannot make a task of; null for any other. */
function sourceRefusal(
  world: FakeWorld,
  author: string,
  { source_video_url, subtitles_url }: Sources,
  { extensions, origin }: ServiceVariant,
): Answer | null {
  if (!extensions) return null;
  for (const [path, url] of Object.entries({ source_video_url, subtitles_url })) {
    if (!url?.startsWith(`${origin()}/uploads/`)) continue;
    const upload = world.uploadOf(author, url.slice(`${origin()}/uploads/`.length));
    if (!upload) return problem(422, 'unprocessable', 'is not an upload of this user', path);
    if (upload.status === 'open') return problem(422, 'unprocessable', 'has not arrived yet', path);
  }
  return null;
}

/** A new clip, once for each key of a user. */
function made(
  world: FakeWorld,
  author: string,
  folder: string | null,
  { headers, path, body }: RecordedRequest,
): Project {
  const key = headers['idempotency-key'];
  const name = `${author} ${path} ${String(key)}`;
  const before = key === undefined ? undefined : world.made.get(name);
  const { name: given } = body as { name?: string };
  const project = before ?? world.addProject(author, folder, given ? { name: given } : {});
  world.made.set(name, project);
  return project;
}

/** Reads or changes a clip's edit, as this project's service does. */
function edit(
  world: FakeWorld,
  project: Project | null,
  { method, headers, body }: RecordedRequest,
): Answer {
  if (!project) return json(404, { code: 'clip-not-found' });
  const answer = (): Answer => {
    const found = world.editOf(world.projects.get(project.id)!);
    return json(200, found, editDocumentSchema, { ETag: `"${found.revision}"` });
  };
  if (method === 'GET') return answer();
  const expected = headers['if-match'];
  if (expected === undefined) return json(428, { code: 'revision-missing' });
  const misfit = misfitOf(editPatchSchema, body);
  if (misfit) return misfit;
  if (expected !== `"${project.revision ?? 1}"`) return json(412, { code: 'revision-changed' });
  const patch = (body as { changes: Record<string, unknown> }).changes;
  const merged = Object.entries({ ...world.changes.get(project.id), ...patch }).filter(
    ([, value]) => value !== null,
  );
  const changes = editChangesSchema.safeParse(Object.fromEntries(merged));
  if (!changes.success) {
    const errors = listFieldErrors(changes.error).map(({ path, message }) => ({
      path: `changes.${path}`,
      message,
    }));
    return json(422, { code: 'unprocessable', reason: 'edit-invalid', errors });
  }
  world.edit(project.id, changes.data);
  return answer();
}

/** Section 4.10: blocks while the export renders. */
async function download(
  world: FakeWorld,
  author: string,
  clipId: string,
  request: Pick<RecordedRequest, 'method' | 'headers'>,
  exportId: string | null,
): Promise<Answer> {
  const project = world.clipOf(author, clipId);
  if (!project) return refusal(404, 'Clip not found.');
  const rendering = world
    .exportsOf(author, { project_id: clipId })
    .find(({ status }) => status === 'processing');
  const id = exportId ?? (rendering ?? world.addExport(author, project)).id;
  if (world.exports.get(id)?.project_id !== clipId) return refusal(404, 'Export not found.');
  await world.settled(id);
  if (world.exports.get(id)!.status === 'error') {
    return json(504, { error: 'Export timed out or failed.' });
  }
  return {
    status: 200,
    body: null,
    send: (response) =>
      sendFile(request, response, `mp4 of ${id}`, {
        'Content-Disposition': 'attachment; filename="Clip_no._1.mp4"',
        'Set-Cookie': 'service=1',
      }),
  };
}
