import type { Style, Presets } from 'clip-engine';
import {
  exportFilterSchema,
  startExportBodyASchema,
  startExportBodyBSchema,
  waitSeconds,
  type Watermark,
} from 'clip-kit/contract';
import type { Context, Hono } from 'hono';
import type { ServiceContext } from '../../context.ts';
import type { ShownExport } from '../../db/changes.ts';
import { deleteExport } from '../../db/deletion.ts';
import { findProject } from '../../db/projects.ts';
import { removeFiles } from '../../deletion/remove-files.ts';
import { exportAddress } from '../../exports/export-address.ts';
import { exportObject, startExportRecord } from '../../exports/export-object.ts';
import { startExport } from '../../exports/start-export.ts';
import { fit, readJsonObject, readQuery } from '../body.ts';
import { holdSignal, preferenceApplied, waitOf } from '../hold.ts';
import { json } from '../json.ts';
import { methods, type AppEnv } from '../methods.ts';
import { requirePreset } from '../preset-field.ts';
import { ApiError } from '../problem.ts';

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

/** The ids of the path; undefined for a folder asks for a clip in any folder, or in none. */
function idsOf(c: Context<AppEnv>) {
  const { project_id = '', folder_id, export_id = '' }: Record<string, string> = c.req.param();
  return { projectId: project_id, folderId: folder_id, exportId: export_id };
}

async function start(service: ServiceContext, c: Context<AppEnv>): Promise<Response> {
  const { projectId, folderId } = idsOf(c);
  const asked = readStart(service.presets, await readJsonObject(c));
  const project = await findProject(service.db, c.get('user').id, projectId, folderId);
  if (!project) throw new ApiError('clip-not-found', 'There is no such clip in this account.');
  const signal = holdSignal(c, service);
  const row = await startExport(service, c.get('user'), project, { ...asked, signal });
  const started = exportObject(row, exportAddress(service));
  return json(folderId === undefined ? startExportRecord(started) : started, 201);
}

async function read(service: ServiceContext, c: Context<AppEnv>): Promise<Response> {
  const { projectId, folderId, exportId } = idsOf(c);
  const userId = c.get('user').id;
  const own = (row: ShownExport): boolean =>
    row.author_id === userId &&
    row.project_id === projectId &&
    (folderId === undefined || row.folder_id === folderId);
  const wait = waitSeconds(c.req.header('prefer'));
  const row = await service.changes.exports.settled(exportId, own, waitOf(c, service, wait));
  if (!row) throw new ApiError('export-not-found', 'There is no such export of this clip.');
  const estimates = row.status === 'processing' ? await service.estimates.current() : null;
  const exported = exportObject(row, exportAddress(service), estimates?.get(row.id));
  return json(exported, 200, preferenceApplied(wait));
}

async function remove(service: ServiceContext, c: Context<AppEnv>): Promise<Response> {
  const { projectId, folderId, exportId } = idsOf(c);
  const { id: userId } = c.get('user');
  const project = await findProject(service.db, userId, projectId, folderId);
  const deleted = project && (await deleteExport(service.db, userId, { projectId, exportId }));
  if (!deleted) throw new ApiError('export-not-found', 'There is no such export of this clip.');
  await removeFiles(service.storage, deleted);
  return c.body(null, 204);
}

const statuses = (rows: readonly ShownExport[]): string =>
  rows.map(({ id, status }) => `${id} ${status}`).join();

async function list(service: ServiceContext, c: Context<AppEnv>): Promise<Response> {
  const filter = fit(exportFilterSchema, readQuery(c), 'query');
  const wait = waitSeconds(c.req.header('prefer'));
  let first: string | null = null;
  const rows = await service.changes.list(
    { userId: c.get('user').id, folderId: filter.folder_id, projectId: filter.project_id },
    (found) => {
      first ??= statuses(found);
      return !found.some(({ status }) => status === 'processing') || statuses(found) !== first;
    },
    waitOf(c, service, wait),
  );
  const open = rows.some(({ status }) => status === 'processing');
  const estimates = open ? await service.estimates.current() : null;
  return json(
    rows.map((row) => exportObject(row, exportAddress(service), estimates?.get(row.id))),
    200,
    preferenceApplied(wait),
  );
}

/** Sections 4.6 to 4.9. */
export function exportRoutes(app: Hono<AppEnv>, service: ServiceContext): void {
  methods(app, '/exports', { GET: (c) => list(service, c) });
  for (const path of ['/projects/:project_id', '/projects/:folder_id/:project_id']) {
    methods(app, `${path}/exports`, { POST: (c) => start(service, c) });
    methods(app, `${path}/exports/:export_id`, {
      GET: (c) => read(service, c),
      DELETE: (c) => remove(service, c),
    });
  }
}
