import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeRandomKey } from '../../packages/service/src/db/id.ts';

/** A secret that is created once and stored in a file that only its owner may read. */
export async function loadSecret(directory: string, name: string): Promise<string> {
  const path = join(directory, name);
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const secret = makeRandomKey();
  await writeFile(path, `${secret}\n`, { mode: 0o600, flag: 'wx' });
  return secret;
}
