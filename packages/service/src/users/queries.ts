import { randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { Plan } from '../config/config.ts';
import { hashKey, makeRandomKey } from '../db/id.ts';
import type { Db, PlanRow, Trx, UserRow } from '../db/schema.ts';
import { isTakingOver } from '../db/settings.ts';
import { makeUnknownUserError } from '../api-error.ts';

const makeKey = (): string => `ck_${makeRandomKey()}`;

async function addKey(
  trx: Trx,
  organizationId: string,
  key: string,
  origin: 'environment' | 'made',
): Promise<void> {
  await trx
    .insertInto('api_keys')
    .values({ id: randomUUID(), organization_id: organizationId, hash: hashKey(key), origin })
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .execute();
}

async function insertOrganization(trx: Trx, name: string): Promise<string> {
  const id = randomUUID();
  await trx
    .insertInto('organizations')
    .values({ id, name, plan: 'paid', state: 'active' })
    .execute();
  const email = `owner@${id}.invalid`;
  const owner = { id: randomUUID(), organization_id: id, email, is_guest: false };
  await trx.insertInto('users').values(owner).execute();
  return id;
}

async function addOrganization(trx: Trx, name: string): Promise<{ id: string; apiKey: string }> {
  const id = await insertOrganization(trx, name);
  const apiKey = makeKey();
  await addKey(trx, id, apiKey, 'made');
  return { id, apiKey };
}

/** Makes an organization (paid, no limit) with its owner and a key, which can only be seen here. */
export const createOrganization = (db: Db, name: string): Promise<{ id: string; apiKey: string }> =>
  db.transaction().execute((trx) => addOrganization(trx, name));

/** Makes another key for the organization, which can only be seen here. The others stay valid. */
export async function createKey(db: Db, organizationId: string): Promise<string> {
  const key = makeKey();
  await db.transaction().execute((trx) => addKey(trx, organizationId, key, 'made'));
  return key;
}

export const findFirstOrganizationId = async (db: Db): Promise<string | undefined> =>
  (
    await db
      .selectFrom('organizations')
      .select('id')
      .orderBy('created_at')
      .limit(1)
      .executeTakeFirst()
  )?.id;

export const findOrganization = (db: Db, id: string): Promise<{ id: string } | undefined> =>
  db.selectFrom('organizations').select('id').where('id', '=', id).executeTakeFirst();

/** The organizations, the first one first. */
export const listOrganizations = (db: Db) =>
  db
    .selectFrom('organizations')
    .select([
      'id',
      'name',
      sql<number>`(
        select count(*)::int from users where users.organization_id = organizations.id)`.as(
        'users',
      ),
      'created_at',
    ])
    .orderBy('created_at')
    .execute();

/** The keys of the organization, without the keys themselves: only their hashes are stored. */
export const listKeys = (db: Db, organizationId: string) =>
  db
    .selectFrom('api_keys')
    .select(['id', 'origin', 'created_at'])
    .where('organization_id', '=', organizationId)
    .orderBy('created_at')
    .execute();

/** Removes a key that was made; false if it does not exist. */
export const removeKey = async (db: Db, id: string): Promise<boolean> =>
  (await db
    .deleteFrom('api_keys')
    .where('id', '=', id)
    .where('origin', '=', 'made')
    .returning('id')
    .executeTakeFirst()) !== undefined;

/** Lists the plans of all organizations, with the number of their exports. */
export const listPlans = (db: Db) =>
  db
    .selectFrom('organizations')
    .leftJoin('export_counts', 'export_counts.organization_id', 'organizations.id')
    .select(({ fn, val }) => [
      'organizations.id as organization',
      'plan',
      'state',
      'export_allowance as allowance',
      'queue_weight as weight',
      fn.coalesce('exports', val(0)).as('exports'),
      fn.coalesce('clips', val(0)).as('clips'),
    ])
    .orderBy('created_at')
    .execute();

/** Changes the plan of an organization, or of the first one. Fields left out stay as they are. */
export async function changePlan(
  db: Db,
  { plan, exportAllowance, state }: Partial<Plan>,
  organizationId?: string,
): Promise<void> {
  const id = organizationId ?? (await findFirstOrganizationId(db));
  const changes = { plan, export_allowance: exportAllowance, state };
  if (id === undefined || Object.values(changes).every((value) => value === undefined)) return;
  await db.updateTable('organizations').set(changes).where('id', '=', id).execute();
}

/** Changes the weight of an organization's users in the queue. */
export const changeQueueWeight = (db: Db, weight: number, id: string): Promise<unknown> =>
  db.updateTable('organizations').set({ queue_weight: weight }).where('id', '=', id).execute();

/**
 * Returns the plan of the user's organization. Locks, until the end of the transaction, the counts
 * of the organization and the user, and the user's turns. Throws {@link makeUnknownUserError}.
 */
export const lockPlan = (
  trx: Trx,
  user: Pick<UserRow, 'id' | 'organization_id'>,
): Promise<PlanRow> =>
  trx
    .selectFrom('organizations')
    .innerJoin('users', 'users.organization_id', 'organizations.id')
    .select(['plan', 'export_allowance', 'state'])
    .where('organizations.id', '=', user.organization_id)
    .where('users.id', '=', user.id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow(makeUnknownUserError);

/**
 * Makes sure that there is an organization with an owner and a key. Returns the key if one was made
 * now: only its hash is stored, so it cannot be shown again.
 * The configured keys replace those configured before; keys that were made stay valid. With
 * `onReplaced` there are other processes, and one that still has keys that were replaced may start
 * again at any time: it changes nothing, and `onReplaced` is called.
 */
export const ensureFirstOrganization = (
  db: Db,
  configuredKeys: readonly string[],
  onReplaced: (() => void) | null = null,
): Promise<string | null> =>
  db.transaction().execute(async (trx) => {
    // Two processes that start at once on a new database make one organization, not two.
    await sql`select pg_advisory_xact_lock(4400)`.execute(trx);
    const first = await findFirstOrganizationId(trx);
    if (configuredKeys.length === 0) {
      return first === undefined ? (await addOrganization(trx, 'First organization')).apiKey : null;
    }
    const hashes = configuredKeys.map(hashKey).toSorted();
    if (onReplaced && !(await isTakingOver(trx, 'api-keys', hashes))) {
      onReplaced();
      return null;
    }
    const organization = first ?? (await insertOrganization(trx, 'First organization'));
    await trx
      .deleteFrom('api_keys')
      .where('origin', '=', 'environment')
      .where('hash', 'not in', configuredKeys.map(hashKey))
      .execute();
    for (const key of configuredKeys) await addKey(trx, organization, key, 'environment');
    return null;
  });

/** The user who owns an organization. */
export const findOrganizationOwner = (
  db: Db,
  organizationId: string | RawBuilder<string>,
): Promise<UserRow | undefined> =>
  db
    .selectFrom('users')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('is_guest', '=', false)
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst();

/** Returns the owner of the organization whose key has this hash; undefined without one. */
export const findOwnerByKey = (db: Db, keyHash: string): Promise<UserRow | undefined> =>
  findOrganizationOwner(db, sql`(select organization_id from api_keys where hash = ${keyHash})`);

/** A managed user of the organization. */
export const findManagedUser = (
  db: Db,
  organizationId: string,
  userId: string,
): Promise<UserRow | undefined> =>
  db
    .selectFrom('users')
    .selectAll()
    .where('id', '=', userId)
    .where('organization_id', '=', organizationId)
    .where('is_guest', '=', true)
    .executeTakeFirst();

export const findUser = (db: Db, id: string): Promise<UserRow | undefined> =>
  db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();

/** The users of an organization with what they have, the owner first. */
export async function listUsers(db: Db, organizationId: string) {
  const count = (table: 'tasks' | 'projects' | 'exports' | 'uploads') => sql`
    (select count(*)::int from ${sql.table(table)} where author_id = users.id)`;
  const { rows } = await sql<{
    id: string;
    kind: 'owner' | 'managed';
    tasks: number;
    clips: number;
    exports: number;
    uploads: number;
    created_at: Date;
  }>`
    select id, case when is_guest then 'managed' else 'owner' end as kind,
        ${count('tasks')} as tasks, ${count('projects')} as clips, ${count('exports')} as exports,
        ${count('uploads')} as uploads, created_at
      from users where organization_id = ${organizationId}
      order by is_guest, created_at, id`.execute(db);
  return rows;
}

/** `admit`: throws if the user may not be made. */
export const createManagedUser = (
  db: Db,
  organizationId: string,
  admit?: (trx: Trx, id: string) => Promise<void>,
): Promise<UserRow> =>
  db.transaction().execute(async (trx) => {
    const id = randomUUID();
    await admit?.(trx, id);
    const email = `guest-${id}@${organizationId}.invalid`;
    const user = { id, organization_id: organizationId, email, is_guest: true };
    return trx.insertInto('users').values(user).returningAll().executeTakeFirstOrThrow();
  });

/** A number for a user, and one for all users of the organization. */
export type OfHolders<T> = Record<'user' | 'organization', T>;

/** The use of tasks by a user, or an organization. */
export interface TaskUsage {
  openTasks: number;
  /** Seconds of the sources that were fetched in the last 24 hours. */
  sourceSeconds: number;
  /** Seconds until the oldest of these is a day old. */
  sourceSecondsLessIn: number;
}

/** Selects the previews of unchanged clips that their task has not made. */
const ownPreviews = sql`
  select from projects join tasks on tasks.id = projects.task_id
    where projects.status = 'processing' and projects.revision = 1 and tasks.status = 'ready'`;

/**
 * Exports that are processed, and previews of clips that were made beside those of a task.
 * @param most counts no further than this; 0: does not count
 */
export async function countOpenWork(
  db: Db,
  { id, organization_id }: UserRow,
  most: OfHolders<number>,
): Promise<OfHolders<number>> {
  const { rows } = await sql<OfHolders<number>>`
    select
      (select count(*)::int from (
        (select from exports
          where status = 'processing' and author_id = ${id} limit ${most.user})
        union all
        (${ownPreviews} and projects.author_id = ${id} limit ${most.user})) open) as "user",
      (select count(*)::int from (
        (select from exports
          where status = 'processing' and organization_id = ${organization_id}
          limit ${most.organization})
        union all
        (${ownPreviews} and projects.author_id in (
            select id from users where organization_id = ${organization_id})
          limit ${most.organization})) open) as organization`.execute(db);
  return rows[0]!;
}

/** @param upTo counts sources only up to that of this task; none if its length is not known */
export async function readTaskUsage(
  db: Db,
  { id, organization_id }: UserRow,
  upTo: string | null,
): Promise<OfHolders<TaskUsage>> {
  const sources = sql`
    coalesce(sum(seconds), 0)::float8 as "sourceSeconds",
    coalesce(extract(epoch from min(known_at) + interval '1 day' - now()), 0)::float8
      as "sourceSecondsLessIn"
    from source_uses
    where organization_id = ${organization_id} and known_at > now() - interval '1 day'
      and (${upTo}::text is null
        or known_at <= (select known_at from source_uses where task_id = ${upTo}))`;
  const { rows } = await sql<TaskUsage>`
    select (select count(*)::int from tasks
        where status = 'processing' and author_id = ${id}) as "openTasks",
      ${sources} and author_id = ${id}
    union all
    select (select count(*)::int from tasks join users on users.id = author_id
        where status = 'processing' and organization_id = ${organization_id}),
      ${sources}`.execute(db);
  const [user, organization] = rows;
  return { user: user!, organization: organization! };
}

/** Deletes the uses that count no more. */
export const deleteOldSourceUses = (db: Db): Promise<unknown> =>
  sql`delete from source_uses where known_at <= now() - interval '1 day'`.execute(db);
