import { exportFilterSchema } from 'clip-kit/contract';
import type { Context, Handler } from 'hono';
import * as z from 'zod/mini';
import { readOnce } from '../db/live-rows.ts';
import type { Db } from '../db/schema.ts';
import type { Estimates } from '../exports/forecast.ts';
import type { Links } from '../links/links.ts';
import type { Changes } from '../operations/changes.ts';
import { readShownExports } from '../exports/queries.ts';
import { type Place } from '../tasks/queries.ts';
import { listExports, type ExportsQuery } from '../exports/queries.ts';
import { findKey } from '../db/idempotency-keys.ts';
import { exportObject } from '../exports/rules.ts';
import { fit, readQuery } from './body.ts';
import { type AppEnv, readLongPoll } from './methods.ts';
import { cursorSchema, answerEncoded, answerJson, streamJson, nextPage, Pacer } from './json.ts';
import { readIdempotencyKey } from './once.ts';

interface Dependencies {
  changes: Changes;
  closing: AbortSignal;
  db: Db;
  estimates: Estimates;
  links: Links;
  publicUrl: () => string;
}

/** Exports per chunk of a list without `limit`. */
const readAtOnce = 500;

export const exportsQuerySchema = z.extend(exportFilterSchema, {
  limit: z.optional(
    z.pipe(
      z.string().check(z.regex(/^(?:[1-9]\d{0,2}|1000)$/, 'must be a whole number from 1 to 1000')),
      z.transform(Number),
    ),
  ),
  cursor: z.optional(cursorSchema),
});

/** The export that a start with this key has made, if there is one. */
async function listByKey(
  service: Dependencies,
  c: Context<AppEnv>,
  key: string,
): Promise<Response> {
  const made = await findKey(service.db, { userId: c.get('user').id, key });
  const rows = made ? await readShownExports(service.db, [made.made_id]) : [];
  const addresses = await service.links.addressesOf(c.get('user').organization_id);
  const exports = rows.map((row) => exportObject(row, addresses));
  return answerJson(exports, 200, { 'Idempotency-Key': key });
}

/** Which part of a list: `limit` exports after a place, or from its start. */
type PageQuery = ExportsQuery & {
  limit: number;
  after: Place | undefined;
  organizationId: string;
};

/** Part of a list, as it is sent. */
interface Page {
  json: Uint8Array;
  /** The place of the last export in it; undefined if the list ends here. */
  last: Place | undefined;
}

async function readPage(
  service: Dependencies,
  { limit, after, organizationId, ...asked }: PageQuery,
) {
  const rows = await listExports(service.db, asked, { limit: limit + 1, after });
  const shown = rows.slice(0, limit);
  const isOpen = shown.some(({ status }) => status === 'processing');
  const forecast = isOpen ? await service.estimates.current() : null;
  const addresses = await service.links.addressesOf(organizationId);
  const exports = shown.map((row) => exportObject(row, addresses, forecast?.exportReady(row)));
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return { json: Buffer.from(JSON.stringify(exports)), last };
}

/** Section 4.9. Who asks for the same at the same moment, as after a change, shares an answer. */
export function exportList(service: Dependencies): Handler<AppEnv> {
  const pages = readOnce<Page>((key) => readPage(service, JSON.parse(key) as PageQuery));
  const answers = new Pacer();
  return async (c) => {
    const key = readIdempotencyKey(c);
    if (key !== null) return listByKey(service, c, key);
    const { limit, cursor, ...filter } = fit(exportsQuerySchema, readQuery(c), 'query');
    const { id: userId, organization_id: organizationId } = c.get('user');
    const asked = { userId, folderId: filter.folder_id, projectId: filter.project_id };
    const poll = readLongPoll(c, service);
    await service.changes.listChanged(asked, poll);
    const read = async (after: Place | undefined): Promise<Page> => {
      const query: PageQuery = { ...asked, organizationId, limit: limit ?? readAtOnce, after };
      return (await pages.read(JSON.stringify(query)))!;
    };
    const first = await read(cursor);
    // A change may end thousands of holds, each with a long list to send.
    if (poll.ms > 0) await answers.next();
    if (!first.last) return answerEncoded(first.json, poll.headers);
    if (limit !== undefined) {
      return answerEncoded(first.json, {
        ...poll.headers,
        Link: nextPage(service, c, 'exports', first.last),
      });
    }
    async function* parts() {
      for (let page = first; ; page = await read(page.last)) {
        // Those that were there may have been deleted meanwhile.
        if (page.json.length > '[]'.length) yield page.json;
        if (!page.last) return;
      }
    }
    return streamJson(parts(), poll.headers);
  };
}
