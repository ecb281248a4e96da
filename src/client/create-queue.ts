import type { TaskType } from '../contract/task.ts';
import type { CreateBody } from '../flow/create-request.ts';
import { TurnQueue } from '../flow/upload.ts';
import { getAccount, isAccountNamed, onAccount } from './account.ts';
import { type CreateJob, listJobs, onJobs, updateJob } from './create-store.ts';
import type { HostClient } from './host-client.ts';
import { askAccount, getPageHost, type PageHostOptions } from './page-host.ts';
import { type ChosenVideo, type VideoPhase, VideoTask } from './video-task.ts';

/** Phases of a task that works, or will without a click. */
const busyPhases = new Set<VideoPhase>(['waiting', 'sending', 'starting', 'checking']);

/** The videos that are chosen on a page, and those of its account at a host, one after another. */
export class CreateQueue {
  tasks: readonly VideoTask[] = [];
  readonly host: HostClient;
  readonly #changed: (task: VideoTask | null) => void;
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
    changed: (task: VideoTask | null) => void,
    left: (wasBusy: boolean) => void,
    signal: AbortSignal,
  ) {
    this.host = getPageHost(options);
    this.#changed = changed;
    this.#left = left;
    this.#life = signal;
    const { endpoint } = this.host;
    this.#isNamed = isAccountNamed(endpoint);
    signal.addEventListener(
      'abort',
      onAccount(endpoint, (before) => this.#followAccount(before)),
    );
    onJobs((ended) => this.#restore(ended), signal);
    signal.addEventListener('abort', () => this.#stopAll());
    this.#restore();
  }

  /** Adds a video, which begins when the person starts it. */
  choose(video: ChosenVideo): VideoTask {
    return this.#add(video, null);
  }

  /** Starts a chosen video, unless the same is open. Returns the one that goes on. */
  start(chosen: VideoTask, type: TaskType, body: CreateBody): VideoTask {
    const twin = this.tasks.find((one) => one.isTwin(type, body, chosen));
    if (!twin) {
      // The present time, but later than each job here: the time is also their order.
      chosen.start(type, body, Math.max(Date.now(), ...this.tasks.map(({ at }) => at + 1)));
      return chosen;
    }
    this.remove(chosen);
    const { file, handle } = chosen.video;
    if (file && twin.phase === 'file') twin.giveFile(file, handle);
    // The question to the person is the button beside it.
    else if (twin.error?.code !== 'task-outcome-unresolved') twin.retry();
    return twin;
  }

  /** Takes a task that is given up out of the queue. */
  remove(task: VideoTask): void {
    this.tasks = this.tasks.filter((one) => one !== task);
  }

  /** @internal Resolves when no other task sends, with a function that ends the turn. */
  takeTurn({ at }: VideoTask, signal: AbortSignal): Promise<() => void> {
    return this.#turns.take(at, signal);
  }

  /** @internal */
  changed(task: VideoTask): void {
    if (task.phase === 'gone') this.remove(task);
    if (task.error?.code === 'signed-out') {
      void this.host.session?.signedIn(this.#life).then(() => {
        if (task.error?.code === 'signed-out') task.resume();
      });
    }
    this.#changed(task);
  }

  #add(video: ChosenVideo, job: CreateJob | null): VideoTask {
    const task = new VideoTask(this, video, job);
    this.tasks = [...this.tasks, task];
    return task;
  }

  /** Leaves the jobs that have ended, reads those that wait, and opens those that are new. */
  #restore(ended: string | null = null): void {
    const { endpoint } = this.host;
    for (const task of this.tasks) task.follow(ended);
    if (!isAccountNamed(endpoint)) {
      if (listJobs(endpoint).length) void askAccount(this.host, this.#life);
      return;
    }
    const known = new Set(this.tasks.map(({ id }) => id));
    for (const job of listJobs(endpoint, getAccount(endpoint))) {
      // Its slot in storage may be there before its file.
      if (!known.has(job.id)) void this.#add({}, job).run();
    }
    this.#changed(null);
  }

  /** Continues the jobs of the account that the host has named, and no others. */
  #followAccount(before: string): void {
    const { endpoint } = this.host;
    const account = getAccount(endpoint);
    const wasNamed = this.#isNamed;
    this.#isNamed = true;
    const open = this.tasks.filter(({ isOpen }) => isOpen);
    if (before && wasNamed) {
      const wasBusy = open.some(({ phase }) => busyPhases.has(phase));
      this.#stopAll();
      this.tasks = [];
      this.#left(wasBusy);
    } else if (before && before !== account) {
      // The user clicked before the page showed an account.
      for (const task of open) task.disown();
    } else if (account) {
      // What was begun before the first answer is of the account that answers. So is what the pages
      // before have begun, if it is the first one of this browser.
      for (const { id } of before ? open : listJobs(endpoint, '')) updateJob(id, { account });
    }
    this.#restore();
  }

  #stopAll(): void {
    for (const task of this.tasks) task.stop();
  }
}
