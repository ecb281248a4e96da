import { openAsBlob } from 'node:fs';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { keptResult } from './kept-result.ts';
import { postgresImage } from './postgres-image.ts';
import { openDatabase, type OpenDatabase } from '../service/src/db/open.ts';
import { openQueue } from '../service/src/queue/open.ts';

const sources = [
  'package-lock.json',
  'packages/testkit/postgres-image.ts',
  'packages/service/src/db',
  'packages/service/src/queue/open.ts',
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

/** A built-in database of its own, which is removed when it is closed. */
export async function temporaryDatabase(): Promise<OpenDatabase> {
  const dataDir = await mkdtemp(join(tmpdir(), 'clip-database-'));
  await prepareDatabase(dataDir);
  const database = await openDatabase({ dataDir });
  const close = async (): Promise<void> => {
    await database.close();
    await rm(dataDir, { recursive: true, force: true });
  };
  return { ...database, close };
}
