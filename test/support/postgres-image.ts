import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { keptResult } from './kept-result.ts';

/** The file of a new database for `PGlite`, which takes seconds to create. */
export async function postgresImage(): Promise<string> {
  const kept = await keptResult('pglite', ['package-lock.json'], async (directory) => {
    const database = await PGlite.create();
    const image = await database.dumpDataDir('none');
    await database.close();
    await writeFile(join(directory, 'image.tar'), Buffer.from(await image.arrayBuffer()));
  });
  return join(kept, 'image.tar');
}
