import { viewBatchSchema, viewReportSchema } from 'clip-kit/contract';
import type { Context, Hono } from 'hono';
import * as z from 'zod/mini';
import { makeNoClipError } from '../api-error.ts';
import { findWatchedClip } from '../clips/queries.ts';
import type { Db } from '../db/schema.ts';
import type { CollectedViews } from '../views/collected.ts';
import { fit, readJsonObject, readQuery } from './body.ts';
import { describeAnswer, describe } from './describe.ts';
import { answerJson } from './json.ts';
import { type AppEnv, addMethods } from './methods.ts';
import { getOrganization } from './users.ts';
import { readViews } from '../views/queries.ts';
import { viewCsv, makeViewReport } from '../views/rules.ts';

const querySchema = z.strictObject({ format: z.optional(z.enum(['json', 'csv'])) });

/** The counts of a clip of the user. Throws 404. */
export async function readReport({ db }: { db: Db }, c: Context<AppEnv>): Promise<Response> {
  const { format } = fit(querySchema, readQuery(c), 'query');
  const clip = await findWatchedClip(db, c.get('user').id, c.req.param('id') ?? '');
  if (!clip) throw makeNoClipError();
  const report = makeViewReport(clip.id, await readViews(db, clip.id), clip.edit.duration);
  if (format !== 'csv') return answerJson(report);
  return new Response(viewCsv([report]), {
    headers: { 'Content-Type': 'text/csv; charset=utf-8', 'Cache-Control': 'no-store' },
  });
}

/**
 * Adds the routes of watched clips: hosts send their views, and users read them. Not in the
 * specification.
 */
export function viewRoutes(app: Hono<AppEnv>, service: { db: Db; views: CollectedViews }): void {
  addMethods(app, '/projects/views', {
    POST: describe(
      {
        summary: 'Count what visitors watched of the organization’s clips; sent by its host',
        details:
          'For one `visitor`, a clip counts at most one view a minute, and each ten seconds once. Clips of other organizations are ignored.',
        body: viewBatchSchema,
        answers: { 204: ['Counted'] },
        errors: [],
      },
      async (c) => {
        const organizationId = getOrganization(c);
        const batch = fit(viewBatchSchema, await readJsonObject(c));
        await service.views.add(organizationId, batch);
        return c.body(null, 204);
      },
    ),
  });
  addMethods(app, '/projects/:id/views', {
    GET: describe(
      describeAnswer(
        'How often a clip was watched, and how far; as CSV, a line for each ten seconds',
        [viewReportSchema, 'text/csv'],
        ['clip-not-found'],
        { query: querySchema },
      ),
      (c) => readReport(service, c),
    ),
  });
}
