import { randomUUID } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import {
  access,
  type FileHandle,
  link,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  stat,
  statfs,
  writeFile,
} from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { reservedDiskBytes } from 'clip-engine';
import {
  type IncomingFiles,
  isStorageKey,
  makeNoRoomError,
  requireKey,
  type Storage,
} from './storage.ts';

const isMissing = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');

/** The number of tries to put a file whose directory is removed each time. */
const maxTries = 100;

/** Puts a file at a path whose empty directory another process may remove at that moment. */
async function place(file: string, path: string, put: typeof rename): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await mkdir(dirname(path), { recursive: true });
      return await put(file, path);
    } catch (error) {
      if (!isMissing(error) || tries === maxTries) throw error;
      await access(file);
    }
  }
}

const listNames = (directory: string): Promise<string[]> =>
  readdir(directory).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });

/** Files in a directory. `put` is a rename, so work directories belong on the same disk. */
export function createDiskStorage(directory: string): Storage {
  const root = resolve(directory);
  const pathOf = (key: string): string => join(root, requireKey(key));
  return {
    async put(key, file) {
      await place(file, pathOf(key), rename);
    },
    async putOnce(key, text) {
      const path = pathOf(key);
      const draft = join(root, `.${randomUUID()}`);
      await mkdir(root, { recursive: true });
      await writeFile(draft, text, { flush: true });
      try {
        // A link appears with its content, and is refused if there is something.
        await place(draft, path, link);
        return text;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
        return await readFile(path, 'utf8');
      } finally {
        await rm(draft, { force: true });
      }
    },
    async stat(key) {
      if (!isStorageKey(key)) return null;
      const found = await stat(pathOf(key)).catch((error: unknown) => {
        if (isMissing(error)) return null;
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
    async openLocal(key) {
      return { path: pathOf(key), release: () => {} };
    },
    async *ids(kind) {
      const path = dirname(dirname(pathOf(`${kind}/x/x`)));
      yield* (await listNames(path)).filter((name) => isStorageKey(`${kind}/${name}/x`));
    },
    async list(prefix) {
      const path = dirname(pathOf(`${prefix}/x`));
      return (await listNames(path)).map((name) => `${prefix}/${name}`).filter(isStorageKey);
    },
    async remove(key) {
      const path = pathOf(key);
      await rm(path, { force: true });
      // Not if something else is in it.
      await rmdir(dirname(path)).catch(() => {});
    },
    // What has arrived is in the file.
    async abortIncoming() {},
  };
}

/** Free disk space is checked again after this many bytes. */
const spaceCheckBytes = 32 * 1024 ** 2;

async function writeAll(file: FileHandle, bytes: Uint8Array, at: number): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, at + done);
    done += bytesWritten;
  }
}

/** Files in a directory, each at its place from its first byte on. */
export function createDiskIncomingFiles(directory: string): IncomingFiles {
  const root = resolve(directory);
  const pathOf = (key: string): string => join(root, requireKey(key));
  const room = async (): Promise<number> => {
    await mkdir(root, { recursive: true });
    const { bavail, bsize } = await statfs(root);
    return Math.max(0, bavail * bsize - reservedDiskBytes);
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
          if ((await room()) === 0) throw makeNoRoomError();
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
