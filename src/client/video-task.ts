import type { SourceRange, Task, TaskType } from '../contract/task.ts';
import type { Upload } from '../contract/upload.ts';
import type { CreateBody } from '../flow/create-request.ts';
import { estimateMsLeft, withSample, type SentSample } from '../flow/upload.ts';
import { getAccount, isAccountNamed } from './account.ts';
import { withTabLock } from './across-tabs.ts';
import { task as taskReader } from './clip-answers.ts';
import { ClipError, isClipError, loadPart } from './clip-error.ts';
import {
  type CreateJob,
  deleteFiles,
  dropJob,
  type FileMark,
  makeId,
  openFile,
  readFiles,
  readJob,
  type StoredFiles,
  storeFiles,
  writeJob,
} from './create-store.ts';
import { makeAccountChangedError } from './errors.ts';
import type { HostAnswer, HostClient } from './host-client.ts';
import { isForgotten } from './paid-start-store.ts';
import { readQuestion, sendStart } from './paid-start.ts';
import type { Sending } from './send-file.ts';
import { taskErrors, toUploadError } from './start-errors.ts';

/**
 * `waiting`: its turn has not come, or another tab does it. `file`: the person must choose the file
 * again, or permit that it is read. `checking`: whether the task has started is being found out.
 * `started`: its clips are being made. `finished`: they are there. `gone`: another tab ended it.
 */
export type VideoPhase =
  | 'chosen'
  | 'waiting'
  | 'sending'
  | 'paused'
  | 'file'
  | 'starting'
  | 'checking'
  | 'started'
  | 'finished'
  | 'error'
  | 'gone';

/** The facts that a page reads from a video without sending it. */
export interface VideoFacts {
  /** Length in seconds; null if this browser cannot play the file. */
  readonly seconds: number | null;
  /** A first picture; null if there is none. */
  readonly picture: HTMLCanvasElement | null;
}

/** A video as it was chosen: its file, or its address. */
export interface ChosenVideo extends StoredFiles {
  readonly url?: string | undefined;
}

/** The queue of a task. */
interface TaskQueue {
  readonly host: HostClient;
  /** Resolves when no other task sends, with a function that ends the turn. */
  takeTurn(task: VideoTask, signal: AbortSignal): Promise<() => void>;
  changed(task: VideoTask): void;
}

const markFile = ({ name, size, lastModified }: File): FileMark => ({
  name,
  size,
  modified: lastModified,
});

const makeFileChangedError = (): ClipError =>
  new ClipError(
    'file-changed',
    'This file has changed since its upload began. Start over to send it as it is now.',
  );

/**
 * A video from the choice of its file or address to its clips: sends the file, then starts the
 * task, each of them once for all tabs.
 */
export class VideoTask {
  readonly id: string;
  readonly #queue: TaskQueue;
  /** The address or the file, which may have to be read again after a reload. */
  video: ChosenVideo;
  /** The stored job. Null until the person starts it. */
  #job: CreateJob | null;
  #life: AbortController | null = null;
  /** The task has started, or was cancelled, here or in another tab. */
  #isOver = false;
  phase: VideoPhase;
  error: ClipError | null = null;
  /** Null until they are read. */
  facts: VideoFacts | null = null;
  /** The part of the video to use; undefined for all. */
  range: SourceRange | undefined;
  /** The connection is interrupted; sending continues automatically. */
  isStalled = false;
  task: Task | null = null;
  sentBytes = 0;
  #samples: readonly SentSample[] = [];
  /** The start that the person wants to be sent again. */
  #confirmed: string | null = null;

  /** `job`: what an earlier page, or another tab, has begun. */
  constructor(queue: TaskQueue, video: ChosenVideo, job: CreateJob | null = null) {
    this.id = job?.id ?? makeId();
    this.phase = job ? 'waiting' : 'chosen';
    this.#queue = queue;
    this.video = video;
    this.#job = job;
  }

  /** The place in the queue; the tasks of earlier pages come first. */
  get at(): number {
    return this.#job?.at ?? 0;
  }

  /** Name of the file or video, or its address. */
  get name(): string {
    return this.#mark?.name ?? this.#job?.body.name ?? this.video.url ?? '';
  }

  /** Bytes of the file; null for a link. */
  get size(): number | null {
    return this.#mark?.size ?? null;
  }

  /** The file whose upload began. */
  get #mark(): FileMark | null {
    if (this.#job) return this.#job.file;
    return this.video.file ? markFile(this.video.file) : null;
  }

  /** Milliseconds until the file is sent; null if it is not known. */
  get msLeft(): number | null {
    const { size } = this;
    return size && this.phase === 'sending' ? estimateMsLeft(this.#samples, size) : null;
  }

  /** Whether a start was sent, and it is not known that it has started nothing. */
  get mayHaveStarted(): boolean {
    return !!this.#job && this.#job.startSentAt !== null;
  }

  /** Whether it was begun, and has neither started its task nor been given up. */
  get isOpen(): boolean {
    return !!this.#job && !this.#isOver;
  }

  /** Whether another one asks for the same of the same video. */
  isTwin(type: TaskType, body: CreateBody, { video: { file, url } }: VideoTask): boolean {
    const job = this.#job;
    if (!job || !this.isOpen) return false;
    const ofJob = [job.type, job.body, job.file ?? job.sourceUrl];
    return JSON.stringify(ofJob) === JSON.stringify([type, body, file ? markFile(file) : url]);
  }

  /** Whether a file is the one whose upload began. */
  isOfFile(file: File): boolean {
    const mark = this.#mark;
    return (
      file.name === mark?.name && file.size === mark.size && file.lastModified === mark.modified
    );
  }

  /** Begins: from now on, it goes on after a reload. */
  start(type: TaskType, body: CreateBody, at: number): void {
    const { endpoint } = this.#queue.host;
    this.#job = {
      id: this.id,
      endpoint,
      account: isAccountNamed(endpoint) ? getAccount(endpoint) : '',
      at,
      type,
      body,
      file: this.#mark,
      seconds: this.facts?.seconds ?? null,
      uploadId: null,
      sourceUrl: this.video.url ?? null,
      ...(this.video.subtitles && { subtitlesUrl: null }),
      startSentAt: null,
      isPaused: false,
    };
    writeJob(this.#job);
    if (this.video.file) void storeFiles(this.id, this.video);
    void this.run();
  }

  /** Goes on from where the job stands. `asks`: right after a click, so a browser may ask. */
  async run(asks = false): Promise<void> {
    if (this.#life || this.#isOver) return;
    const { signal } = (this.#life = new AbortController());
    this.#show('waiting');
    try {
      const phase = await withTabLock(this.#lock, signal, () => this.#work(asks, signal));
      if (signal.aborted && phase !== 'started') return;
      this.#life = null;
      this.#show(phase, phase === 'file' && this.#isChanged ? makeFileChangedError() : null);
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
    this.stop();
    this.#update({ isPaused: true });
    this.#show('paused');
  }

  resume(): void {
    if (this.#life) return;
    this.#update({ isPaused: false, account: getAccount(this.#queue.host.endpoint) });
    void this.run(true);
  }

  /** Retries after an error: uploads a lost file again, and sends a lost start as a new one. */
  retry(): void {
    this.#confirmed = readQuestion(this.error);
    if (this.error?.code === 'upload-gone') {
      this.#update({ uploadId: null, sourceUrl: null, resent: this.#nextResent });
    }
    this.resume();
  }

  /** Accepts the file again after a reload. If it has changed, the user decides. */
  giveFile(file: File, handle?: FileSystemFileHandle): void {
    this.video = { ...this.video, file, handle };
    if (this.#isChanged) this.#show('file', makeFileChangedError());
    else this.resume();
  }

  /** Uploads the changed file from its beginning. Nothing was started with the old one. */
  startOver(): void {
    this.#update({
      file: markFile(this.video.file!),
      seconds: null,
      uploadId: null,
      replacedUploadId: this.#job!.uploadId,
      resent: this.#nextResent,
    });
    void storeFiles(this.id, this.video);
    this.resume();
  }

  /**
   * Cancels the job in all tabs and removes its upload. A task that may have been started stays,
   * and so does its file.
   */
  cancel(): void {
    // Another tab may have gone on with it, or have ended it with a task.
    const job = readJob(this.id);
    this.stop();
    this.#end();
    if (job?.uploadId && job.startSentAt === null) void this.#removeUpload(job.uploadId);
  }

  /** The page's list of videos shows its clips. */
  finish(): void {
    this.#show('finished');
  }

  /** Follows what another tab has changed. `ended`: the id of a job that was removed. */
  follow(ended: string | null): void {
    if (!this.isOpen) return;
    const stored = readJob(this.id);
    // A job that was removed just before it was written again no longer belongs to this tab.
    if (!stored || ended === this.id) this.#leave();
    else if (this.phase === 'waiting') this.#job = stored;
  }

  /** Stops, because another user may have clicked. A new task belongs to the present user. */
  disown(): void {
    this.stop();
    this.#show('error', makeAccountChangedError());
  }

  /** Stores the job when the page is left. */
  stop(): void {
    this.#life?.abort();
    this.#life = null;
  }

  /** Name of the lock of the tab that works on the job. */
  get #lock(): string {
    return `clip-kit:create:${this.id}`;
  }

  get #nextResent(): number {
    return (this.#job!.resent ?? 0) + 1;
  }

  /** Returns the phase in which there is nothing more to do. */
  async #work(asks: boolean, signal: AbortSignal): Promise<VideoPhase> {
    const { isPaused } = this.#update({});
    signal.throwIfAborted();
    if (isPaused) return 'paused';
    const endTurn = await this.#queue.takeTurn(this, signal);
    try {
      if (!this.#job!.sourceUrl && !(await this.#send(asks, signal))) return 'file';
      this.#show('starting');
      this.task = await this.#startTask(signal, (error) => {
        // Others need not wait until it is known.
        endTurn();
        this.#show('checking', error);
      });
      this.#end();
      return 'started';
    } finally {
      endTurn();
    }
  }

  /** Sends the files; false if the person must choose the video again. */
  async #send(asks: boolean, signal: AbortSignal): Promise<boolean> {
    const stored = this.video.file ? null : await readFiles(this.id);
    this.video = { ...stored, ...this.video };
    if (!this.video.file) await this.#readFile(asks);
    signal.throwIfAborted();
    const { file, subtitles } = this.video;
    if (!file || this.#isChanged) return false;
    this.#show('sending');
    if (this.#job!.subtitlesUrl === null && subtitles) {
      const { url } = await this.#sendFile('subtitles', subtitles, signal);
      this.#update({ subtitlesUrl: url });
    }
    const { uploadId, seconds, replacedUploadId } = this.#job!;
    if (replacedUploadId) {
      await this.#deleteUpload(replacedUploadId);
      this.#update({ replacedUploadId: null });
    }
    const { url } = await this.#sendFile('upload', file, signal, {
      uploadId,
      seconds,
      onOpened: ({ id, offset }) => {
        this.#update({ uploadId: id });
        this.#noteSent(offset);
      },
      onSent: (bytes) => this.#noteSent(bytes),
    });
    this.#update({ sourceUrl: url });
    return true;
  }

  /** Reads the present file by its handle. */
  async #readFile(asks = false): Promise<void> {
    const { handle } = this.video;
    const file = (handle && (await openFile(handle, asks))) ?? undefined;
    this.video = { ...this.video, file };
  }

  /** Whether the file that was given, or read again, is not the one whose upload began. */
  get #isChanged(): boolean {
    return !!this.video.file && !this.isOfFile(this.video.file);
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
      host: this.#queue.host,
      file,
      key: `clip-${what}-${this.id}-${this.#job!.resent ?? 0}`,
      signal,
      onStalled: (error) => {
        this.isStalled = !!error;
        this.#queue.changed(this);
      },
    });
  }

  #noteSent(bytes: number): void {
    this.sentBytes = bytes;
    this.#samples = withSample(this.#samples, { at: Date.now(), sent: bytes });
    this.#queue.changed(this);
  }

  /** Removes an upload once no tab works on it, unless one has sent the start just before. */
  async #removeUpload(uploadId: string): Promise<void> {
    const { signal } = new AbortController();
    await withTabLock(this.#lock, signal, async () => {
      if ((readJob(this.id)?.startSentAt ?? null) === null) await this.#deleteUpload(uploadId);
    });
  }

  /** Without an answer, the host deletes it after a day. */
  async #deleteUpload(uploadId: string): Promise<void> {
    const path = `/uploads/${encodeURIComponent(uploadId)}`;
    await this.#queue.host.change(path, () => undefined).catch(() => {});
  }

  /**
   * Starts the task. A start whose answer was lost, also before a reload, is sent again with the
   * same key. Rejects with a `ClipError`. `onLost`: called while the answer is not known.
   */
  async #startTask(signal: AbortSignal, onLost: (error: ClipError) => void): Promise<Task> {
    const { id, type, body, sourceUrl, subtitlesUrl, startSentAt } = this.#job!;
    const confirmed = this.#confirmed;
    this.#confirmed = null;
    const isRepeated = startSentAt !== null;
    const isAgain = isRepeated && confirmed === null;
    if (isAgain && isForgotten(startSentAt)) throw taskErrors.unresolved(null);
    // Stored before it is sent. Another tab may have removed the job.
    this.#update({ startSentAt: isAgain ? startSentAt : Date.now() });
    signal.throwIfAborted();
    const options = {
      body: {
        ...body,
        source_video_url: sourceUrl,
        ...(subtitlesUrl && { subtitles_url: subtitlesUrl }),
        ...(confirmed && { confirmed_start: confirmed }),
      },
      key: `clip-task-${id}`,
      signal,
    };
    const send = (): Promise<HostAnswer<Task>> =>
      this.#queue.host.change(`/tasks/${type}`, taskReader, options);
    const result = await sendStart(send, { isRepeated, signal, errors: taskErrors, onLost });
    if ('answer' in result) return result.answer.value;
    const { error, isRefused } = result;
    // Also if the refusal has ended this work: another account is signed in.
    if (isRefused && confirmed === null) this.#update({ startSentAt: null });
    signal.throwIfAborted();
    throw error;
  }

  /** Reads the job again, and stores a change. Leaves if another tab has ended it. */
  #update(change: Partial<CreateJob>): CreateJob {
    const stored = readJob(this.id);
    if (!stored) {
      this.#leave();
      return this.#job!;
    }
    this.#job = { ...stored, ...change };
    writeJob(this.#job);
    return this.#job;
  }

  /** Another tab has ended the job. */
  #leave(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.stop();
    this.#show('gone');
  }

  #end(): void {
    this.#isOver = true;
    dropJob(this.id);
    void deleteFiles(this.id);
  }

  #show(phase: VideoPhase, error: ClipError | null = null): void {
    if (this.phase === 'gone') return;
    this.phase = phase;
    this.error = error;
    this.isStalled = false;
    this.#samples = [];
    this.#queue.changed(this);
  }
}
