import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { unguessableKey } from '../../service/src/unguessable-key.ts';

/** Maximum size of an upload: 8 GiB. */
const maxUploadBytes = 8 * 1024 ** 3;

const videoEndings = [
  '.mp4',
  '.m4v',
  '.mov',
  '.mkv',
  '.webm',
  '.avi',
  '.mpg',
  '.mpeg',
  '.ts',
  '.ogv',
  '.flv',
];
const textEndings = ['.vtt', '.srt'];
/** Older uploads have 32 characters. */
const addressShape = /^[A-Za-z0-9_-]{32,43}$/;
const nameShape = /^source\.[a-z0-9]{2,4}$/;

export class UploadError extends Error {
  readonly status: 400 | 413;

  constructor(status: 400 | 413, message: string) {
    super(message);
    this.status = status;
  }
}

/**
 * Files that people upload. The service fetches them from this site like any other source, at a URL
 * that cannot be guessed.
 */
export class Uploads {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /**
   * Stores one file; returns its path on this site, such as `/uploads/<id>/source.mp4`. A
   * transcript is stored next to the video with its `id`. Throws an {@link UploadError} for a file
   * that cannot be a source; nothing is stored then.
   */
  async keep(
    fileName: string,
    id: string | null,
    body: ReadableStream<Uint8Array>,
  ): Promise<{ id: string; path: string }> {
    const ending = extname(basename(fileName)).toLowerCase();
    const wanted = id === null ? videoEndings : textEndings;
    if (!wanted.includes(ending)) {
      throw new UploadError(
        400,
        `A file that ends in “${ending || fileName}” cannot be used here. Choose one of: ${wanted.join(' ')}`,
      );
    }
    if (id !== null && !addressShape.test(id)) throw new UploadError(400, 'No such upload.');
    const folder = id ?? unguessableKey();
    const directory = join(this.#directory, folder);
    if (id === null) await mkdir(directory, { recursive: true });
    const path = join(directory, `source${ending}`);
    const partial = `${path}.part`;
    let size = 0;
    const counted = new Transform({
      transform(piece: Buffer, _encoding, done) {
        size += piece.length;
        done(
          size > maxUploadBytes ? new UploadError(413, 'The file is larger than 8 GB.') : null,
          piece,
        );
      },
    });
    try {
      await pipeline(Readable.fromWeb(body as never), counted, createWriteStream(partial));
      if (!size) throw new UploadError(400, 'The file is empty.');
      await rename(partial, path);
    } catch (error) {
      await rm(id === null ? directory : partial, { recursive: true, force: true });
      throw error;
    }
    return { id: folder, path: `/uploads/${folder}/source${ending}` };
  }

  /** The bytes of a stored file, or null. */
  async read(id: string, name: string): Promise<{ body: ReadableStream; size: number } | null> {
    if (!addressShape.test(id) || !nameShape.test(name)) return null;
    const path = join(this.#directory, id, name);
    const found = await stat(path).catch(() => null);
    if (!found?.isFile()) return null;
    return { body: Readable.toWeb(createReadStream(path)) as ReadableStream, size: found.size };
  }
}
