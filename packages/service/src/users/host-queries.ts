import { randomBytes } from 'node:crypto';
import { postgresStore, type HostStore } from 'clip-host';
import { CompiledQuery, sql } from 'kysely';
import type { Db, Trx } from '../db/schema.ts';

/**
 * The secrets with which the sites of an organization sign their users' sessions, and the origins
 * of their pages.
 */
export interface HostSite {
  /** The newest first; at most two, so that one can be replaced. */
  readonly secrets: readonly string[];
  readonly origins: readonly string[];
}

/** The site of an organization; undefined if it has no secret. */
export const findHostSite = (db: Db, organizationId: string): Promise<HostSite | undefined> =>
  db
    .selectFrom('host_sites')
    .select(['secrets', 'origins'])
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();

/** The sites of all organizations, without their secrets. */
export const listHostSites = async (
  db: Db,
): Promise<{ organization: string; secrets: number; origins: string }[]> =>
  (await db.selectFrom('host_sites').selectAll().orderBy('organization_id').execute()).map(
    ({ organization_id: organization, secrets, origins }) => ({
      organization,
      secrets: secrets.length,
      origins: origins.join(' '),
    }),
  );

/** Makes a secret beside the previous one, and returns it. */
export async function createHostSecret(db: Db, organizationId: string): Promise<string> {
  const secret = randomBytes(32).toString('hex');
  await changeHostSite(db, organizationId, ({ secrets, origins }) => ({
    secrets: [secret, ...secrets].slice(0, 2),
    origins,
  }));
  return secret;
}

/** Forgets the secret that was replaced. False if there is only one. */
export async function removePreviousHostSecret(db: Db, organizationId: string): Promise<boolean> {
  let removed = false;
  await changeHostSite(db, organizationId, ({ secrets, origins }) => {
    removed = secrets.length > 1;
    return { secrets: secrets.slice(0, 1), origins };
  });
  return removed;
}

/** Sets the origins of the pages that may call the host. */
export const setHostOrigins = (
  db: Db,
  organizationId: string,
  origins: readonly string[],
): Promise<void> => changeHostSite(db, organizationId, ({ secrets }) => ({ secrets, origins }));

const changeHostSite = (
  db: Db,
  organizationId: string,
  change: (site: HostSite) => HostSite,
): Promise<void> =>
  db.transaction().execute(async (trx) => {
    await sql`insert into host_sites (organization_id, secrets, origins)
      values (${organizationId}, '[]', '[]') on conflict do nothing`.execute(trx);
    const { rows } = await sql<HostSite>`select secrets, origins from host_sites
      where organization_id = ${organizationId} for update`.execute(trx);
    const { secrets, origins } = change(rows[0]!);
    const values = { secrets: JSON.stringify(secrets), origins: JSON.stringify(origins) };
    await trx
      .updateTable('host_sites')
      .set(values)
      .where('organization_id', '=', organizationId)
      .execute();
  });

/** The users of sites that are these managed users. */
export const selectHostUsers = (userIds: readonly string[]) => sql`
  select host_user from clip_host_user where managed_user = any(${userIds}::text[])`;

/** Deletes who managed users are on their sites, and what they have started there. */
export async function deleteHostUsers(trx: Trx, userIds: readonly string[]): Promise<void> {
  for (const table of ['clip_host_attempt', 'clip_host_task', 'clip_host_user']) {
    await sql`delete from ${sql.table(table)}
      where host_user in (${selectHostUsers(userIds)})`.execute(trx);
  }
}

/** Which users of the sites are which users here, and what they have started. */
export const hostStore = (db: Db, namespace: string): HostStore =>
  postgresStore(
    {
      async query(text, values) {
        const { rows } = await db.executeQuery(CompiledQuery.raw(text, values));
        return { rows };
      },
    },
    { namespace },
  );
