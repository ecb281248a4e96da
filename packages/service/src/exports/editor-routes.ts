import type { Context, Hono } from 'hono';
import type { ServiceContext } from '../context.ts';
import { readShownExports, type ShownExport } from '../tasks/shown-queries.ts';
import { findNewest } from './queries.ts';
import { findClip, type Clip } from '../clips/queries.ts';
import type { ExportRow } from '../db/schema.ts';
import { exportAddress } from '../storage/export-address.ts';
import { exportObject } from './export-object.ts';
import { startExport, type ExportStartNeeds } from './start-export.ts';
import { fit, readJsonObject } from '../http/body.ts';
import { holdSignal } from '../http/hold.ts';
import { json } from '../http/json.ts';
import { methods, type AppEnv } from '../http/methods.ts';
import { once } from '../http/once.ts';
import { ApiError } from '../http/problem.ts';
import { emptyBodySchema } from 'clip-kit/contract';
import { allowanceRoute } from './allowance-routes.ts';

type Needs = ExportStartNeeds & Pick<ServiceContext, 'closing' | 'files' | 'publicUrl'>;

/** Exports of a clip, started from its page. */
export function editorExportRoutes(embed: Hono<AppEnv>, service: Needs): void {
  const found = async (c: Context<AppEnv>): Promise<Clip> => {
    const clip = await findClip(service.db, c.get('user').id, c.req.param('id') ?? '');
    if (!clip) throw new ApiError('clip-not-found', 'There is no such clip.');
    return clip;
  };
  const shown = async (row: ShownExport) => {
    const forecast = row.status === 'processing' ? await service.estimates.current() : null;
    return exportObject(row, exportAddress(service), forecast?.exportReady(row));
  };
  methods(embed, '/projects/:id/exports', {
    GET: async (c) => {
      const clip = await found(c);
      const newest = async (status: ExportRow['status'], revision?: number) => {
        const row = await findNewest(service.db, clip.author_id, clip.id, status, revision);
        return row ? shown(row) : null;
      };
      const [ready, processing, failed] = await Promise.all([
        newest('ready'),
        newest('processing'),
        newest('error', clip.revision),
      ]);
      return json({
        revision: clip.revision,
        ready,
        processing,
        failed,
      });
    },
    POST: async (c) => {
      fit(emptyBodySchema, await readJsonObject(c));
      const clip = await found(c);
      const signal = holdSignal(c, service);
      const row = await once<ShownExport>(
        service.db,
        c,
        {},
        {
          make: (admit) =>
            startExport(service, c.get('user'), clip, { reuse: true, admit, signal }),
          read: async (id) => (await readShownExports(service.db, [id]))[0],
        },
      );
      return json(await shown(row), 201);
    },
  });
  allowanceRoute(embed, service);
}
