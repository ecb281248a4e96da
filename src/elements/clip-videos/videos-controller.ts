import type { LitElement, ReactiveController } from 'lit';
import { asClipError, type ClipError, loadPart } from '../../client/clip-error.ts';
import type { Task } from '../../contract/task.ts';
import { mergeVideos } from '../../flow/list-order.ts';
import { readHostOptions } from '../settings/host-options.ts';
import type { PageController } from '../settings/page-controller.ts';
import type { ClipTaskEvent } from '../clip-create/clip-create-events.ts';
import { ClipEvent, isSignedOut, makeErrorEvent } from '../events.ts';

/** An element that shows the user's videos, with its settings as properties. */
export interface VideosHost extends LitElement {
  readonly for: string | null;
  readonly pageSize: number;
}

export type VideosStatus = 'idle' | 'loading' | 'ready' | 'error' | 'signed-out';

type Calls = typeof import('../../client/task-calls.ts');

/** The user's videos: read page by page, and followed while one is worked on. */
export class VideosController implements ReactiveController {
  readonly #host: VideosHost;
  readonly #page: PageController;
  readonly #news: () => void;
  status: VideosStatus = 'idle';
  error: ClipError | null = null;
  /** Whether no answers have come for a while. */
  isStalled = false;
  videos: readonly Task[] = [];
  /** The text for screen readers. */
  announcement = '';
  /** Videos that could not be deleted, each with the reason. */
  readonly faults = new Map<string, ClipError>();
  /** The cursor of what comes after the videos; null if they are all. */
  #next: string | null = null;
  #hasMorePages = false;
  #isReadingMore = false;
  /** Videos that are deleted, and may still be in an answer that is under way. */
  readonly #deleted = new Set<string>();
  #calls: Calls | null = null;
  #wake: () => void = () => {};
  #watching: AbortController | null = null;
  #key: string | null = null;

  /** `news`: called after the videos were read. */
  constructor(host: VideosHost, page: PageController, news: () => void) {
    this.#host = host;
    this.#page = page;
    this.#news = news;
    host.addController(this);
  }

  get hasMore(): boolean {
    return this.#next !== null;
  }

  hostUpdate(): void {
    if (!this.#page.connected) return;
    const settings = this.#page.settings(() => JSON.stringify(readHostOptions(this.#host)));
    if (!settings || settings.key === this.#key) return;
    this.end();
    this.#key = settings.key;
    if (settings.error) this.#fail(settings.error);
    else void this.#watch();
  }

  reload(): void {
    if (!this.#page.connected) return;
    if (this.#watching && !this.error) this.#wake();
    else void this.#watch();
  }

  /** Shows a video that was just made, or is worked on again, until it is read. */
  add(task: Task): void {
    const isKnown = this.videos.some(({ id }) => id === task.id);
    this.#show(
      isKnown
        ? this.videos.map((one) => (one.id === task.id ? task : one))
        : [task, ...this.videos],
    );
    this.reload();
  }

  async more(): Promise<void> {
    const signal = this.#watching?.signal;
    if (!signal || this.#next === null || this.#isReadingMore) return;
    this.#isReadingMore = true;
    try {
      const { pageSize } = this.#host;
      const { value, next } = await this.#calls!.readTasks(
        readHostOptions(this.#host),
        { limit: `${pageSize}`, cursor: this.#next },
        signal,
      );
      if (signal.aborted) return;
      this.#hasMorePages = true;
      this.#next = next;
      const known = new Set(this.videos.map(({ id }) => id));
      this.#show([...this.videos, ...value.filter(({ id }) => !known.has(id))]);
    } catch (cause) {
      if (!signal.aborted) this.#report(this.#errorOf(cause));
    } finally {
      this.#isReadingMore = false;
    }
  }

  /** Deletes a video and all its clips; false if that failed. */
  async remove(task: Task): Promise<boolean> {
    const signal = this.#watching?.signal;
    if (!signal) return false;
    this.faults.delete(task.id);
    try {
      await this.#calls!.deleteTask(readHostOptions(this.#host), task.id, signal);
      this.#deleted.add(task.id);
      this.#show(this.videos.filter(({ id }) => id !== task.id));
      return true;
    } catch (cause) {
      if (signal.aborted) return false;
      const error = this.#errorOf(cause);
      this.faults.set(task.id, error);
      this.#report(error);
      this.#host.requestUpdate();
      return false;
    }
  }

  /** Ends all work. */
  end(): void {
    this.#watching?.abort();
    this.#watching = null;
    this.#key = null;
    this.#clear();
    this.#set('idle');
  }

  #clear(): void {
    this.videos = [];
    this.#next = null;
    this.#hasMorePages = false;
    this.announcement = '';
    this.faults.clear();
  }

  #errorOf = (cause: unknown): ClipError => this.#calls!.makeTaskError(cause);

  async #watch(): Promise<void> {
    this.#watching?.abort();
    const { signal } = (this.#watching = new AbortController());
    this.#set(this.videos.length ? 'ready' : 'loading');
    try {
      this.#calls = await loadPart(import('../../client/task-calls.ts'));
      if (signal.aborted) return;
      // A video of another tab, or of an element that names no list.
      addEventListener('clip-task', (event) => this.add((event as ClipTaskEvent).task), { signal });
      // What is shown may be of a user who has signed out.
      addEventListener('clip-session-change', () => this.reload(), { signal });
      this.#wake = this.#calls.watchTasks(
        readHostOptions(this.#host),
        () => this.#limit,
        {
          onUpdate: (tasks, next) => this.#update(tasks, next),
          onStalled: (error) => {
            this.isStalled = !!error;
            this.#host.requestUpdate();
          },
          onFailed: (error) => this.#fail(error),
          onOtherAccount: () => {
            this.#clear();
            void this.#watch();
          },
        },
        signal,
      );
    } catch (cause) {
      if (!signal.aborted) this.#fail(asClipError(cause));
    }
  }

  /** The number of videos that are read at once: the first page, and all that are in progress. */
  get #limit(): number {
    const running = this.videos.findLastIndex(({ status }) => status === 'processing');
    return Math.max(this.#host.pageSize, running + 1);
  }

  #update(read: readonly Task[], next: string | null): void {
    const page = read.filter(({ id }) => !this.#deleted.has(id));
    const before = new Map(this.videos.map((one) => [one.id, one]));
    for (const task of page) {
      if (before.get(task.id)?.status === 'processing' && task.status !== 'processing') {
        this.announcement = this.#page.text(
          task.status === 'ready' ? 'announce-video-ready' : 'announce-video-failed',
          task.status === 'ready' ? '{0} is ready.' : '{0} has failed.',
          task.name ?? '',
        );
      }
    }
    if (!this.#hasMorePages) this.#next = next;
    // That there are no videos is news too, once.
    const isFirst = this.status !== 'ready';
    this.#set('ready');
    this.#show(mergeVideos(page, this.videos, next !== null && this.#hasMorePages), isFirst);
  }

  #show(videos: readonly Task[], isFirst = false): void {
    const isOther = isFirst || JSON.stringify(videos) !== JSON.stringify(this.videos);
    this.videos = videos;
    this.#host.requestUpdate();
    if (isOther) this.#page.dispatch(new ClipVideosChangeEvent(videos));
    this.#news();
  }

  #fail(error: ClipError): void {
    const isOut = isSignedOut(error);
    // What was shown is of no user now. The watch goes on once a user is signed in.
    if (isOut) this.#clear();
    this.#set(isOut ? 'signed-out' : 'error', error);
    this.#report(error);
  }

  #report(error: ClipError): void {
    this.#page.dispatch(makeErrorEvent(this.#host, error, new ClipVideosErrorEvent(error)));
  }

  #set(status: VideosStatus, error: ClipError | null = null): void {
    this.status = status;
    this.error = error;
    this.isStalled = false;
    this.#host.requestUpdate();
  }
}

/** The subject of an event about a task's clips. */
const getSubject = ({ output_type: type, output_id: id }: Task) =>
  type === 'folder' ? { project: null, folder: id } : { project: id };

/** A video was chosen. `preventDefault()` leaves the list of clips as it is. */
export class ClipVideoEvent extends ClipEvent {
  readonly task: Task;

  constructor(task: Task) {
    super('clip-video', getSubject(task), true);
    this.task = task;
  }
}

/** The videos were read, or have changed. */
export class ClipVideosChangeEvent extends ClipEvent {
  /** The videos that are shown, newest first. */
  readonly videos: readonly Task[];

  constructor(videos: readonly Task[]) {
    super('clip-videos-change', { project: null });
    this.videos = videos;
  }
}

/** The videos could not be read, or one could not be deleted. */
export class ClipVideosErrorEvent extends ClipEvent {
  readonly error: ClipError;

  constructor(error: ClipError) {
    super('clip-videos-error', { project: null });
    this.error = error;
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    'clip-video': ClipVideoEvent;
    'clip-videos-change': ClipVideosChangeEvent;
    'clip-videos-error': ClipVideosErrorEvent;
  }
}
