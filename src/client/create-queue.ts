import type { TaskType } from '../contract/task.ts';
import type { CreateBody } from '../flow/create-request.ts';
import { TurnQueue } from '../flow/upload.ts';
import { getAccount, isAccountNamed, onAccount } from './account.ts';
import { askAccount, getPageHost, type PageHostOptions } from './page-host.ts';
import { CreateSession, makeMark, type CreatePhase } from './create-session.ts';
import {
  type CreateJob,
  listJobs,
  makeId,
  storeFiles,
  onJobs,
  readJob,
  updateJob,
  writeJob,
} from './create-store.ts';
import type { HostClient } from './host-client.ts';

/** A task that the user has just requested. */
export interface NewJob {
  readonly type: TaskType;
  readonly body: CreateBody;
  /** The file to send, or the address of a video. */
  readonly source: File | string;
  readonly handle?: FileSystemFileHandle | undefined;
  readonly subtitles?: File | undefined;
  readonly seconds: number | null;
}

/** Phases of a session that works, or will without a click. */
const busyPhases = new Set<CreatePhase>(['waiting', 'sending', 'starting', 'checking']);

/** The jobs of an account at a host, done one after another. */
export class CreateQueue {
  sessions: readonly CreateSession[] = [];
  readonly #host: HostClient;
  readonly #changed: (session: CreateSession | null) => void;
  readonly #left: (wasBusy: boolean) => void;
  readonly #life: AbortSignal;
  readonly #turns = new TurnQueue();
  #isNamed: boolean;

  /**
   * Continues the open jobs. `changed`: called at every change. `left`: called when another user
   * signs in, with whether the last user had running jobs.
   */
  constructor(
    options: PageHostOptions,
    changed: (session: CreateSession | null) => void,
    left: (wasBusy: boolean) => void,
    signal: AbortSignal,
  ) {
    this.#host = getPageHost(options);
    this.#changed = changed;
    this.#left = left;
    this.#life = signal;
    this.#isNamed = isAccountNamed(this.#host.endpoint);
    signal.addEventListener(
      'abort',
      onAccount(this.#host.endpoint, (before) => this.#followAccount(before)),
    );
    onJobs((ended) => this.#restore(ended), signal);
    signal.addEventListener('abort', () => this.#endAll());
    this.#restore();
  }

  /** Begins a job, unless the same is open. */
  add({ type, body, source, handle, subtitles, seconds }: NewJob): CreateSession {
    const file = typeof source === 'string' ? null : makeMark(source);
    const wanted = JSON.stringify([type, body, file ?? source]);
    const twin = this.sessions.find(
      ({ job }) => JSON.stringify([job.type, job.body, job.file ?? job.sourceUrl]) === wanted,
    );
    if (twin && twin.phase !== 'started') {
      if (typeof source !== 'string' && twin.phase === 'file') twin.giveFile(source, handle);
      // The question to the person is the button beside it.
      else if (twin.error?.code !== 'task-outcome-unresolved') twin.retry();
      return twin;
    }
    const job: CreateJob = {
      id: makeId(),
      endpoint: this.#host.endpoint,
      account: isAccountNamed(this.#host.endpoint) ? getAccount(this.#host.endpoint) : '',
      at: this.#nextPlace(),
      type,
      body,
      file,
      seconds,
      uploadId: null,
      sourceUrl: typeof source === 'string' ? source : null,
      ...(subtitles && { subtitlesUrl: null }),
      startSentAt: null,
      isPaused: false,
    };
    writeJob(job);
    const files = { file: typeof source === 'string' ? undefined : source, handle, subtitles };
    if (file) void storeFiles(job.id, files);
    const session = this.#open(job, files);
    void session.run();
    return session;
  }

  /** Takes a session that has ended, or is given up, out of the queue. */
  remove(session: CreateSession): void {
    this.sessions = this.sessions.filter((one) => one !== session);
  }

  #open(job: CreateJob, files: ConstructorParameters<typeof CreateSession>[2]): CreateSession {
    const session = new CreateSession(
      this.#host,
      job,
      files,
      (signal) => this.#turns.take(job.at, signal),
      () => {
        if (session.phase === 'gone') this.remove(session);
        if (session.error?.code === 'signed-out') {
          void this.#host.session?.signedIn(this.#life).then(() => {
            if (session.error?.code === 'signed-out') session.resume();
          });
        }
        this.#changed(session);
      },
    );
    this.sessions = [...this.sessions, session];
    return session;
  }

  /** The present time, but later than each job here: the time is also their order. */
  #nextPlace(): number {
    return Math.max(Date.now(), ...this.sessions.map(({ job }) => job.at + 1));
  }

  /** Leaves the jobs that have ended, reads those that wait, and opens those that are new. */
  #restore(ended: string | null = null): void {
    const { endpoint } = this.#host;
    for (const session of this.sessions) {
      // A job that was removed just before it was written again no longer belongs to this tab.
      if (session.id === ended || !readJob(session.id)) session.leave();
      else session.readAgain();
    }
    if (!isAccountNamed(endpoint)) {
      if (listJobs(endpoint).length) void askAccount(this.#host, this.#life);
      return;
    }
    const known = new Set(this.sessions.map(({ id }) => id));
    for (const job of listJobs(endpoint, getAccount(endpoint))) {
      if (known.has(job.id)) continue;
      // Its slot in storage may be there before its file.
      const session = this.#open(job, {});
      void session.run();
    }
    this.#changed(null);
  }

  /** Continues the jobs of the account that the host has named, and no others. */
  #followAccount(before: string): void {
    const { endpoint } = this.#host;
    const account = getAccount(endpoint);
    const wasNamed = this.#isNamed;
    this.#isNamed = true;
    if (before && wasNamed) {
      const wasBusy = this.sessions.some(({ phase }) => busyPhases.has(phase));
      this.#endAll();
      this.sessions = [];
      this.#left(wasBusy);
    } else if (before && before !== account) {
      // The user clicked before the page showed an account.
      for (const session of this.sessions) session.disown();
    } else if (account) {
      // What was begun before the first answer is of the account that answers. So is what the pages
      // before have begun, if it is the first one of this browser.
      const begun = before ? this.sessions : listJobs(endpoint, '');
      for (const { id } of begun) updateJob(id, { account });
    }
    this.#restore();
  }

  #endAll(): void {
    for (const session of this.sessions) session.end();
  }
}
