import type { Task } from '../contract/task.ts';
import type { NewUpload, Upload } from '../contract/upload.ts';
import { sendingMsLeft, withSample, type SentSample } from '../flow/upload-rate.ts';
import { accountOf } from './account.ts';
import { ClipError, isClipError } from './clip-error.ts';
import { toUploadError } from './create-errors.ts';
import { startTask } from './create-start.ts';
import { dropJob, readJob, writeJob, type CreateJob, type FileMark } from './create-store.ts';
import type { HostClient } from './host-client.ts';
import { accountChanged } from './host-errors.ts';
import { fileOf, forgetFiles, keptFiles, type KeptFiles } from './kept-files.ts';
import { sendFile } from './send-file.ts';
import { withTabLock } from './tab-lock.ts';
import { upload as uploadReader } from './upload-answers.ts';

/**
 * `waiting`: its turn has not come, or another tab does it. `file`: the person must choose the file
 * again, or permit that it is read. `gone`: another tab has ended it.
 */
export type CreatePhase =
  'waiting' | 'sending' | 'paused' | 'file' | 'starting' | 'started' | 'error' | 'gone';

export const markOf = ({ name, size, lastModified }: File): FileMark => ({
  name,
  size,
  modified: lastModified,
});

const isSame = (file: File, mark: FileMark): boolean =>
  file.name === mark.name && file.size === mark.size && file.lastModified === mark.modified;

const otherFile = (): ClipError =>
  new ClipError('file-other', 'This is another file. Choose the one whose upload was interrupted.');

/** Does a job: sends its file, and then starts its task, each of them once for all tabs. */
export class CreateSession {
  readonly id: string;
  readonly #host: HostClient;
  readonly #changed: () => void;
  readonly #takeTurn: (session: CreateSession, signal: AbortSignal) => Promise<void>;
  #job: CreateJob;
  #files: KeptFiles;
  #life: AbortController | null = null;
  phase: CreatePhase = 'waiting';
  error: ClipError | null = null;
  /** The connection is interrupted; sending goes on by itself. */
  isStalled = false;
  task: Task | null = null;
  sentBytes = 0;
  #samples: readonly SentSample[] = [];

  /** `takeTurn` resolves when no other session of the page sends. */
  constructor(
    host: HostClient,
    job: CreateJob,
    files: KeptFiles,
    takeTurn: (session: CreateSession, signal: AbortSignal) => Promise<void>,
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
    return file && this.phase === 'sending' ? sendingMsLeft(this.#samples, file.size) : null;
  }

  /** Whether it works, or will by itself. */
  get isBusy(): boolean {
    return this.phase === 'waiting' || this.phase === 'sending' || this.phase === 'starting';
  }

  /** Goes on from where the job stands. `asks`: right after a click, so a browser may ask. */
  async run(asks = false): Promise<void> {
    if (this.#life) return;
    const { signal } = (this.#life = new AbortController());
    this.#show('waiting');
    try {
      await withTabLock(`clip-kit:create:${this.id}`, signal, () => this.#do(asks, signal));
    } catch (cause) {
      if (signal.aborted) return;
      const error = isClipError(cause) ? cause : toUploadError(cause);
      this.#life = null;
      this.#show(error.code === 'file-unreadable' ? 'file' : 'error', error);
    }
  }

  pause(): void {
    this.#stop();
    this.#update({ isPaused: true });
    this.#show('paused');
  }

  resume(): void {
    if (this.#life) return;
    this.#update({ isPaused: false, account: accountOf(this.#host.endpoint) });
    void this.run(true);
  }

  /** After an error: what is gone is sent again. */
  retry(): void {
    if (this.error?.code === 'upload-gone') {
      const resent = (this.#job.resent ?? 0) + 1;
      this.#update({ uploadId: null, sourceUrl: null, resent });
    }
    this.resume();
  }

  /** Takes the file again, after a reload. Throws a `ClipError` if it is another one. */
  giveFile(file: File, handle?: FileSystemFileHandle): void {
    const mark = this.#job.file!;
    if (!isSame(file, mark)) throw otherFile();
    this.#files = { ...this.#files, file, handle };
    this.resume();
  }

  /** Gives the job up, and removes what was sent. A task that was started stays. */
  cancel(): void {
    const { uploadId, startSentAt } = this.#job;
    this.#stop();
    this.#end();
    if (uploadId && !startSentAt) {
      const path = `/uploads/${encodeURIComponent(uploadId)}`;
      this.#host.change(path, () => undefined, {}).catch(() => {});
    }
  }

  /** The page leaves: all that is known is stored. */
  #stop(): void {
    this.#life?.abort();
    this.#life = null;
  }

  end(): void {
    this.#stop();
  }

  /** Ends its work, because the click may have been another account's. A new one is of this one. */
  disown(): void {
    this.#stop();
    this.#show('error', accountChanged());
  }

  async #do(asks: boolean, signal: AbortSignal): Promise<void> {
    const stored = readJob(this.id);
    if (!stored) {
      this.#show('gone');
      return;
    }
    this.#job = stored;
    if (stored.isPaused) {
      this.#life = null;
      this.#show('paused');
      return;
    }
    await this.#takeTurn(this, signal);
    if (!this.#job.sourceUrl && !(await this.#send(asks, signal))) {
      this.#life = null;
      this.#show('file');
      return;
    }
    this.#show('starting');
    const task = await startTask(this.#host, this.#job, signal);
    this.task = task;
    this.#end();
    this.#show('started');
  }

  /** Sends the files; false if the person must choose the video again. */
  async #send(asks: boolean, signal: AbortSignal): Promise<boolean> {
    const kept = this.#files.file ? this.#files : await keptFiles(this.id);
    this.#files = { ...kept, ...this.#files };
    const file = await this.#file(asks);
    signal.throwIfAborted();
    if (!file) return false;
    this.#show('sending');
    const { subtitles } = this.#files;
    if (this.#job.subtitlesUrl === null && subtitles) {
      const opened = await this.#openUpload('subtitles', null, subtitles, null, signal);
      const { url } = await this.#sendAll(opened, subtitles, signal);
      this.#update({ subtitlesUrl: url });
    }
    const { uploadId, seconds } = this.#job;
    const upload = await this.#openUpload('upload', uploadId, file, seconds, signal);
    this.#update({ uploadId: upload.id });
    const { url } = await this.#sendAll(upload, file, signal, (bytes) => this.#sent(bytes));
    this.#update({ sourceUrl: url });
    return true;
  }

  async #file(asks: boolean): Promise<File | null> {
    const { file, handle } = this.#files;
    const found = file ?? (handle ? await fileOf(handle, asks) : null);
    return found && isSame(found, this.#job.file!) ? found : null;
  }

  async #openUpload(
    what: 'upload' | 'subtitles',
    known: string | null,
    { name, size, type }: File,
    seconds: number | null,
    signal: AbortSignal,
  ): Promise<Upload> {
    if (known) {
      const path = `/uploads/${encodeURIComponent(known)}`;
      return (await this.#host.get<Upload>(path, uploadReader, { isOwn: true, signal })).value;
    }
    const body: NewUpload = {
      name: name.slice(0, 255),
      size,
      ...(type && { type }),
      ...(seconds && { seconds }),
    };
    // If the answer is lost, also before a reload, the next try gets the same upload.
    const attempt = `clip-${what}-${this.id}-${this.#job.resent ?? 0}`;
    const options = { body, attempt, signal };
    return (await this.#host.change<Upload>('/uploads', uploadReader, options)).value;
  }

  async #sendAll(
    upload: Upload,
    file: File,
    signal: AbortSignal,
    onSent: (bytes: number) => void = () => {},
  ): Promise<Upload> {
    onSent(upload.offset);
    if (upload.status === 'finished') return upload;
    await sendFile({
      host: this.#host,
      upload,
      file,
      signal,
      onSent,
      onStalled: (error) => {
        this.isStalled = !!error;
        this.#changed();
      },
    });
    return upload;
  }

  #sent(bytes: number): void {
    this.sentBytes = bytes;
    this.#samples = withSample(this.#samples, { at: Date.now(), sent: bytes });
    this.#changed();
  }

  #update(change: Partial<CreateJob>): void {
    // Another tab may have ended it.
    const stored = readJob(this.id);
    this.#job = { ...(stored ?? this.#job), ...change };
    if (stored) writeJob(this.#job);
  }

  #end(): void {
    dropJob(this.id);
    void forgetFiles(this.id);
    this.#life = null;
  }

  #show(phase: CreatePhase, error: ClipError | null = null): void {
    this.phase = phase;
    this.error = error;
    this.isStalled = false;
    this.#samples = [];
    this.#changed();
  }
}
