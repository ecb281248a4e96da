import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { keptResult } from './kept-result.ts';

const sources = ['package-lock.json', 'packages/testkit/postgres-image.ts'];

/** The file of a new database for `PGlite`, which takes seconds to create. */
export async function postgresImage(): Promise<string> {
  const kept = await keptResult('pglite', sources, async (directory) => {
    const database = await PGlite.create();
    // The templates for further databases are two thirds of the files, which many tests copy.
    await database.exec(
      `update pg_database set datistemplate = false where datname like 'template%'`,
    );
    for (const name of ['template0', 'template1']) await database.exec(`drop database ${name}`);
    const image = await database.dumpDataDir('none');
    await database.close();
    await writeFile(join(directory, 'image.tar'), Buffer.from(await image.arrayBuffer()));
  });
  return join(kept, 'image.tar');
}
