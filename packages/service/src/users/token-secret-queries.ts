import { unguessableKey } from '../db/unguessable-key.ts';
import type { Db } from '../db/schema.ts';
import { settle, writeSetting } from '../db/settings.ts';

const setting = 'token-secret';

interface TokenSecret {
  secret: string;
  /** Still accepted while tokens that it has signed may be valid. */
  previous?: { secret: string; replaced_at: string };
}

/** The secret of the tokens; made at first. */
export const settleTokenSecret = async (db: Db): Promise<TokenSecret> =>
  (await settle(db, setting, { secret: unguessableKey() })) as TokenSecret;

/** Replaces the secret of the tokens. With `now`, those that it has signed are refused. */
export async function replaceTokenSecret(db: Db, { now }: { now: boolean }): Promise<void> {
  const { secret } = await settleTokenSecret(db);
  const previous = { secret, replaced_at: new Date().toISOString() };
  await writeSetting(db, setting, { secret: unguessableKey(), ...(!now && { previous }) });
}
