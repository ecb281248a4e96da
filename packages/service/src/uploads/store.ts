import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { DataStore, ERRORS, Upload } from '@tus/server';
import { headBytes, requireSubtitles, requireText, requireVideo, SourceError } from 'clip-engine';
import { ApiError, makeUnprocessableError } from '../api-error.ts';
import type { Db, UploadRow } from '../db/schema.ts';
import { deleteUpload, finishUpload, readUpload, readUploadParts, uploadNotes } from './queries.ts';
import { findMachineFault } from '../db/connections.ts';
import type { IncomingFiles, IncomingFile, Storage } from '../storage/storage.ts';
import { withLocalFiles } from '../storage/work-directory.ts';
import { makeNoRoomError } from './rules.ts';
import { uploadBusy, type UploadLocks } from './locks.ts';

interface Dependencies {
  readonly db: Db;
  readonly storage: Storage;
  readonly incomingFiles: IncomingFiles;
  /** For how many days an upload is kept that no task takes. */
  readonly untakenUploadDays: number;
  readonly closing: AbortSignal;
}

/** A task has the upload. */
export const uploadTaken = (): ApiError =>
  makeUnprocessableError('A task uses this upload. It is deleted with the task.', 'upload-taken');

/** Uploads between tus and the places where their bytes go. */
export class UploadStore extends DataStore {
  override extensions = ['termination'];
  readonly #service: Dependencies;
  readonly #locks: UploadLocks;

  constructor(service: Dependencies, locks: UploadLocks) {
    super();
    this.#service = service;
    this.#locks = locks;
  }

  async #row(id: string): Promise<UploadRow> {
    const row = await readUpload(this.#service.db, id);
    if (!row) throw ERRORS.FILE_NOT_FOUND;
    return row;
  }

  async #arriving(row: UploadRow): Promise<IncomingFile> {
    const parts = await readUploadParts(this.#service.db, row.id);
    const { file_key: key, size, received, multipart_id: multipart, tail_key: tail } = row;
    return { key, size, received, multipart, parts, tail };
  }

  /** Bytes of an upload that are stored. */
  async received(row: UploadRow): Promise<number> {
    if (row.finished_at) return row.size;
    return this.#service.incomingFiles.received(await this.#arriving(row));
  }

  override async getUpload(id: string): Promise<Upload> {
    const row = await this.#row(id);
    const offset = await this.received(row);
    // The process that received the last byte may have died before it checked the file.
    if (!row.finished_at && offset === row.size) await this.#finish(row);
    return new Upload({ id, size: row.size, offset });
  }

  override async write(pieces: Readable, id: string, offset: number): Promise<number> {
    const row = await this.#row(id);
    if (row.finished_at) return row.size;
    const { incomingFiles, closing, db } = this.#service;
    await this.#requireRoom(row, offset);
    const held = this.#locks.holder(id);
    const notes = uploadNotes(db, held);
    // What has come is stored, and the client goes on at another process, or at this one's next.
    const stop = (): void => void pieces.destroy(uploadBusy());
    closing.addEventListener('abort', stop, { once: true });
    const from =
      offset > 0
        ? pieces
        : afterCheck(pieces, Math.min(headBytes, row.size), (head) =>
            row.kind === 'video' ? requireVideo(head) : requireText(head),
          );
    let received: number;
    try {
      const options = { notes, mayWrite: () => held.require() };
      const arriving = { ...(await this.#arriving(row)), received: offset };
      received = await incomingFiles.append(arriving, from, options);
    } catch (error) {
      if (findMachineFault(error)?.code !== 'disk-full') throw error;
      // A full disk stands in the way of everything else.
      await incomingFiles.clear(await this.#arriving(await this.#row(id)));
      await notes.cleared();
      throw makeNoRoomError(row.size, (await incomingFiles.room()) ?? 0);
    } finally {
      closing.removeEventListener('abort', stop);
    }
    if (received === row.size) await this.#finish(await this.#row(id));
    return received;
  }

  async #requireRoom({ size }: UploadRow, offset: number): Promise<void> {
    const room = await this.#service.incomingFiles.room();
    if (room !== null && room < size - offset) throw makeNoRoomError(size - offset, room);
  }

  /** Turns the finished upload into a usable file, or removes it. */
  async #finish(row: UploadRow): Promise<void> {
    const { db, incomingFiles, untakenUploadDays } = this.#service;
    const held = this.#locks.holder(row.id);
    await incomingFiles.complete(await this.#arriving(row));
    try {
      await this.#requireUsable(row);
    } catch (error) {
      const isTheFile = error instanceof ApiError || error instanceof SourceError;
      if (isTheFile) await deleteUpload(db, row.id);
      throw error;
    }
    held.require();
    await finishUpload(db, held, untakenUploadDays);
  }

  async #requireUsable({ file_key: key, kind, sha256 }: UploadRow): Promise<void> {
    const { storage, closing } = this.#service;
    if (sha256 !== null) {
      const hash = createHash('sha256');
      const file = await storage.stat(key);
      const bytes = storage.read(key, { start: 0, end: (file?.bytes ?? 0) - 1 });
      for await (const piece of bytes) hash.update(piece);
      if (hash.digest('hex') !== sha256) {
        throw makeUnprocessableError(
          'The SHA-256 of the received bytes does not match. They were deleted: create a new upload, and send the file again.',
          'checksum',
        );
      }
    }
    if (kind === 'subtitles') {
      await withLocalFiles(storage, closing, async (localPath) =>
        requireSubtitles(await localPath(key), closing),
      );
    }
  }

  override async remove(id: string): Promise<void> {
    const done = await deleteUpload(this.#service.db, id);
    if (done === 'gone') throw ERRORS.FILE_NOT_FOUND;
    if (done === 'taken') throw uploadTaken();
  }
}

/**
 * The pieces of a file from its start on. Nothing is given before its first `needed` bytes were
 * checked: they must come in one request, as they show what it is. Throws what the check throws, or
 * ApiError.
 */
async function* afterCheck(
  pieces: AsyncIterable<Uint8Array>,
  needed: number,
  check: (head: Uint8Array) => void,
): AsyncGenerator<Uint8Array> {
  const waiting: Uint8Array[] = [];
  let length = 0;
  for await (const piece of pieces) {
    if (length >= needed) {
      yield piece;
      continue;
    }
    waiting.push(piece);
    length += piece.length;
    if (length < needed) continue;
    const head = Buffer.concat(waiting);
    check(head);
    yield head;
  }
  if (length > 0 && length < needed) {
    throw makeUnprocessableError(
      `The first request must send ${needed} bytes of the file or more: they show what it is.`,
      'head-too-short',
    );
  }
}
