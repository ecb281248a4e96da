import { rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/**
 * Writes the key that was made at the first start where only its owner can read it: a log is
 * shipped, and the key cannot be shown again. Returns the path.
 */
export async function storeApiKey(dataDir: string, apiKey: string): Promise<string> {
  const path = join(resolve(dataDir), 'api-key');
  const draft = `${path}.${process.pid}`;
  await rm(draft, { force: true });
  await writeFile(draft, `${apiKey}\n`, { mode: 0o600, flag: 'wx' });
  await rename(draft, path);
  return path;
}
