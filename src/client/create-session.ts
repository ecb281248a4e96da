import type { Task } from '../contract/task.ts';
import type { Upload } from '../contract/upload.ts';
import { estimateMsLeft, withSample, type SentSample } from '../flow/upload.ts';
import { getAccount } from './account.ts';
import { ClipError, isClipError, loadPart } from './clip-error.ts';
import { task as taskReader } from './clip-answers.ts';
import {
  type CreateJob,
  dropJob,
  type FileMark,
  openFile,
  deleteFiles,
  storeFiles,
  readFiles,
  type StoredFiles,
  readJob,
  writeJob,
} from './create-store.ts';
import type { HostAnswer, HostClient } from './host-client.ts';
import { makeAccountChangedError } from './errors.ts';
import { isForgotten } from './paid-start-store.ts';
import { readQuestion, sendStart } from './paid-start.ts';
import type { Sending } from './send-file.ts';
import { withTabLock } from './across-tabs.ts';
import { taskErrors, toUploadError } from './start-errors.ts';

/**
 * `waiting`: its turn has not come, or another tab does it. `file`: the person must choose the file
 * again, or permit that it is read. `checking`: whether the task has started is being found out.
 * `gone`: another tab has ended it.
 */
export type CreatePhase =
  | 'waiting'
  | 'sending'
  | 'paused'
  | 'file'
  | 'starting'
  | 'checking'
  | 'started'
  | 'error'
  | 'gone';

export const makeMark = ({ name, size, lastModified }: File): FileMark => ({
  name,
  size,
  modified: lastModified,
});

export const isSame = (file: File, mark: FileMark): boolean =>
  file.name === mark.name && file.size === mark.size && file.lastModified === mark.modified;

const makeFileChangedError = (): ClipError =>
  new ClipError(
    'file-changed',
    'This file has changed since its upload began. Start over to send it as it is now.',
  );

/** Whether a start of it was sent whose outcome is not known. */
const mayHaveStarted = ({ startSentAt }: CreateJob): boolean => startSentAt !== null;

/** Runs a job: uploads its file, then starts its task, each of them once for all tabs. */
export class CreateSession {
  readonly id: string;
  readonly #host: HostClient;
  readonly #changed: () => void;
  readonly #takeTurn: (signal: AbortSignal) => Promise<() => void>;
  #job: CreateJob;
  #files: StoredFiles;
  #life: AbortController | null = null;
  /** The job has ended, here or in another tab. */
  #isOver = false;
  phase: CreatePhase = 'waiting';
  error: ClipError | null = null;
  /** The connection is interrupted; sending continues automatically. */
  isStalled = false;
  task: Task | null = null;
  sentBytes = 0;
  #samples: readonly SentSample[] = [];
  /** The start that the person wants to be sent again. */
  #confirmed: string | null = null;

  /** `takeTurn` resolves when no other session sends, with a function that ends the turn. */
  constructor(
    host: HostClient,
    job: CreateJob,
    files: StoredFiles,
    takeTurn: (signal: AbortSignal) => Promise<() => void>,
    changed: () => void,
  ) {
    this.id = job.id;
    this.#host = host;
    this.#job = job;
    this.#files = files;
    this.#takeTurn = takeTurn;
    this.#changed = changed;
  }

  get job(): CreateJob {
    return this.#job;
  }

  /** Milliseconds until the file is sent; null if it is not known. */
  get msLeft(): number | null {
    const { file } = this.#job;
    return file && this.phase === 'sending' ? estimateMsLeft(this.#samples, file.size) : null;
  }

  /** Goes on from where the job stands. `asks`: right after a click, so a browser may ask. */
  async run(asks = false): Promise<void> {
    if (this.#life || this.#isOver) return;
    const { signal } = (this.#life = new AbortController());
    this.#show('waiting');
    try {
      await withTabLock(this.#lock, signal, () => this.#do(asks, signal));
    } catch (cause) {
      const error = isClipError(cause) ? cause : toUploadError(cause);
      const isUnreadable = error.code === 'file-unreadable';
      if (isUnreadable) await this.#readFile();
      if (signal.aborted) return;
      this.#life = null;
      // Otherwise the next load would start, and pay for, what the plan refuses now.
      if (error.code === 'task-limit') this.#update({ isPaused: true });
      if (isUnreadable) this.#show('file', this.#isChanged ? makeFileChangedError() : error);
      else this.#show('error', error);
    }
  }

  pause(): void {
    this.#stop();
    this.#update({ isPaused: true });
    this.#show('paused');
  }

  resume(): void {
    if (this.#life) return;
    this.#update({ isPaused: false, account: getAccount(this.#host.endpoint) });
    void this.run(true);
  }

  /** Retries after an error: uploads a lost file again, and sends a lost start as a new one. */
  retry(): void {
    this.#confirmed = readQuestion(this.error);
    if (this.error?.code === 'upload-gone') {
      const resent = (this.#job.resent ?? 0) + 1;
      this.#update({ uploadId: null, sourceUrl: null, resent });
    }
    this.resume();
  }

  /** Accepts the file again after a reload. If it has changed, the user decides. */
  giveFile(file: File, handle?: FileSystemFileHandle): void {
    this.#files = { ...this.#files, file, handle };
    if (this.#isChanged) this.#show('file', makeFileChangedError());
    else this.resume();
  }

  /** Uploads the changed file from its beginning. Nothing was started with the old one. */
  startOver(): void {
    this.#update({
      file: makeMark(this.#files.file!),
      seconds: null,
      uploadId: null,
      replacedUploadId: this.#job.uploadId,
      resent: (this.#job.resent ?? 0) + 1,
    });
    void storeFiles(this.id, this.#files);
    this.resume();
  }

  /**
   * Cancels the job in all tabs and removes its upload. A task that may have been started stays,
   * and so does its file.
   */
  cancel(): void {
    // Another tab may have gone on with it, or have ended it with a task.
    const job = readJob(this.id);
    this.#stop();
    this.#end();
    if (job?.uploadId && !mayHaveStarted(job)) void this.#removeUpload(job.uploadId);
  }

  /** Whether a start was sent, and it is not known that it has started nothing. */
  get mayHaveStarted(): boolean {
    return mayHaveStarted(this.#job);
  }

  /** Reads the stored job again while another tab works on it. */
  readAgain(): void {
    if (this.phase === 'waiting') this.#job = readJob(this.id) ?? this.#job;
  }

  /** Ends the session of a job that another tab has ended. */
  leave(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#stop();
    this.#show('gone');
  }

  /** Removes an upload once no tab works on it, unless one has sent the start just before. */
  async #removeUpload(uploadId: string): Promise<void> {
    const { signal } = new AbortController();
    await withTabLock(this.#lock, signal, async () => {
      const left = readJob(this.id);
      if (!left || !mayHaveStarted(left)) await this.#deleteUpload(uploadId);
    });
  }

  /** Without an answer, the host deletes it after a day. */
  async #deleteUpload(uploadId: string): Promise<void> {
    const path = `/uploads/${encodeURIComponent(uploadId)}`;
    await this.#host.change(path, () => undefined).catch(() => {});
  }

  /** Name of the lock of the tab that works on the job. */
  get #lock(): string {
    return `clip-kit:create:${this.id}`;
  }

  /** Stores the job when the page is left. */
  #stop(): void {
    this.#life?.abort();
    this.#life = null;
  }

  end(): void {
    this.#stop();
  }

  /** Stops, because another user may have clicked. A new session belongs to the present user. */
  disown(): void {
    this.#stop();
    this.#show('error', makeAccountChangedError());
  }

  async #do(asks: boolean, signal: AbortSignal): Promise<void> {
    this.#update({});
    signal.throwIfAborted();
    if (this.#job.isPaused) {
      this.#life = null;
      this.#show('paused');
      return;
    }
    const endTurn = await this.#takeTurn(signal);
    try {
      if (!this.#job.sourceUrl && !(await this.#send(asks, signal))) {
        this.#life = null;
        this.#show('file', this.#isChanged ? makeFileChangedError() : null);
        return;
      }
      this.#show('starting');
      this.task = await this.#startTask(signal, (error) => {
        // Others need not wait until it is known.
        endTurn();
        this.#show('checking', error);
      });
      this.#end();
      this.#show('started');
    } finally {
      endTurn();
    }
  }

  /** Sends the files; false if the person must choose the video again. */
  async #send(asks: boolean, signal: AbortSignal): Promise<boolean> {
    const kept = this.#files.file ? this.#files : await readFiles(this.id);
    this.#files = { ...kept, ...this.#files };
    const file = await this.#file(asks);
    signal.throwIfAborted();
    if (!file) return false;
    this.#show('sending');
    const { subtitles } = this.#files;
    if (this.#job.subtitlesUrl === null && subtitles) {
      const { url } = await this.#sendFile('subtitles', subtitles, signal);
      this.#update({ subtitlesUrl: url });
    }
    const { uploadId, seconds, replacedUploadId } = this.#job;
    if (replacedUploadId) {
      await this.#deleteUpload(replacedUploadId);
      this.#update({ replacedUploadId: null });
    }
    const { url } = await this.#sendFile('upload', file, signal, {
      uploadId,
      seconds,
      onOpened: ({ id, offset }) => {
        this.#update({ uploadId: id });
        this.#sent(offset);
      },
      onSent: (bytes) => this.#sent(bytes),
    });
    this.#update({ sourceUrl: url });
    return true;
  }

  /** The file to send; null if it is not known, or has changed. */
  async #file(asks: boolean): Promise<File | null> {
    if (!this.#files.file) await this.#readFile(asks);
    return this.#isChanged ? null : (this.#files.file ?? null);
  }

  /** Reads the present file by its handle. */
  async #readFile(asks = false): Promise<void> {
    const { handle } = this.#files;
    const file = (handle && (await openFile(handle, asks))) ?? undefined;
    this.#files = { ...this.#files, file };
  }

  /** Whether the file that was given, or read again, is not the one whose upload began. */
  get #isChanged(): boolean {
    const { file } = this.#files;
    return !!file && !isSame(file, this.#job.file!);
  }

  async #sendFile(
    what: 'upload' | 'subtitles',
    file: File,
    signal: AbortSignal,
    more: Partial<Sending> = {},
  ): Promise<Upload> {
    const { sendFile } = await loadPart(import('./send-file.ts'));
    return sendFile({
      ...more,
      host: this.#host,
      file,
      attempt: `clip-${what}-${this.id}-${this.#job.resent ?? 0}`,
      signal,
      onStalled: (error) => {
        this.isStalled = !!error;
        this.#changed();
      },
    });
  }

  /**
   * Starts the task. A start whose answer was lost, also before a reload, is sent again with the
   * same key. Rejects with a `ClipError`. `onLost`: called while the answer is not known.
   */
  async #startTask(signal: AbortSignal, onLost: (error: ClipError) => void): Promise<Task> {
    const { startSentAt } = this.#job;
    const isRepeated = startSentAt !== null;
    const confirmed = this.#confirmed;
    this.#confirmed = null;
    if (isRepeated && confirmed === null && isForgotten(startSentAt)) {
      throw taskErrors.unresolved(null);
    }
    // Stored before it is sent. Another tab may have removed the job.
    this.#update({ startSentAt: confirmed === null && isRepeated ? startSentAt : Date.now() });
    signal.throwIfAborted();
    const send = (): Promise<HostAnswer<Task>> => this.#sendStart(confirmed, signal);
    const result = await sendStart(send, { isRepeated, signal, errors: taskErrors, onLost });
    if ('answer' in result) return result.answer.value;
    const { error, isRefused } = result;
    // Also if the refusal has ended this session: another account is signed in.
    if (isRefused && confirmed === null) this.#update({ startSentAt: null });
    signal.throwIfAborted();
    throw error;
  }

  #sendStart(confirmed: string | null, signal: AbortSignal): Promise<HostAnswer<Task>> {
    const { id, type, body, sourceUrl, subtitlesUrl } = this.#job;
    return this.#host.change<Task>(`/tasks/${type}`, taskReader, {
      body: {
        ...body,
        source_video_url: sourceUrl,
        ...(subtitlesUrl && { subtitles_url: subtitlesUrl }),
        ...(confirmed && { confirmed_start: confirmed }),
      },
      attempt: `clip-task-${id}`,
      signal,
    });
  }

  #sent(bytes: number): void {
    this.sentBytes = bytes;
    this.#samples = withSample(this.#samples, { at: Date.now(), sent: bytes });
    this.#changed();
  }

  /** Reads the job again, and stores a change. Leaves if another tab has ended it. */
  #update(change: Partial<CreateJob>): void {
    const stored = readJob(this.id);
    if (!stored) {
      this.leave();
      return;
    }
    this.#job = { ...stored, ...change };
    writeJob(this.#job);
  }

  #end(): void {
    this.#isOver = true;
    dropJob(this.id);
    void deleteFiles(this.id);
    this.#life = null;
  }

  #show(phase: CreatePhase, error: ClipError | null = null): void {
    if (this.phase === 'gone') return;
    this.phase = phase;
    this.error = error;
    this.isStalled = false;
    this.#samples = [];
    this.#changed();
  }
}
