import type { LitElement, ReactiveController } from 'lit';
import { asClipError, ClipError, loadPart } from '../../client/clip-error.ts';
import type { ClipListener } from '../../client/clip-watcher.ts';
import type { Project } from '../../contract/project.ts';
import type { Task } from '../../contract/task.ts';
import { mergeOrder, sortByViews } from '../../flow/list-order.ts';
import { getNumberFormat } from '../../locales/number-format.ts';
import { findLinkedElement } from '../linked-element.ts';
import { readHostOptions, checkId } from '../settings/host-options.ts';
import type { PageController } from '../settings/page-controller.ts';
import { encodeId } from '../settings/settings.ts';
import type { ClipEditEvent } from '../clip-embed/clip-embed.ts';
import { ClipEvent, isSignedOut, makeErrorEvent } from '../events.ts';
import type { ClipExportButton } from '../clip-export-button/clip-export-button.ts';
import type { ClipPreview } from '../clip-preview/clip-preview.ts';

/** An element that shows a list of clips, with its settings as properties. */
export interface ListHost extends LitElement {
  readonly folder: string | null;
  readonly project: string | null;
  readonly task: string | null;
  readonly pageSize: number;
  readonly sort: string | null;
}

/** `processing`: the task may still bring clips. */
export type ClipListStatus = 'idle' | 'loading' | 'processing' | 'ready' | 'error' | 'signed-out';

/** The clips of a folder and the task that makes them: read, kept in order, and followed. */
export class ClipsController implements ReactiveController {
  readonly #host: ListHost;
  readonly #page: PageController;
  status: ClipListStatus = 'idle';
  error: ClipError | null = null;
  /** Whether no answers about the running task have come for a while. */
  isStalled = false;
  /** The ids of the clips, in the order of the list. */
  order: readonly string[] = [];
  /** The number of clips that cannot be read. */
  unreadable = 0;
  /** The text for screen readers. */
  announcement = '';
  /** Makes the posters' addresses other ones when their pictures have changed. */
  posterMark = '';
  #clips = new Map<string, Project>();
  /** The clips as they were read last, to notice changes. */
  #readText = '';
  /** The number of clips that are shown. */
  #limit = 0;
  #task: Task | null = null;
  /** The host and the clips that are shown, and the task with them. */
  #clipsKey: string | null = null;
  #key: string | null = null;
  #watching: AbortController | null = null;

  constructor(host: ListHost, page: PageController) {
    this.#host = host;
    this.#page = page;
    host.addController(this);
  }

  get all(): readonly Project[] {
    return this.order.map((id) => this.get(id));
  }

  /** The ids of the clips that are shown. */
  get shown(): readonly string[] {
    return this.order.slice(0, this.#limit);
  }

  /** Progress of the task, 0 to 1; null if unknown. */
  get progress(): number | null {
    return this.#task?.progress?.share ?? null;
  }

  get task(): Task | null {
    return this.#task;
  }

  get secondsLeft(): number | null {
    return this.#task?.progress?.seconds_left ?? null;
  }

  has(id: string): boolean {
    return this.#clips.has(id);
  }

  /** A clip of the order. */
  get(id: string): Project {
    return this.#clips.get(id)!;
  }

  reload(): void {
    if (this.#page.connected) void this.#watch();
  }

  /** Shows more clips; returns the id of the first of them, or null if there are no more. */
  showMore(): string | null {
    const first = this.order[this.#limit] ?? null;
    if (first !== null) this.#limit += this.#host.pageSize;
    this.#host.requestUpdate();
    return first;
  }

  showAll(): void {
    this.#limit = Math.max(this.#limit, this.order.length);
    this.#host.requestUpdate();
  }

  hostUpdate(): void {
    if (!this.#page.connected) return;
    const { folder, project, task, sort } = this.#host;
    if (!folder && !project && this.isOfVideos) return this.end();
    const settings = this.#page.settings(() => {
      if (!folder && !project) {
        throw new ClipError('missing-folder', 'No folder is set: set the id of a folder of clips.');
      }
      if (project) encodeId(project);
      checkId(folder, 'folder');
      checkId(task, 'task');
      return JSON.stringify([readHostOptions(this.#host), folder, project, sort]);
    });
    if (!settings) return;
    const { key: clipsKey, error } = settings;
    const key = JSON.stringify([clipsKey, task]);
    if (key === this.#key) return;
    if (clipsKey !== this.#clipsKey) this.#forget();
    this.#clipsKey = clipsKey;
    this.#key = key;
    if (error) this.#fail(error);
    else void this.#watch();
  }

  /** Whether a `<clip-videos>` of the page says which clips, once there is a video. */
  get isOfVideos(): boolean {
    const root = this.#host.getRootNode() as Document | ShadowRoot;
    return [...root.querySelectorAll('clip-videos')].some(
      (videos) => findLinkedElement(videos, videos.getAttribute('for'), 'clip-list') === this.#host,
    );
  }

  /** Ends all work. */
  end(): void {
    this.#forget();
    this.#clipsKey = this.#key = null;
  }

  #forget(): void {
    this.#watching?.abort();
    this.#clear();
    this.#set('idle');
  }

  #clear(): void {
    this.#clips.clear();
    this.order = [];
    this.unreadable = this.#limit = 0;
    this.#task = null;
    this.#readText = this.posterMark = this.announcement = '';
  }

  async #watch(): Promise<void> {
    this.#watching?.abort();
    const { signal } = (this.#watching = new AbortController());
    const { folder, project, task } = this.#host;
    this.#set(this.order.length && !this.error ? this.status : 'loading');
    try {
      const { watchClips } = await loadPart(import('../../client/clip-watcher.ts'));
      if (signal.aborted) return;
      // Its words, length and picture may have changed, too.
      addEventListener('clip-edit', (event) => this.#onEdit(event), { signal });
      // What is shown may be of a user who has signed out.
      addEventListener('clip-session-change', () => this.reload(), { signal });
      const listener: ClipListener = {
        onUpdate: (clips, now) => this.#update(clips, now),
        onStalled: (error) => {
          this.isStalled = !!error;
          this.#host.requestUpdate();
        },
        onFailed: (error) => this.#fail(error),
        onOtherAccount: () => {
          this.#forget();
          this.reload();
        },
      };
      await watchClips(readHostOptions(this.#host), { folder, project, task }, listener, signal);
    } catch (cause) {
      if (!signal.aborted) this.#fail(asClipError(cause));
    }
  }

  #onEdit({ project, revision, saved }: ClipEditEvent): void {
    const known = this.#clips.get(project!);
    if (known && saved && revision > (known.revision ?? 0)) this.reload();
  }

  #update(read: readonly (Project | undefined)[], task: Task | null): void {
    const clips = read.filter((clip) => clip !== undefined);
    this.unreadable = read.length - clips.length;
    const isProcessing = task?.status === 'processing';
    const wasProcessing = this.status === 'processing';
    const before = this.order.length;
    const progressed = JSON.stringify(task) !== JSON.stringify(this.#task);
    this.#task = task;
    // A first frame of the source has been the poster until the preview was made.
    if (wasProcessing && !isProcessing) this.posterMark = 'made';
    const text = JSON.stringify(read);
    const changed = text !== this.#readText;
    if (changed) this.#merge(clips);
    this.#readText = text;
    if (wasProcessing && this.order.length > before) {
      const format = getNumberFormat(this.#page.textLanguage('announce-clips'), {});
      const count = format.format(this.order.length);
      this.announcement = this.#page.text('announce-clips', 'Clips: {0}', count);
    }
    if (wasProcessing && task?.status === 'ready') {
      this.announcement = this.#page.text('announce-complete', 'All clips are there.');
    }
    if (task?.status === 'error') {
      const message = task.failure?.message ?? 'The video could not be processed.';
      this.#fail(new ClipError('task-failed', message, { cause: task.failure }));
    } else this.#set(isProcessing ? 'processing' : 'ready');
    if (changed) this.#page.dispatch(new ClipListChangeEvent(this.#host, this.all));
    if (task && progressed)
      this.#page.dispatch(new ClipListProgressEvent(this.#host, task, this.progress));
    if (!isProcessing && !this.error)
      this.#page.dispatch(new ClipListReadyEvent(this.#host, this.all));
  }

  #merge(clips: readonly Project[]): void {
    const last = this.shown.at(-1);
    this.#clips = new Map(clips.map((clip) => [clip.id, clip]));
    const sorted = this.#host.sort === 'views' ? sortByViews(clips) : clips;
    this.order = mergeOrder(
      this.order,
      sorted.map(({ id }) => id),
    );
    // What is shown stays shown, also if others have come before it.
    this.#limit = Math.max(
      this.#limit,
      this.#host.pageSize,
      last === undefined ? 0 : this.order.indexOf(last) + 1,
    );
  }

  #fail(error: ClipError): void {
    const isOut = isSignedOut(error);
    // What was shown is of no user now. The watch goes on once a user is signed in.
    if (isOut) this.#clear();
    this.#set(isOut ? 'signed-out' : 'error', error);
    this.#page.dispatch(
      makeErrorEvent(this.#host, error, new ClipListErrorEvent(this.#host, error)),
    );
  }

  #set(status: ClipListStatus, error: ClipError | null = null): void {
    this.status = status;
    this.error = error;
    this.isStalled = false;
    this.#host.requestUpdate();
  }
}

/** A clip is about to be shown. Its elements are not connected yet, and may still get options. */
export class ClipListItemEvent extends ClipEvent {
  readonly clip: Project;
  readonly preview: ClipPreview;
  readonly exportButton: ClipExportButton;

  constructor(clip: Project, preview: ClipPreview, exportButton: ClipExportButton) {
    super('clip-list-item', { project: clip.id, folder: clip.folder_id });
    this.clip = clip;
    this.preview = preview;
    this.exportButton = exportButton;
  }
}

/** The clips have been read for the first time, or have changed. */
export class ClipListChangeEvent extends ClipEvent {
  /** All clips, in the order of the list. */
  readonly clips: readonly Project[];

  constructor(element: ListHost, clips: readonly Project[]) {
    super('clip-list-change', element);
    this.clips = clips;
  }
}

/** The task that makes the clips has progressed. */
export class ClipListProgressEvent extends ClipEvent {
  readonly task: Task;
  /** 0 to 1, or null if unknown. */
  readonly progress: number | null;

  constructor(element: ListHost, task: Task, progress: number | null) {
    super('clip-list-progress', element);
    this.task = task;
    this.progress = progress;
  }
}

/** The list is complete: no task is running. */
export class ClipListReadyEvent extends ClipEvent {
  readonly clips: readonly Project[];

  constructor(element: ListHost, clips: readonly Project[]) {
    super('clip-list-ready', element);
    this.clips = clips;
  }
}

/** The clips could not be read, or their task failed. */
export class ClipListErrorEvent extends ClipEvent {
  readonly error: ClipError;

  constructor(element: ListHost, error: ClipError) {
    super('clip-list-error', element);
    this.error = error;
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    'clip-list-item': ClipListItemEvent;
    'clip-list-change': ClipListChangeEvent;
    'clip-list-progress': ClipListProgressEvent;
    'clip-list-ready': ClipListReadyEvent;
    'clip-list-error': ClipListErrorEvent;
  }
}
