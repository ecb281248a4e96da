import { createReadStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { isStorageKey, type Storage } from './storage.ts';

/** Files in a directory of the local disk. `put` is a rename, so work directories belong on the same disk. */
export const diskStorage = (directory: string): Storage => {
  const root = resolve(directory);
  const pathOf = (key: string): string => {
    if (!isStorageKey(key)) throw new RangeError(`not a storage key: ${key}`);
    return join(root, key);
  };
  return {
    async put(key, file) {
      const path = pathOf(key);
      await mkdir(dirname(path), { recursive: true });
      await rename(file, path);
    },
    async stat(key) {
      if (!isStorageKey(key)) return null;
      const found = await stat(pathOf(key)).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
        throw error;
      });
      if (!found?.isFile()) return null;
      const etag = `"${found.size.toString(36)}-${Math.round(found.mtimeMs).toString(36)}"`;
      return { bytes: found.size, modified: found.mtime, etag };
    },
    read(key, { start, end }) {
      return Readable.toWeb(
        createReadStream(pathOf(key), { start, end, highWaterMark: 256 * 1024 }),
      ) as ReadableStream<Uint8Array>;
    },
    async localPath(key) {
      return pathOf(key);
    },
    async remove(prefix) {
      pathOf(`${prefix}/x`);
      await rm(join(root, prefix), { recursive: true, force: true });
    },
  };
};
