import type { Presets, Style } from 'clip-engine';
import {
  type Allowance,
  allowanceSchema,
  downloadFileName,
  emptyBodySchema,
  exportSchema,
  startExportBodyASchema,
  startExportBodyBSchema,
  startExportRecordSchema,
  type Watermark,
} from 'clip-kit/contract';
import type { Context, Hono } from 'hono';
import * as z from 'zod/mini';
import { listPresets } from '../appearance/queries.ts';
import { findNewest, readShownExports, readUsage, type ShownExport } from '../exports/queries.ts';
import { deleteExport } from '../tasks/deletion-queries.ts';
import { findWatchedClip } from '../clips/queries.ts';
import { findRequestedClip } from './own-clips.ts';
import { exportObject, findRefusal, startExportRecord } from '../exports/rules.ts';
import { type ExportStartDependencies, startExport } from '../exports/start-export.ts';
import { fit, readJsonObject, readQuery, requirePreset } from './body.ts';
import {
  describeAnswer,
  describeDeletion,
  describe,
  describeMaking,
  describeFile,
} from './describe.ts';
import { type AppEnv, readLongPoll, addMethods, requestSignal } from './methods.ts';
import { answerJson } from './json.ts';
import { type Making, makeOnce } from './once.ts';
import { ApiError } from '../api-error.ts';
import { exportList, exportsQuerySchema } from './export-list.ts';
import type { ExportRow, Db } from '../db/schema.ts';
import { sendFile } from './send-file.ts';

type Dependencies = ExportStartDependencies &
  Parameters<typeof exportList>[0] & { downloadWaitMs: number; presets: Presets };

/** Reads either variant of the body (4.7). Throws 422 for a preset that there is not. */
function readStart(
  presets: Presets,
  body: Record<string, unknown>,
): { watermark?: Watermark | undefined; style?: Style } {
  const { preset_id: preset, ...rest } = body;
  if (preset === undefined || preset === null) {
    return { watermark: fit(startExportBodyASchema, rest).watermark };
  }
  const { preset_id: id } = fit(startExportBodyBSchema, body);
  return { style: requirePreset(presets, 'preset_id', id).style };
}

const makeAddresses = ({ links }: Dependencies, c: Context<AppEnv>) =>
  links.addressesOf(c.get('user').organization_id);

/** The ids of the path; undefined for a folder asks for a clip in any folder, or in none. */
function readIds(c: Context<AppEnv>) {
  const { project_id = '', folder_id, export_id = '' }: Record<string, string> = c.req.param();
  return { projectId: project_id, folderId: folder_id, exportId: export_id };
}

async function start(service: Dependencies, c: Context<AppEnv>): Promise<Response> {
  const { projectId, folderId } = readIds(c);
  const body = await readJsonObject(c);
  // Only a preset that is not one of all needs to be looked up.
  const isOwn = typeof body['preset_id'] === 'string' && !service.presets.has(body['preset_id']);
  const presets = isOwn ? await listPresets(service, c.get('user')) : service.presets;
  const asked = readStart(presets, body);
  const clip = await findRequestedClip(service.db, c, projectId, folderId);
  const signal = requestSignal(c, service);
  const row = await makeOnce<ShownExport>(service.db, c, asked, {
    make: (admit) => startExport(service, c.get('user'), clip, { ...asked, admit, signal }),
    read: async (id) => (await readShownExports(service.db, [id]))[0],
  });
  const started = exportObject(row, await makeAddresses(service, c));
  return answerJson(folderId === undefined ? startExportRecord(started) : started, 201);
}

async function read(service: Dependencies, c: Context<AppEnv>): Promise<Response> {
  const { projectId, folderId, exportId } = readIds(c);
  const userId = c.get('user').id;
  const own = (row: ShownExport): boolean =>
    row.author_id === userId &&
    row.project_id === projectId &&
    (folderId === undefined || row.folder_id === folderId);
  const poll = readLongPoll(c, service);
  const row = await service.changes.exports.settled(exportId, own, poll);
  if (!row) throw new ApiError('export-not-found', 'There is no such export of this clip.');
  const forecast = row.status === 'processing' ? await service.estimates.current() : null;
  const addresses = await makeAddresses(service, c);
  const exported = exportObject(row, addresses, forecast?.exportReady(row));
  return answerJson(exported, 200, poll.headers);
}

async function remove(service: Dependencies, c: Context<AppEnv>): Promise<Response> {
  const { projectId, folderId, exportId } = readIds(c);
  const { id: userId } = c.get('user');
  const clip = await findWatchedClip(service.db, userId, projectId, folderId);
  const deleted = clip && (await deleteExport(service.db, userId, { projectId, exportId }));
  if (!deleted) throw new ApiError('export-not-found', 'There is no such export of this clip.');
  service.changes.deleted();
  return c.body(null, 204);
}

/** Sections 4.6 to 4.9. */
export function exportRoutes(app: Hono<AppEnv>, service: Dependencies): void {
  addMethods(app, '/exports', {
    GET: describe(
      describeAnswer('The user’s exports, newest first (4.9)', z.array(exportSchema), [], {
        details:
          'With an `Idempotency-Key`, only the export that was started with it; the answer repeats the key.',
        query: exportsQuerySchema,
        headers: ['Idempotency-Key', 'Prefer'],
      }),
      exportList(service),
    ),
  });
  for (const [path, started] of [
    ['/projects/:project_id', startExportRecordSchema],
    ['/projects/:folder_id/:project_id', exportSchema],
  ] as const) {
    addMethods(app, `${path}/exports`, {
      POST: describe(
        describeMaking(
          'Start an export (4.6, 4.7)',
          z.union([startExportBodyASchema, startExportBodyBSchema]),
          started,
          ['export-limit', 'clip-not-found', 'unprocessable'],
        ),
        (c) => start(service, c),
      ),
    });
    addMethods(app, `${path}/exports/:export_id`, {
      GET: describe(
        describeAnswer('An export (4.8)', exportSchema, ['export-not-found'], {
          headers: ['Prefer'],
        }),
        (c) => read(service, c),
      ),
      DELETE: describe(describeDeletion('Delete an export', 'export-not-found'), (c) =>
        remove(service, c),
      ),
    });
  }
}

/** Adds the route for the present cost of an export of a clip. Not in the specification. */
export function addAllowanceRoute(app: Hono<AppEnv>, service: { db: Db }): void {
  addMethods(app, '/projects/:id/allowance', {
    GET: describe(
      describeAnswer('The cost of exporting the clip now', allowanceSchema, ['clip-not-found']),
      async (c) => {
        const clip = await findRequestedClip(service.db, c);
        const { plan, usage } = await readUsage(service.db, c.get('user'), clip.id);
        const counts = plan.plan === 'free' || usage.isNewClip;
        const next = { ...usage, exports: usage.exports + 1, clips: usage.clips + Number(counts) };
        return answerJson({
          plan: plan.plan,
          state: plan.state,
          allowance: plan.export_allowance,
          used: plan.plan === 'paid' ? usage.clips : usage.exports,
          counts,
          refusal: findRefusal(plan, next),
        } satisfies Allowance);
      },
    ),
  });
}

/** Exports of a clip, started from its page. */
export function addEditorExportRoutes(embed: Hono<AppEnv>, service: Dependencies): void {
  const shown = async (c: Context<AppEnv>, row: ShownExport) => {
    const forecast = row.status === 'processing' ? await service.estimates.current() : null;
    return exportObject(row, await makeAddresses(service, c), forecast?.exportReady(row));
  };
  addMethods(embed, '/projects/:id/exports', {
    GET: async (c) => {
      const clip = await findRequestedClip(service.db, c);
      const newest = async (status: ExportRow['status'], revision?: number) => {
        const row = await findNewest(service.db, clip.author_id, clip.id, status, revision);
        return row ? shown(c, row) : null;
      };
      const [ready, processing, failed] = await Promise.all([
        newest('ready'),
        newest('processing'),
        newest('error', clip.revision),
      ]);
      return answerJson({ revision: clip.revision, ready, processing, failed });
    },
    POST: async (c) => {
      fit(emptyBodySchema, await readJsonObject(c));
      const clip = await findRequestedClip(service.db, c);
      const signal = requestSignal(c, service);
      const making: Making<ShownExport> = {
        make: (admit) => startExport(service, c.get('user'), clip, { reuse: true, admit, signal }),
        read: async (id) => (await readShownExports(service.db, [id]))[0],
      };
      return answerJson(await shown(c, await makeOnce(service.db, c, {}, making)), 201);
    },
  });
  addAllowanceRoute(embed, service);
}

const downloadQuerySchema = z.strictObject({ export_id: z.optional(z.string()) });

/**
 * `Content-Disposition` of a clip's download. `filename` follows 4.10, rule 1, and has only ASCII;
 * a name with other letters also gets `filename*` (RFC 6266). `extension`: without its dot.
 */
export function makeContentDisposition(clipName: string, extension = 'mp4'): string {
  const ascii = downloadFileName(clipName).replace(/mp4$/, extension);
  const plain = `attachment; filename="${ascii}"`;
  const full = clipName.normalize('NFC').replace(/[^\p{L}\p{M}\p{N}._-]/gu, '_');
  if (!/[^\x20-\x7e]/.test(full)) return plain;
  const encoded = encodeURIComponent(`${full}.${extension}`).replace(
    /['()*!]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${plain}; filename*=UTF-8''${encoded}`;
}

const makeTimeoutError = (): ApiError =>
  new ApiError('service-timeout', 'Export timed out or failed.');

async function download(service: Dependencies, c: Context<AppEnv>): Promise<Response> {
  const { export_id: asked } = fit(downloadQuerySchema, readQuery(c), 'query');
  if (c.req.raw.method === 'HEAD' && asked === undefined) {
    throw new ApiError(
      'method-not-allowed',
      'HEAD needs an export_id here: without one, the call may start a render.',
      { headers: { Allow: 'GET' } },
    );
  }
  const user = c.get('user');
  const clip = await findRequestedClip(service.db, c, c.req.param('clip_id'));
  const signal = requestSignal(c, service);
  const id = asked ?? (await startExport(service, user, clip, { reuse: true, signal })).id;
  const own = (found: ShownExport): boolean =>
    found.author_id === user.id && found.project_id === clip.id;
  const row = await service.changes.exports.settled(id, own, {
    ms: service.downloadWaitMs,
    signal,
  });
  if (!row) throw new ApiError('export-not-found', 'There is no such export of this clip.');
  if (row.status === 'processing' && service.closing.aborted) {
    throw new ApiError('service-unavailable', 'The service is stopping: try again in a moment.');
  }
  if (row.status !== 'ready' || row.file_key === null) throw makeTimeoutError();
  const answer = await sendFile(c, service.storage, row.file_key, {
    'Content-Type': 'video/mp4',
    'Content-Disposition': makeContentDisposition(row.name),
    'Cache-Control': 'private, no-store',
  });
  if (!answer) throw makeTimeoutError();
  return answer;
}

/** Section 4.10. */
export function downloadRoutes(app: Hono<AppEnv>, service: Dependencies): void {
  addMethods(app, '/projects/:clip_id/download', {
    GET: describe(
      describeFile(
        'The MP4 of an export, as soon as it is ready (4.10)',
        ['video/mp4'],
        ['export-limit', 'clip-not-found', 'export-not-found', 'service-timeout'],
        { query: downloadQuerySchema },
      ),
      (c) => download(service, c),
    ),
  });
}
