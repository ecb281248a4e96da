import type { Style, Presets } from 'clip-engine';
import {
  exportFilterSchema,
  startExportBodyASchema,
  startExportBodyBSchema,
  waitSeconds,
  type Export,
  type Watermark,
} from 'clip-kit/contract';
import type { Context, Hono } from 'hono';
import * as z from 'zod/mini';
import type { ServiceContext } from '../../context.ts';
import { listExports, type Place } from '../../db/exports.ts';
import { readShownExports, type ShownExport } from '../../db/changes.ts';
import { findKey } from '../../db/idempotency-keys.ts';
import { deleteExport } from '../../db/deletion.ts';
import { findProject } from '../../db/projects.ts';
import type { Forecast } from '../../estimates/forecast.ts';
import { exportAddress } from '../../exports/export-address.ts';
import { exportObject, startExportRecord } from '../../exports/export-object.ts';
import { startExport } from '../../exports/start-export.ts';
import { fit, readJsonObject, readQuery } from '../body.ts';
import { holdSignal, preferenceApplied, waitOf } from '../hold.ts';
import { json, jsonStream } from '../json.ts';
import { methods, type AppEnv } from '../methods.ts';
import { idempotencyKey, once } from '../once.ts';
import { requirePreset } from '../preset-field.ts';
import { ApiError } from '../problem.ts';

/** A list without `limit` is sent in pieces of so many exports. */
const readAtOnce = 500;

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
  const row = await once<ShownExport>(service.db, c, asked, {
    make: (admit) => startExport(service, c.get('user'), project, { ...asked, admit, signal }),
    read: async (id) => (await readShownExports(service.db, [id]))[0],
  });
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
  const forecast = row.status === 'processing' ? await service.estimates.current() : null;
  const exported = exportObject(row, exportAddress(service), forecast?.exportReady(row));
  return json(exported, 200, preferenceApplied(wait));
}

async function remove(service: ServiceContext, c: Context<AppEnv>): Promise<Response> {
  const { projectId, folderId, exportId } = idsOf(c);
  const { id: userId } = c.get('user');
  const project = await findProject(service.db, userId, projectId, folderId);
  const deleted = project && (await deleteExport(service.db, userId, { projectId, exportId }));
  if (!deleted) throw new ApiError('export-not-found', 'There is no such export of this clip.');
  service.changes.deleted();
  return c.body(null, 204);
}

const querySchema = z.extend(exportFilterSchema, {
  limit: z.optional(
    z.pipe(
      z.string().check(z.regex(/^(?:[1-9]\d{0,2}|1000)$/, 'must be a whole number from 1 to 1000')),
      z.transform(Number),
    ),
  ),
  cursor: z.optional(
    z.pipe(
      z.string().check(z.regex(/^\d{1,17}\.[\w-]{1,64}$/, 'is not one of a page of this list')),
      z.transform((cursor): Place => {
        const [createdMicroseconds = '', id = ''] = cursor.split('.');
        return { createdMicroseconds, id };
      }),
    ),
  ),
});

/** Names a place, also after its export has been deleted. */
const cursorOf = ({ createdMicroseconds, id }: Place): string => `${createdMicroseconds}.${id}`;

/** The address of the next page, for the header `Link` (RFC 8288). */
function nextPage(service: ServiceContext, c: Context<AppEnv>, cursor: string): string {
  const query = new URLSearchParams({ ...c.req.query(), cursor });
  return `<${service.publicUrl()}/v2/exports?${query}>; rel="next"`;
}

/** The export that a start with this key has made, if there is one. */
async function listByKey(
  service: ServiceContext,
  c: Context<AppEnv>,
  key: string,
): Promise<Response> {
  const made = await findKey(service.db, { userId: c.get('user').id, key });
  const rows = made ? await readShownExports(service.db, [made.made_id]) : [];
  const exports = rows.map((row) => exportObject(row, exportAddress(service)));
  return json(exports, 200, { 'Idempotency-Key': key });
}

async function list(service: ServiceContext, c: Context<AppEnv>): Promise<Response> {
  const key = idempotencyKey(c);
  if (key !== null) return listByKey(service, c, key);
  const { limit, cursor, ...filter } = fit(querySchema, readQuery(c), 'query');
  const userId = c.get('user').id;
  const asked = { userId, folderId: filter.folder_id, projectId: filter.project_id };
  const wait = waitSeconds(c.req.header('prefer'));
  await service.changes.listChanged(asked, waitOf(c, service, wait));
  const headers = preferenceApplied(wait);
  // Read once, at the first export that needs them.
  let forecast: Promise<Forecast> | null = null;
  const shown = async (rows: readonly ShownExport[]): Promise<Export[]> => {
    const open = rows.some(({ status }) => status === 'processing');
    const known = open ? await (forecast ??= service.estimates.current()) : null;
    return rows.map((row) => exportObject(row, exportAddress(service), known?.exportReady(row)));
  };
  const read = (after: Place | undefined, count: number) =>
    listExports(service.db, asked, { limit: count, after });
  if (limit !== undefined) {
    const rows = await read(cursor, limit + 1);
    const last = rows.length > limit ? rows[limit - 1] : undefined;
    const link = last && { Link: nextPage(service, c, cursorOf(last)) };
    return json(await shown(rows.slice(0, limit)), 200, { ...headers, ...link });
  }
  const first = await read(cursor, readAtOnce);
  if (first.length < readAtOnce) return json(await shown(first), 200, headers);
  async function* pages() {
    for (let rows = first; rows.length > 0;) {
      yield await shown(rows);
      if (rows.length < readAtOnce) return;
      rows = await read(rows.at(-1), readAtOnce);
    }
  }
  return jsonStream(pages(), headers);
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
