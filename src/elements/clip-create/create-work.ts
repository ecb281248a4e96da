import { html, type TemplateResult } from 'lit';
import { addStyles } from '../clip-element.ts';
import { repeat } from 'lit/directives/repeat.js';
import { asClipError, ClipError, loadPart } from '../../client/clip-error.ts';
import { CreateQueue } from '../../client/create-queue.ts';
import type { VideoTask } from '../../client/video-task.ts';
import type { PageHostOptions } from '../../client/page-host.ts';
import { makeAccountChangedError } from '../../client/errors.ts';
import { maxInputSeconds } from '../../contract/for-pages.ts';
import { createBody, getTaskType } from '../../flow/create-request.ts';
import {
  findFileFault,
  type FileLimits,
  isSubtitles,
  nameWithoutEnding,
} from '../../flow/upload.ts';
import { getNumberFormat } from '../../locales/number-format.ts';
import { findLinkedElement } from '../linked-element.ts';
import type { ClipVideos } from '../clip-videos/clip-videos.ts';
import type { ClipVideosChangeEvent } from '../clip-videos/videos-controller.ts';
import type { PageController } from '../settings/page-controller.ts';
import {
  ClipCreateErrorEvent,
  ClipCreateStartEvent,
  ClipTaskEvent,
  ClipUploadEvent,
  type CreateElement,
} from './clip-create-events.ts';
import {
  drawChosenItem,
  drawError,
  drawOpenItem,
  isOfLimit,
  makeFaultError,
  readFacts,
} from './create-items.ts';
import createWorkStyles from './create-work.css';
import { isSignedOut, makeErrorEvent } from '../events.ts';
import { progressStyles } from '../progress-bar.ts';
import type { PickedFile } from './picked-files.ts';

/** Status of the element; also a custom state. */
export type CreateStatus =
  | 'idle'
  | 'chosen'
  | 'uploading'
  | 'paused'
  | 'file'
  | 'starting'
  | 'started'
  | 'limit'
  | 'unknown'
  | 'signed-out'
  | 'error';

function getStatus({ phase, error }: VideoTask): CreateStatus {
  if (phase === 'error') {
    if (isSignedOut(error)) return 'signed-out';
    if (isOfLimit(error!)) return 'limit';
    return error!.code === 'task-outcome-unresolved' ? 'unknown' : 'error';
  }
  if (phase === 'sending' || phase === 'waiting') return 'uploading';
  if (phase === 'checking') return 'unknown';
  return phase === 'gone' || phase === 'finished' ? 'started' : phase;
}

/** The statuses of videos that were begun, the first to show first. */
const order = [
  ...(['uploading', 'starting', 'unknown', 'signed-out', 'limit', 'error'] as const),
  ...(['file', 'paused'] as const),
];

const isChosen = ({ phase }: VideoTask): boolean => phase === 'chosen';
const hasStarted = ({ phase }: VideoTask): boolean => phase === 'started' || phase === 'finished';

/** Uploads the chosen videos and starts their tasks. Loaded with the first of them. */
export class CreateWork {
  readonly #element: CreateElement;
  readonly #page: PageController;
  readonly #queue: CreateQueue;
  readonly #life: AbortSignal;
  /** Null until a person asks for it. */
  #rangePart: typeof import('./range-field.ts') | null = null;
  readonly #openRanges = new WeakSet<VideoTask>();
  /** The text for screen readers. */
  announcement = '';
  /** Why the last choice cannot be used; null otherwise. */
  #fault: ClipError | null = null;
  /** The last announcement of each task. */
  readonly #announced = new WeakMap<VideoTask, string>();

  constructor(
    element: CreateElement,
    page: PageController,
    options: PageHostOptions,
    life: AbortSignal,
  ) {
    this.#element = element;
    this.#page = page;
    this.#life = life;
    addStyles(element, progressStyles);
    addStyles(element, createWorkStyles);
    this.#queue = new CreateQueue(
      options,
      (task) => this.#follow(task),
      (wasBusy) => this.#leave(wasBusy),
      life,
    );
    addEventListener(
      'clip-videos-change',
      (event) => this.#finishTasks((event as ClipVideosChangeEvent).videos),
      { signal: life },
    );
  }

  /** Clears the view when another user signs in: files and jobs of the last user are not shown. */
  #leave(wasBusy: boolean): void {
    this.#fault = null;
    this.announcement = '';
    if (wasBusy) this.#refuse(makeAccountChangedError());
  }

  /** The page's list of videos shows when the clips are there. */
  #finishTasks(videos: ClipVideosChangeEvent['videos']): void {
    const made = new Set(
      videos.filter(({ status }) => status !== 'processing').map(({ id }) => id),
    );
    for (const one of this.#queue.tasks) {
      if (one.phase === 'started' && made.has(one.task!.id)) one.finish();
    }
  }

  get status(): CreateStatus {
    const all = this.#queue.tasks.map(getStatus);
    const { canStart } = this;
    const found = order.find((status) => all.includes(status));
    if (found && !canStart) return found;
    if (this.#fault && !canStart) return 'error';
    return (['chosen', 'started'] as const).find((status) => all.includes(status)) ?? 'idle';
  }

  get error(): ClipError | null {
    return this.#fault ?? this.#queue.tasks.find(({ error }) => error)?.error ?? null;
  }

  get isStalled(): boolean {
    return this.#queue.tasks.some(({ isStalled }) => isStalled);
  }

  /** The share of the bytes that are sent, 0 to 1; null if nothing is being sent. */
  get progress(): number | null {
    const one = this.#queue.tasks.find(({ phase }) => phase === 'sending');
    return one?.size ? one.sentBytes / one.size : null;
  }

  /** Whether a video is chosen that can be sent. */
  get canStart(): boolean {
    return this.#queue.tasks.some((one) => isChosen(one) && !this.#faultOf(one));
  }

  /** Takes files. Subtitles go with the video of their name, or with the last one. */
  choose(files: readonly PickedFile[]): void {
    this.#beginChoice();
    for (const picked of files) {
      const { file, handle } = picked;
      if (isSubtitles(file.name)) continue;
      const waiting = this.#queue.tasks.filter(
        ({ phase, name }) => phase === 'file' && name === file.name,
      );
      const waits = waiting.find((one) => one.isOfFile(file)) ?? waiting[0];
      if (waits) waits.giveFile(file, handle);
      else void this.#readFacts(this.#queue.choose(picked), file);
    }
    for (const { file } of files) {
      if (!isSubtitles(file.name)) continue;
      const name = nameWithoutEnding(file.name);
      const videos = this.#queue.tasks.filter((one) => isChosen(one) && one.video.file);
      const one = videos.find((one) => nameWithoutEnding(one.name) === name) ?? videos.at(-1);
      const facts = { size: file.size, seconds: null };
      if (one) one.video = { ...one.video, subtitles: file };
      else this.#refuse(makeFaultError(this.#page, 'file-not-video', facts, this.#limits));
    }
    this.#element.requestUpdate();
  }

  chooseLink(text: string): boolean {
    this.#beginChoice();
    const url = URL.canParse(text) ? new URL(text) : null;
    if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) {
      const message = 'This is not the address of a video. It begins with https.';
      this.#refuse(new ClipError('link-invalid', message));
      return false;
    }
    this.#queue.choose({ url: url.href });
    this.#element.requestUpdate();
    return true;
  }

  /** Starts the chosen videos that can be used. */
  start(): void {
    const element = this.#element;
    for (const one of this.#queue.tasks.filter(isChosen)) {
      if (this.#faultOf(one)) continue;
      const type = getTaskType(element.kind);
      const body = createBody(element, getVideoName(one), one.range);
      const source = one.video.file ?? one.video.url!;
      if (!element.dispatchEvent(new ClipCreateStartEvent(source, type, body))) continue;
      this.#queue.start(one, type, body);
    }
    element.requestUpdate();
  }

  #beginChoice(): void {
    this.#fault = null;
    for (const one of this.#queue.tasks.filter(hasStarted)) this.#queue.remove(one);
  }

  async #readFacts(one: VideoTask, file: File): Promise<void> {
    one.facts = await readFacts(file, this.#life);
    const fault = isChosen(one) && this.#queue.tasks.includes(one) && this.#faultOf(one);
    if (fault) this.#reportError(fault);
    this.#element.requestUpdate();
  }

  #remove(one: VideoTask): void {
    this.#queue.remove(one);
    this.#fault = null;
    this.#element.requestUpdate();
  }

  #refuse(error: ClipError): void {
    this.#fault = error;
    this.#reportError(error);
    this.#element.requestUpdate();
  }

  #reportError(error: ClipError): void {
    this.#page.dispatch(makeErrorEvent(this.#element, error, new ClipCreateErrorEvent(error)));
  }

  #faultOf({ video: { file }, facts }: VideoTask): ClipError | null {
    if (!file) return null;
    const { name, type, size } = file;
    const seconds = facts?.seconds ?? null;
    const fault = findFileFault({ name, type, size, seconds }, this.#limits);
    return fault && makeFaultError(this.#page, fault, { size, seconds }, this.#limits);
  }

  get #limits(): FileLimits {
    const { kind, maxBytes, maxSeconds } = this.#element;
    return { maxBytes, maxSeconds: maxSeconds || maxInputSeconds[getTaskType(kind)] };
  }

  #follow(task: VideoTask | null): void {
    // The queue goes on with what was left open while it is made.
    const key = task && describeState(task);
    if (task && key !== this.#announced.get(task)) {
      this.#announced.set(task, key!);
      this.#announce(task);
    }
    this.#element.requestUpdate();
  }

  #announce(one: VideoTask): void {
    const { phase, sentBytes, name, size, error, task } = one;
    const page = this.#page;
    if (phase === 'sending' && size) {
      page.dispatch(new ClipUploadEvent(name, sentBytes, size));
      const quarter = Math.floor((sentBytes / size) * 4) / 4;
      const share = getNumberFormat(page.textLanguage('announce-sent'), { style: 'percent' });
      this.announcement = one.isStalled
        ? page.text('stalled', 'The connection is interrupted. Still trying.')
        : page.text('announce-sent', 'Sent: {0}', share.format(quarter));
    } else if (phase === 'starting') {
      if (size) page.dispatch(new ClipUploadEvent(name, size, size));
      this.announcement = page.text('starting', 'Starting…');
    } else if (phase === 'started') {
      this.announcement = page.text('create-started', 'Your clips are being made.');
      const videos = findLinkedElement(this.#element, this.#element.for, 'clip-videos');
      (videos as Partial<ClipVideos> | null)?.add?.(task!);
      page.dispatch(new ClipTaskEvent(task!));
    } else if (phase === 'paused') {
      this.announcement = page.text('create-paused', 'Paused');
    } else if (error) {
      this.announcement = '';
      this.#reportError(error);
    }
  }

  render(): TemplateResult {
    const { tasks } = this.#queue;
    const chosen = tasks.filter(isChosen);
    const open = tasks.filter(({ isOpen }) => isOpen);
    const isMaking = this.status === 'started' && tasks.some(({ phase }) => phase === 'started');
    return html`${this.#fault && drawError(this.#page, this.#fault)}${
      isMaking
        ? html`<p part="status" class="started">
            <slot name="started"
              >${this.#page.text('create-started', 'Your clips are being made.')}</slot
            >
          </p>`
        : null
    }${
      open.length || chosen.length
        ? html`<ul part="list" role="list">
            ${repeat(
              [...open, ...chosen],
              ({ id }) => id,
              (one) => (isChosen(one) ? this.#drawChosen(one) : this.#drawOpen(one)),
            )}
          </ul>`
        : null
    }`;
  }

  #drawChosen(one: VideoTask): TemplateResult {
    const part = this.#openRanges.has(one) ? this.#rangePart : null;
    const acts = {
      remove: () => this.#remove(one),
      openRange: () => void this.#openRange(one),
    };
    const range = part?.drawRangeField(this.#page, one, () => this.#element.requestUpdate());
    return drawChosenItem(this.#page, one, this.#faultOf(one), acts, range ?? null);
  }

  async #openRange(one: VideoTask): Promise<void> {
    try {
      this.#rangePart ??= await loadPart(import('./range-field.ts'));
    } catch (cause) {
      this.#refuse(asClipError(cause));
      return;
    }
    addStyles(this.#element, this.#rangePart.rangeStyles);
    this.#openRanges.add(one);
    this.#element.requestUpdate();
    await this.#element.updateComplete;
    // The button that was pressed is gone.
    const times = this.#element.shadowRoot!.querySelectorAll<HTMLElement>('.range-start');
    times[times.length - 1]?.focus();
  }

  #drawOpen(task: VideoTask): TemplateResult {
    return drawOpenItem(this.#page, task, {
      cancel: () => {
        task.cancel();
        this.#queue.remove(task);
        this.#element.requestUpdate();
      },
      chooseAgain: () => void this.#chooseAgain(task),
    });
  }

  /** After a reload: the kept handle may still be read, or the person chooses the file again. */
  async #chooseAgain(task: VideoTask): Promise<void> {
    await task.run(true);
    if (task.phase !== 'file') return;
    this.#element.shadowRoot!.querySelector<HTMLInputElement>('input[type="file"]')!.click();
  }
}

/** Changes with every announcement to the page. */
function describeState({ phase, sentBytes, size, error, isStalled }: VideoTask): string {
  const percent = phase === 'sending' && size ? Math.floor((sentBytes / size) * 100) : '';
  return `${phase} ${percent} ${error?.code ?? ''} ${isStalled}`;
}

/** Returns the name of a video's task. */
function getVideoName({ name, video: { url } }: VideoTask): string {
  if (!url) return nameWithoutEnding(name);
  const { hostname, pathname } = new URL(url);
  try {
    return nameWithoutEnding(decodeURIComponent(pathname.split('/').at(-1)!)) || hostname;
  } catch {
    return hostname;
  }
}
