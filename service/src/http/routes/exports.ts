import type { Style, Presets } from 'clip-engine';
import {
  exportFilterSchema,
  startExportBodyASchema,
  startExportBodyBSchema,
  waitSeconds,
  type Watermark,
} from 'clip-kit/contract';
import type { Context, Hono } from 'hono';
import { readUntil } from '../../changes.ts';
import type { ServiceContext } from '../../context.ts';
import { findExport, listExports } from '../../db/exports.ts';
import { findProject } from '../../db/projects.ts';
import { type ExportRow } from '../../db/schema.ts';
import { exportObject, startExportRecord } from '../../exports/export-object.ts';
import { startExport } from '../../exports/start-export.ts';
import type { AppEnv } from '../app-env.ts';
import { fit, readJsonObject, readQuery } from '../body.ts';
import { holdSignal, preferenceApplied } from '../hold.ts';
import { methods } from '../methods.ts';
import { requirePreset } from '../preset-field.ts';
import { ApiError } from '../problem.ts';

/** Reads either variant of the body (4.7). Throws 422 for a preset that there is not. */
const readStart = (
  presets: Presets,
  body: Record<string, unknown>,
): { watermark?: Watermark | undefined; style?: Style } => {
  if (!('preset_id' in body)) return { watermark: fit(startExportBodyASchema, body).watermark };
  const { preset_id: id } = fit(startExportBodyBSchema, body);
  return { style: requirePreset(presets, 'preset_id', id).style };
};

/** `folderId` as for `findProject`. */
const requireProject = async (
  service: ServiceContext,
  c: Context<AppEnv>,
  id: string,
  folderId?: string,
) => {
  const project = await findProject(service.db, c.get('user').id, id, folderId);
  if (!project) throw new ApiError('clip-not-found', 'There is no such clip in this account.');
  return project;
};

/** When the export will be ready, as it looks now; undefined if it is settled. */
const estimateOf = async (service: ServiceContext, row: ExportRow): Promise<Date | undefined> =>
  row.status === 'processing' ? (await service.estimates.current()).get(row.id) : undefined;

const start = async (
  service: ServiceContext,
  c: Context<AppEnv>,
  projectId: string,
  folderId?: string,
) => {
  const asked = readStart(service.presets, await readJsonObject(c));
  const project = await requireProject(service, c, projectId, folderId);
  const row = await startExport(service, c.get('user'), project, {
    ...asked,
    signal: holdSignal(c, service),
  });
  return exportObject(row, service.publicUrl());
};

const read = async (
  service: ServiceContext,
  c: Context<AppEnv>,
  projectId: string,
  folderId?: string,
): Promise<Response> => {
  const missing = new ApiError('export-not-found', 'There is no such export of this clip.');
  const userId = c.get('user').id;
  if (!(await findProject(service.db, userId, projectId, folderId))) throw missing;
  const wait = waitSeconds(c.req.header('prefer'));
  const row = await readUntil(
    service.changes,
    () => findExport(service.db, userId, projectId, c.req.param('export_id') ?? ''),
    (found) => found?.status !== 'processing',
    { ms: wait * 1000, signal: holdSignal(c, service) },
  );
  if (!row) throw missing;
  const estimate = await estimateOf(service, row);
  return c.json(exportObject(row, service.publicUrl(), estimate), 200, preferenceApplied(wait));
};

const statuses = (rows: readonly ExportRow[]): string =>
  rows.map(({ id, status }) => `${id} ${status}`).join();

const list = async (service: ServiceContext, c: Context<AppEnv>): Promise<Response> => {
  const filter = fit(exportFilterSchema, readQuery(c), 'query');
  const wait = waitSeconds(c.req.header('prefer'));
  let first: string | null = null;
  const rows = await readUntil(
    service.changes,
    () => listExports(service.db, c.get('user').id, filter),
    (found) => {
      first ??= statuses(found);
      return !found.some(({ status }) => status === 'processing') || statuses(found) !== first;
    },
    { ms: wait * 1000, signal: holdSignal(c, service) },
  );
  const open = rows.some(({ status }) => status === 'processing');
  const estimates = open ? await service.estimates.current() : null;
  return c.json(
    rows.map((row) => exportObject(row, service.publicUrl(), estimates?.get(row.id))),
    200,
    preferenceApplied(wait),
  );
};

/** Sections 4.6 to 4.9. */
export const exportRoutes = (app: Hono<AppEnv>, service: ServiceContext): void => {
  methods(app, '/exports', { GET: (c) => list(service, c) });
  methods(app, '/projects/:clip_id/exports', {
    POST: async (c) =>
      c.json(startExportRecord(await start(service, c, c.req.param('clip_id') ?? '')), 201),
  });
  methods(app, '/projects/:clip_id/exports/:export_id', {
    GET: (c) => read(service, c, c.req.param('clip_id') ?? ''),
  });
  methods(app, '/projects/:folder_id/:project_id/exports', {
    POST: async (c) => {
      const { folder_id: folderId = '', project_id: id = '' } = c.req.param();
      return c.json(await start(service, c, id, folderId), 201);
    },
  });
  methods(app, '/projects/:folder_id/:project_id/exports/:export_id', {
    GET: (c) => {
      const { folder_id: folderId = '', project_id: id = '' } = c.req.param();
      return read(service, c, id, folderId);
    },
  });
};
