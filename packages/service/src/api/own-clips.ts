import { randomUUID } from 'node:crypto';
import { makeEdit, makeCustomClip, type Presets } from 'clip-engine';
import { emptyBodySchema, newClipSchema, type NewClip, projectSchema } from 'clip-kit/contract';
import type { Context, Hono } from 'hono';
import { listPresets, readMutedWords } from '../appearance/queries.ts';
import type { Links } from '../links/links.ts';
import type { UsageLimits } from '../users/limits.ts';
import { findRequestedEdit } from './edits.ts';
import {
  addOwnClip,
  type ClipWithSource,
  findClip,
  findWatchedClip,
  findScannedFolder,
  type UnsavedClip,
} from '../clips/queries.ts';
import type { Db, ProjectRow } from '../db/schema.ts';
import { estimatePreviewWork, makeProjectObject } from '../clips/rules.ts';
import { translateSpans } from '../tasks/providers.ts';
import { WorkFailure, type Queue } from '../queue/queue.ts';
import { fit, makeMisfitError, readJsonObject } from './body.ts';
import { describe, describeMaking } from './describe.ts';
import { type AppEnv, requestSignal, addMethods } from './methods.ts';
import { answerJson } from './json.ts';
import { makeOnce } from './once.ts';
import { ApiError, makeNoClipError, makeUnprocessableError } from '../api-error.ts';

type Dependencies = Parameters<typeof translateSpans>[0] & {
  closing: AbortSignal;
  db: Db;
  limits: UsageLimits;
  links: Links;
  presets: Presets;
  queue: Queue;
};

/** Codes of the calls that make a clip. */
export const clipErrors = ['clip-not-found', 'not-found', 'unprocessable'] as const;

/** The clip that a request names; without a folder it may be in any. Throws 404. */
export async function findRequestedClip(
  db: Db,
  c: Context<AppEnv>,
  id = c.req.param('id') ?? '',
  folderId?: string,
): Promise<ClipWithSource> {
  const clip = await findClip(db, c.get('user').id, id, folderId);
  if (!clip) throw makeNoClipError();
  return clip;
}

/** Minimum and maximum length of a clip. */
const [minSeconds, maxSeconds] = [1, 180];

/** Seconds before and after the clip that are translated too, so that it can be made longer. */
const beside = 15;

const makeSourceGoneError = (): ApiError =>
  makeUnprocessableError(
    'The source is no longer stored, so no clip can be made of it.',
    'source-gone',
  );

function checkSpan({ start, end }: NewClip, duration: number): void {
  const seconds = Math.round((end - start) * 1000) / 1000;
  const errors = [
    ...(end > duration + 1e-3
      ? [{ path: 'end', message: `must be at most ${duration} seconds, was ${end}` }]
      : []),
    ...(seconds < minSeconds || seconds > maxSeconds
      ? [
          {
            path: 'end',
            message: `the clip must be ${minSeconds} to ${maxSeconds} seconds long, was ${seconds}`,
          },
        ]
      : []),
  ];
  if (errors.length > 0)
    throw makeMisfitError('The clip cannot be created.', errors, 'edit-invalid');
}

/** Adds a clip to a task, once for each `Idempotency-Key`. */
async function add(
  { db, limits, links, queue }: Dependencies,
  c: Context<AppEnv>,
  taskId: string,
  { asked, clip }: { asked: object; clip: UnsavedClip },
): Promise<Response> {
  const row = await makeOnce<ProjectRow>(db, c, asked, {
    make: async (admit) => {
      const made = await addOwnClip(db, queue, taskId, clip, async (trx, id) => {
        await admit(trx, id);
        await limits.requireWorkRoom(trx, c.get('user'));
      });
      if (!made) throw new ApiError('not-found', 'The task was deleted in the meantime.');
      return made;
    },
    read: (id) => findWatchedClip(db, c.get('user').id, id),
  });
  const addresses = await links.addressesOf(c.get('user').organization_id);
  return answerJson(makeProjectObject(row, addresses), 201);
}

/** A clip of any segment of a folder's source. */
export async function createClip(service: Dependencies, c: Context<AppEnv>): Promise<Response> {
  const asked = fit(newClipSchema, await readJsonObject(c));
  const folder = await findScannedFolder(service.db, c.get('user').id, c.req.param('id') ?? '');
  if (!folder) throw new ApiError('clip-not-found', 'There is no such folder.');
  const { id: taskId, request, source, analysis } = folder;
  if (!analysis && folder.status === 'processing') {
    throw makeUnprocessableError(
      'The clips of this folder are not ready yet. Try again when its task is ready.',
      'not-ready',
    );
  }
  if (!source || !analysis) throw makeSourceGoneError();
  checkSpan(asked, analysis.duration);
  const spans = [{ start: asked.start - beside, end: asked.end + beside }];
  const signal = requestSignal(c, service);
  const shown = request.translate_to
    ? await translateSpans(service, analysis, {
        taskId,
        to: request.translate_to,
        spans,
        signal,
      }).catch((error: unknown) => {
        throw error instanceof WorkFailure
          ? makeUnprocessableError(error.message, error.code)
          : error;
      })
    : analysis;
  const { name, inputs } = makeCustomClip(shown, asked, {
    editing: request.editing_options,
    dimensions: request.dimensions,
    style: (await listPresets(service, c.get('user'))).get(request.style_preset_id ?? '')?.style,
    mutedWords: await readMutedWords(service.db, c.get('user').organization_id),
  });
  const edit = makeEdit(inputs);
  return add(service, c, taskId, {
    asked,
    clip: {
      id: randomUUID(),
      name,
      score: null,
      explanation: null,
      edit,
      inputs,
      notes: [],
      work: estimatePreviewWork(edit, source),
      segment: null,
      posterKey: null,
    },
  });
}

/** A clip as another one is now. */
async function copyClip(service: Dependencies, c: Context<AppEnv>): Promise<Response> {
  fit(emptyBodySchema, await readJsonObject(c));
  const clip = await findRequestedEdit(service.db, c);
  const { name, edit, inputs, analysis, changes, source, segment } = clip;
  if (!source && !segment) throw makeSourceGoneError();
  return add(service, c, clip.task_id, {
    asked: {},
    clip: {
      id: randomUUID(),
      name: clip.made_name ?? name,
      score: clip.virality_score,
      explanation: clip.virality_score_explanation,
      edit,
      inputs,
      analysis,
      changes,
      notes: clip.notes ?? [],
      work: estimatePreviewWork(edit, source),
      segment,
      // That of the other clip goes with it. Its own comes with its preview.
      posterKey: null,
    },
  });
}

/** A variant of a clip (not in the specification). */
export function copyRoute(app: Hono<AppEnv>, service: Dependencies): void {
  addMethods(app, '/projects/:id/copy', {
    POST: describe(
      describeMaking(
        'Copy a clip with its current edit',
        emptyBodySchema,
        projectSchema,
        clipErrors,
      ),
      (c) => copyClip(service, c),
    ),
  });
}
