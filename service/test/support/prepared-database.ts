import { openAsBlob } from 'node:fs';
import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { keptResult } from '../../../test/support/kept-result.ts';
import { postgresImage } from '../../../test/support/postgres-image.ts';
import { openDatabase } from '../../src/db/open.ts';
import { openQueue } from '../../src/jobs/queue.ts';

const sources = [
  'package-lock.json',
  'test/support/postgres-image.ts',
  'service/src/db',
  'service/src/jobs/queue.ts',
];

/** The directory of an empty built-in database, which takes seconds to make. */
export const keptDatabase = (): Promise<string> =>
  keptResult('database', sources, async (directory) => {
    const image = await openAsBlob(await postgresImage());
    await (await PGlite.create(join(directory, 'db'), { loadDataDir: image })).close();
    const database = await openDatabase({ dataDir: directory });
    try {
      await (await openQueue(database, () => {})).stop();
    } finally {
      await database.close();
    }
  });

/** Puts a copy of it into a data directory. */
export async function prepareDatabase(dataDir: string): Promise<void> {
  const made = await keptDatabase();
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await cp(join(made, 'db'), join(dataDir, 'db'), { recursive: true });
}
