import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Kysely, Selectable } from 'kysely';
import type { Database, UserTable } from './schema.ts';

export type UserRow = Selectable<UserTable>;

/** Keys are random and long, so a plain hash is enough: there is nothing to guess at. */
export const hashKey = (key: string): string => createHash('sha256').update(key).digest('hex');

const makeKey = (): string => `ck_${randomBytes(32).toString('base64url')}`;

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
    const first = await trx
      .selectFrom('organizations')
      .select('id')
      .orderBy('created_at')
      .limit(1)
      .executeTakeFirst();
    const organization = first?.id ?? randomUUID();
    if (!first) {
      await trx
        .insertInto('organizations')
        .values({ id: organization, name: 'First organization', plan: 'paid', state: 'active' })
        .execute();
      await trx
        .insertInto('users')
        .values({
          id: randomUUID(),
          organization_id: organization,
          email: `owner@${organization}.invalid`,
          is_guest: false,
        })
        .execute();
    }
    if (configuredKey === undefined && first) return null;
    const key = configuredKey ?? makeKey();
    const hash = hashKey(key);
    if (configuredKey !== undefined) {
      await trx
        .deleteFrom('api_keys')
        .where('origin', '=', 'environment')
        .where('hash', '!=', hash)
        .execute();
    }
    await trx
      .insertInto('api_keys')
      .values({
        id: randomUUID(),
        organization_id: organization,
        hash,
        origin: configuredKey === undefined ? 'made' : 'environment',
      })
      .onConflict((conflict) => conflict.column('hash').doNothing())
      .execute();
    return configuredKey === undefined ? key : null;
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
