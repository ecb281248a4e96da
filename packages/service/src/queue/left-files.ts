import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { errorText } from 'clip-engine';
import type { ServiceContext } from '../context.ts';
import { removeLeftLater } from '../storage/queries.ts';
import { tables, type Attempt } from './attempt-queries.ts';

/**
 * Removes what lost attempts at a row have left: from this disk at once, from the store as soon as
 * it obeys and nobody works on the row. Whatever is wrong there must not make finished work fail.
 */
export async function removeLeft(
  { db, workDirectory, log }: Pick<ServiceContext, 'db' | 'workDirectory' | 'log'>,
  { kind, id, number }: Attempt,
): Promise<void> {
  try {
    const table = tables[kind];
    await removeLeftLater(db, table === 'films' ? 'projects' : table, id);
    const attempt = new RegExp(`-${id}-(\\d+)`);
    for (const name of await readdir(workDirectory)) {
      // One that is still at work, in a process that was stopped for a while, fails for it.
      if (Number(attempt.exec(name)?.[1] ?? number) >= number) continue;
      await rm(join(workDirectory, name), { recursive: true, force: true });
    }
  } catch (error) {
    log({ event: 'files-not-removed', level: 'warn', message: errorText(error) });
  }
}
