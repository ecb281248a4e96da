import { constants } from 'node:fs';
import { mkdir, open, rm, stat, statfs, type FileHandle } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { noRoom, type Arrivals } from './arrivals.ts';
import { isStorageKey } from './storage.ts';

/** Disk space that stays free for everything else. */
const reservedBytes = 512 * 1024 ** 2;

/** Free disk space is looked at again after this many bytes. */
const spaceCheckBytes = 32 * 1024 ** 2;

async function writeAll(file: FileHandle, bytes: Uint8Array, at: number): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, at + done);
    done += bytesWritten;
  }
}

/** Files in a directory, each at its place from its first byte on. */
export function diskArrivals(directory: string): Arrivals {
  const root = resolve(directory);
  const pathOf = (key: string): string => {
    if (!isStorageKey(key)) throw new RangeError(`not a storage key: ${key}`);
    return join(root, key);
  };
  const room = async (): Promise<number> => {
    await mkdir(root, { recursive: true });
    const { bavail, bsize } = await statfs(root);
    return Math.max(0, bavail * bsize - reservedBytes);
  };
  return {
    room,
    async received({ key, size }) {
      const found = await stat(pathOf(key)).catch(() => null);
      return Math.min(size, found?.size ?? 0);
    },
    async append({ key, received }, pieces, { notes, mayWrite }) {
      const path = pathOf(key);
      let file: FileHandle | null = null;
      let at = received;
      try {
        let checkedAt = at;
        for await (const piece of pieces) {
          mayWrite();
          if (!file) {
            await mkdir(dirname(path), { recursive: true });
            file = await open(path, constants.O_WRONLY | constants.O_CREAT, 0o600);
          }
          await writeAll(file, piece, at);
          at += piece.length;
          if (at - checkedAt < spaceCheckBytes) continue;
          checkedAt = at;
          if ((await room()) === 0) throw noRoom();
        }
      } finally {
        if (file) {
          await file.datasync().finally(() => file?.close());
          await notes.received(at);
        }
      }
      return at;
    },
    async complete() {},
    async clear({ key }) {
      await rm(pathOf(key), { force: true });
    },
  };
}
