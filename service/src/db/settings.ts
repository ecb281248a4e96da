import type { Db } from './schema.ts';

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

/** Gives the stored value, or stores the proposed one. Two processes at once get the same. */
export async function settle(db: Db, name: string, proposed: object): Promise<unknown> {
  await db
    .insertInto('settings')
    .values({ name, value: JSON.stringify(proposed) })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  return readSetting(db, name);
}
