import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { sql, type Kysely, type Selectable, type Transaction } from 'kysely';
import type { Database, UserTable } from './schema.ts';

export type UserRow = Selectable<UserTable>;

/** Keys are random and long, so a plain hash is enough: there is nothing to guess at. */
export const hashKey = (key: string): string => createHash('sha256').update(key).digest('hex');

const makeKey = (): string => `ck_${randomBytes(32).toString('base64url')}`;

const addKey = async (
  trx: Transaction<Database>,
  organizationId: string,
  key: string,
  origin: 'environment' | 'made',
): Promise<void> => {
  await trx
    .insertInto('api_keys')
    .values({ id: randomUUID(), organization_id: organizationId, hash: hashKey(key), origin })
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .execute();
};

const insertOrganization = async (trx: Transaction<Database>, name: string): Promise<string> => {
  const id = randomUUID();
  await trx
    .insertInto('organizations')
    .values({ id, name, plan: 'paid', state: 'active' })
    .execute();
  await trx
    .insertInto('users')
    .values({
      id: randomUUID(),
      organization_id: id,
      email: `owner@${id}.invalid`,
      is_guest: false,
    })
    .execute();
  return id;
};

/** Makes an organization (paid, no limit) with its owner and a key, which can be seen here alone. */
export const addOrganization = async (
  trx: Transaction<Database>,
  name: string,
): Promise<{ id: string; apiKey: string }> => {
  const id = await insertOrganization(trx, name);
  const apiKey = makeKey();
  await addKey(trx, id, apiKey, 'made');
  return { id, apiKey };
};

export const firstOrganizationId = async (db: Kysely<Database>): Promise<string | undefined> =>
  (
    await db
      .selectFrom('organizations')
      .select('id')
      .orderBy('created_at')
      .limit(1)
      .executeTakeFirst()
  )?.id;

/**
 * Sees to it that there is an organization with an owner and a key.
 * Gives the key where one was made just now (it is stored hashed alone, so this is the only time it can be shown).
 * A configured key takes the place of the one configured before; keys that were made stay good.
 */
export const ensureFirstOrganization = (
  db: Kysely<Database>,
  configuredKey: string | undefined,
): Promise<string | null> =>
  db.transaction().execute(async (trx) => {
    // Two processes that start at once on a new database make one organization, not two.
    await sql`select pg_advisory_xact_lock(4400)`.execute(trx);
    const first = await firstOrganizationId(trx);
    if (configuredKey === undefined) {
      return first === undefined ? (await addOrganization(trx, 'First organization')).apiKey : null;
    }
    const organization = first ?? (await insertOrganization(trx, 'First organization'));
    await trx
      .deleteFrom('api_keys')
      .where('origin', '=', 'environment')
      .where('hash', '!=', hashKey(configuredKey))
      .execute();
    await addKey(trx, organization, configuredKey, 'environment');
    return null;
  });

/** The owner of the organization that the key belongs to; undefined for a key that nobody has. */
export const findOwnerByKey = (db: Kysely<Database>, key: string): Promise<UserRow | undefined> =>
  db
    .selectFrom('api_keys')
    .innerJoin('users', 'users.organization_id', 'api_keys.organization_id')
    .selectAll('users')
    .where('api_keys.hash', '=', hashKey(key))
    .where('users.is_guest', '=', false)
    .orderBy('users.created_at')
    .limit(1)
    .executeTakeFirst();

/** A managed user of the organization. */
export const findManagedUser = (
  db: Kysely<Database>,
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

export const createManagedUser = (
  db: Kysely<Database>,
  organizationId: string,
): Promise<UserRow> => {
  const id = randomUUID();
  return db
    .insertInto('users')
    .values({
      id,
      organization_id: organizationId,
      email: `guest-${id}@${organizationId}.invalid`,
      is_guest: true,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
};
