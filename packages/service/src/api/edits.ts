import { isDeepStrictEqual } from 'node:util';
import { type ChangeFault, type Presets, withMutedWords } from 'clip-engine';
import {
  type EditChanges,
  editChangesSchema,
  editDocumentSchema,
  editPatchSchema,
  type EditRevisions,
  editRevisionsSchema,
  findLimitFaults,
  listFieldErrors,
  revertBodySchema,
} from 'clip-kit/contract';
import { mergePatch, patchBetween } from 'clip-player';
import type { Context, Hono } from 'hono';
import * as z from 'zod/mini';
import { requireMedia } from '../appearance/media-queries.ts';
import { listPresets, readMutedWords } from '../appearance/queries.ts';
import type { Log } from '../config/config.ts';
import type { Queue } from '../queue/queue.ts';
import { changeEdit, type EditedClip, findEdit, readRevisions } from '../edits/queries.ts';
import { estimatePreviewWork } from '../clips/rules.ts';
import { applyChanges, editDocument, makeEditInputs } from '../edits/rules.ts';
import { fit, makeMisfitError, readJsonObject, requirePreset } from './body.ts';
import { describeAnswer, describe, type Description, type Schema } from './describe.ts';
import { answerJson } from './json.ts';
import { type AppEnv, addMethods } from './methods.ts';
import { ApiError, makeNoClipError, makeUnprocessableError } from '../api-error.ts';
import type { Db } from '../db/schema.ts';

interface Dependencies {
  db: Db;
  log: Log;
  presets: Presets;
  queue: Queue;
  editQuietSeconds: number;
}

/** All changes of a clip together, as JSON. */
const maxChangesBytes = 64 * 1024;

/** The clip that a request names by its address, as the user has edited it. Throws 404. */
export async function findRequestedEdit(db: Db, c: Context<AppEnv>): Promise<EditedClip> {
  const clip = await findEdit(db, c.get('user').id, c.req.param('id') ?? '');
  if (!clip) throw makeNoClipError();
  return clip;
}

/** The body of an answer that shows an edit. */
type Show = (clip: EditedClip, c: Context<AppEnv>) => object | Promise<object>;

const answer = async (clip: EditedClip, c: Context<AppEnv>, show: Show): Promise<Response> =>
  answerJson(await show(clip, c), 200, { ETag: `"${clip.revision}"` });

/** The revision that the caller has seen; null for any. Throws 428 and 400. */
function readExpectedRevision(c: Context): number | null {
  const header = c.req.header('if-match')?.trim();
  if (header === undefined) {
    throw new ApiError(
      'revision-missing',
      'Send the ETag of the edit that you read as If-Match: another user may have changed it since.',
    );
  }
  if (header === '*') return null;
  // Servers between may have made it weak.
  const revision = Number(/^(?:W\/)?"(\d{1,9})"$/.exec(header)?.[1] ?? NaN);
  if (Number.isNaN(revision)) {
    throw new ApiError('invalid-request', 'If-Match must be the ETag of the edit, such as "7".');
  }
  return revision;
}

function makeRefusal(faults: readonly ChangeFault[]): ApiError {
  const errors = faults.map(({ path, message }) => ({
    path: path ? `changes.${path}` : 'changes',
    message,
  }));
  return makeMisfitError('The clip does not allow these changes.', errors, 'edit-invalid');
}

/** Quotes the value that was sent in a field, short enough for a message. */
function quoteSent(changes: unknown, path: readonly PropertyKey[]): string {
  const value = path.reduce<unknown>(
    (at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key],
    changes,
  );
  const text = JSON.stringify(value) ?? '';
  return text === '' ? '' : `, was ${text.length > 80 ? `${text.slice(0, 80)}…` : text}`;
}

/** Returns the checked changes. Throws 422 with the field, the limit and the sent value. */
function checkChanges(changes: unknown): EditChanges {
  const result = editChangesSchema.safeParse(changes);
  if (!result.success) {
    const faults = result.error.issues.flatMap((issue) =>
      listFieldErrors({ issues: [issue] }).map(({ path, message }) => ({
        path,
        message: `${message}${quoteSent(changes, path.split('.'))}`,
      })),
    );
    throw makeRefusal(faults);
  }
  const bytes = Buffer.byteLength(JSON.stringify(result.data));
  if (bytes > maxChangesBytes) {
    const message = `must be at most ${maxChangesBytes} bytes together, was ${bytes}`;
    throw makeRefusal([{ path: '', message }]);
  }
  return result.data;
}

/** Throws 403 with each changed field that the token does not allow to change. */
function requireWithinLimits(
  log: Log,
  c: Context<AppEnv>,
  before: EditChanges,
  after: EditChanges,
): void {
  const [old, next] = [before, after].map((one) => ({ editing_options: {}, ...one }));
  const faults = findLimitFaults(c.get('editor') ?? {}, patchBetween(old!, next!));
  if (faults.length === 0) return;
  const fields = faults.map(({ path }) => path).join(' ');
  log({ event: 'edit-refused', id: c.req.param('id') ?? '', fields });
  const errors = faults.map(({ path, message }) => ({ path: `changes.${path}`, message }));
  const detail = `The token does not allow this change: ${faults.map(({ path, message }) => `${path}: ${message}`).join('; ')}.`;
  throw new ApiError('forbidden', detail, { reason: 'editor-limit', errors });
}

/** Makes the change, and answers with the clip as it is then. Throws 404, 412 and 422. */
async function change(
  { show, ...service }: Dependencies & { show: Show },
  c: Context<AppEnv>,
  expected: number | null,
  changesFor: (clip: EditedClip) => Promise<unknown>,
): Promise<Response> {
  const [userId, id] = [c.get('user').id, c.req.param('id') ?? ''];
  const quietSeconds = service.editQuietSeconds;
  const of = { userId, id, expected, quietSeconds };
  const clip = await changeEdit(service.db, service.queue, of, make);
  if (!clip) throw makeNoClipError();
  return answer(clip, c, show);

  async function make(clip: EditedClip) {
    const changes = checkChanges(await changesFor(clip));
    if (isDeepStrictEqual(changes, clip.changes)) return null;
    requireWithinLimits(service.log, c, clip.changes, changes);
    if (!clip.source && !clip.segment) {
      const message =
        'The source of this clip is no longer stored, so it cannot be rendered again.';
      throw makeUnprocessableError(message, 'source-gone');
    }
    const preset = changes.style_preset_id;
    const presets = await listPresets(service, c.get('user'));
    if (preset !== undefined && preset !== clip.changes.style_preset_id) {
      requirePreset(presets, 'changes.style_preset_id', preset);
    }
    const mutedWords = await readMutedWords(service.db, c.get('user').organization_id);
    const inputs = withMutedWords(makeEditInputs(clip), mutedWords);
    const changed = applyChanges(inputs, changes, {
      presets,
      analysis: clip.analysis,
    });
    if ('faults' in changed) throw makeRefusal(changed.faults);
    const { edit } = changed;
    const media = { before: clip.edit, after: edit };
    await requireMedia(service.db, c.get('user').organization_id, media, 'changes');
    return { inputs, changes, edit, work: estimatePreviewWork(edit, clip.source) };
  }
}

const describeChanges = (summary: string, body: Schema): Description =>
  describeAnswer(
    summary,
    editDocumentSchema,
    ['clip-not-found', 'revision-changed', 'unprocessable', 'revision-missing'],
    { body, headers: ['If-Match'] },
  );

async function sendRevisions(db: Db, c: Context<AppEnv>): Promise<Response> {
  const { id, revision, changes, edited_at, created_at } = await findRequestedEdit(db, c);
  const before = await readRevisions(db, id);
  const all = [{ revision, changes, created_at: edited_at ?? created_at }, ...before];
  const answered: EditRevisions = all.map((one) => ({
    ...one,
    created_at: one.created_at.toISOString(),
  }));
  return answerJson(answered, 200, { ETag: `"${revision}"` });
}

/** Returns the changes of a revision of a clip. Throws 422 for one that is not stored. */
async function readChanges(db: Db, clip: EditedClip, revision: number): Promise<EditChanges> {
  if (revision === clip.revision) return clip.changes;
  const known = await readRevisions(db, clip.id);
  const wanted = known.find((one) => one.revision === revision);
  if (wanted) return wanted.changes;
  const kept = [clip, ...known].map((one) => one.revision);
  const message = `must be one of the stored revisions, ${Math.min(...kept)} to ${clip.revision}, was ${revision}`;
  const errors = [{ path: 'revision', message }];
  throw makeMisfitError('The clip does not allow these changes.', errors, 'edit-invalid');
}

/** A clip's edit and its revisions (not in the specification). */
export function editRoutes(
  app: Hono<AppEnv>,
  dependencies: Dependencies,
  show: Show = editDocument,
): void {
  const service = { ...dependencies, show };
  addMethods(app, '/projects/:id/edit', {
    GET: describe(
      describeAnswer(
        'The edit of a clip and its changes; `ETag` is the revision',
        editDocumentSchema,
        ['clip-not-found'],
      ),
      async (c) => answer(await findRequestedEdit(service.db, c), c, show),
    ),
    PATCH: describe(
      describeChanges(
        'Change a clip with a JSON merge patch; null removes a change',
        z.extend(editPatchSchema, { changes: editChangesSchema }),
      ),
      async (c) => {
        const expected = readExpectedRevision(c);
        const body = await readJsonObject(c);
        const { success, data, error } = editPatchSchema.safeParse(body);
        if (!success) throw makeMisfitError('The body is not valid.', listFieldErrors(error));
        return change(service, c, expected, async (clip) => mergePatch(clip.changes, data.changes));
      },
    ),
  });
  addMethods(app, '/projects/:id/edit/revisions', {
    GET: describe(
      describeAnswer('The last 50 revisions of a clip, newest first', editRevisionsSchema, [
        'clip-not-found',
      ]),
      (c) => sendRevisions(service.db, c),
    ),
  });
  addMethods(app, '/projects/:id/edit/revert', {
    POST: describe(
      describeChanges('Revert a clip to an earlier revision', revertBodySchema),
      async (c) => {
        const expected = readExpectedRevision(c);
        const { revision } = fit(revertBodySchema, await readJsonObject(c));
        return change(service, c, expected, (clip) => readChanges(service.db, clip, revision));
      },
    ),
  });
}

/** `/presets`: the style presets that `style_preset_id` and `preset_id` name. Public. */
export function addPresetRoutes(app: Hono<AppEnv>, service: { presets: Presets }): void {
  addMethods(app, '/presets', {
    GET: (c) =>
      c.json([...service.presets.values()], 200, {
        'Cache-Control': 'no-cache',
        'Access-Control-Allow-Origin': '*',
        'X-Content-Type-Options': 'nosniff',
      }),
  });
}
