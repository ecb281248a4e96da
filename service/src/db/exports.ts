import { type Kysely, type Transaction, sql } from 'kysely';

import type { ExportRow, Database } from './schema.ts';
import { isId } from './id.ts';

/** What an organization has exported so far. */
export interface Usage {
  exports: number;
  /** Clips exported at least once. */
  clips: number;
  /** Whether the clip in question is one of them. */
  clipCounted: boolean;
}

/** The user's export of the clip; undefined where it is another's, or another clip's. */
export const findExport = async (
  db: Kysely<Database>,
  userId: string,
  projectId: string,
  id: string,
): Promise<ExportRow | undefined> =>
  isId(id)
    ? db
        .selectFrom('exports')
        .selectAll()
        .where('id', '=', id)
        .where('project_id', '=', projectId)
        .where('author_id', '=', userId)
        .executeTakeFirst()
    : undefined;

/** The user's exports, newest first. */
export const listExports = async (
  db: Kysely<Database>,
  userId: string,
  filter: { folder_id?: string | undefined; project_id?: string | undefined },
): Promise<ExportRow[]> => {
  const ids = [filter.folder_id, filter.project_id].filter((id) => id !== undefined);
  if (!ids.every(isId)) return [];
  let query = db.selectFrom('exports').selectAll().where('author_id', '=', userId);
  if (filter.folder_id !== undefined) query = query.where('folder_id', '=', filter.folder_id);
  if (filter.project_id !== undefined) query = query.where('project_id', '=', filter.project_id);
  return query.orderBy('created_at', 'desc').orderBy('id').execute();
};

/** The user's newest export of the clip that is being rendered. */
export const findRendering = (
  db: Kysely<Database>,
  userId: string,
  projectId: string,
): Promise<ExportRow | undefined> =>
  db
    .selectFrom('exports')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('author_id', '=', userId)
    .where('status', '=', 'processing')
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();

/** The organization's plan, locked until the transaction ends: nobody else can count at the same time. */
export const lockOrganization = (trx: Transaction<Database>, id: string) =>
  trx
    .selectFrom('organizations')
    .select(['plan', 'export_allowance', 'state'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow();

/** What the organization has exported so far. Exports count from their start, whatever became of them. */
export const readUsage = (
  db: Kysely<Database>,
  organizationId: string,
  projectId: string,
): Promise<Usage> =>
  db
    .selectFrom('exports')
    .select([
      sql<number>`count(*)::int`.as('exports'),
      sql<number>`count(distinct project_id)::int`.as('clips'),
      sql<boolean>`coalesce(bool_or(project_id = ${projectId}), false)`.as('clipCounted'),
    ])
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow();
