import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const cache = join(root, 'node_modules', '.cache', 'clip-kit-tests');

/** The files of a path of the project, a directory's in order. */
async function filesOf(path: string): Promise<string[]> {
  if (!(await stat(join(root, path))).isDirectory()) return [path];
  const entries = await readdir(join(root, path), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length))
    .sort();
}

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/**
 * A directory that takes long to make. It is made once for the content of `sources` (paths of the
 * project) and kept between runs. It is read-only: to change it, work on a copy.
 */
export async function keptResult(
  name: string,
  sources: readonly string[],
  make: (directory: string) => Promise<void>,
): Promise<string> {
  const hash = createHash('sha256');
  for (const file of (await Promise.all(sources.map(filesOf))).flat()) {
    hash.update(`${file}\0`).update(await readFile(join(root, file)));
  }
  const place = join(cache, `${name}-${hash.digest('base64url').slice(0, 16)}`);
  if (await isThere(place)) return place;
  await mkdir(cache, { recursive: true });
  const work = await mkdtemp(join(cache, '.making-'));
  try {
    await make(work);
    await rename(work, place).catch(async (error: unknown) => {
      // Another process was faster.
      if (!(await isThere(place))) throw error;
    });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  return place;
}
