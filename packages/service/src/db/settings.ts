import { hash } from 'node:crypto';
import { sql } from 'kysely';
import type { Db, Trx } from './schema.ts';

export const readSetting = async (db: Db, name: string): Promise<unknown> =>
  (await db.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst())
    ?.value;

export async function writeSetting(db: Db, name: string, value: object): Promise<void> {
  const text = JSON.stringify(value);
  await db
    .insertInto('settings')
    .values({ name, value: text })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: text }))
    .execute();
}

/**
 * Returns the stored value, or stores the proposed one. Concurrent callers wait, and get the stored
 * value.
 */
export async function settle(
  db: Db,
  name: string,
  propose: () => object | Promise<object>,
): Promise<unknown> {
  const known = await readSetting(db, name);
  if (known !== undefined) return known;
  return db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtext(${`setting ${name}`}))`.execute(trx);
    const settled = await readSetting(trx, name);
    if (settled !== undefined) return settled;
    const value = await propose();
    await writeSetting(trx, name, value);
    return value;
  });
}

/** The number of configurations that are remembered. */
const rememberedConfigurations = 50;

/**
 * Whether the installation takes over a configuration: if it is new, or the last one that was. One
 * that was replaced since comes from a process with an older configuration.
 */
export async function isTakingOver(
  trx: Trx,
  name: string,
  configuration: object | null,
): Promise<boolean> {
  const setting = `configurations:${name}`;
  const known = ((await readSetting(trx, setting)) ?? { hashes: [] }) as { hashes: string[] };
  const own = hash('sha256', JSON.stringify(configuration));
  if (known.hashes.at(-1) === own) return true;
  if (known.hashes.includes(own)) return false;
  const hashes = [...known.hashes, own].slice(-rememberedConfigurations);
  await writeSetting(trx, setting, { hashes });
  return true;
}

/** The greatest age of a cached value. */
export const maxAgeMs = 10_000;

/** Callers with wrong tokens must not have the database queried for each. */
const minAgeMs = 1000;

/**
 * Returns a function that reads a stored value through a cache of ten seconds, or of one with
 * `fresh`. While the database is away, it returns the value that was read last.
 */
export async function openCached<T>(
  read: () => Promise<T>,
): Promise<(ask?: { fresh: true }) => Promise<T>> {
  let cached = { value: await read(), at: performance.now() };
  return async (ask) => {
    if (performance.now() - cached.at > (ask ? minAgeMs : maxAgeMs)) {
      const value = await read().catch(() => cached.value);
      cached = { value, at: performance.now() };
    }
    return cached.value;
  };
}
