import { html, type TemplateResult } from 'lit';
import { addStyles } from '../clip-element.ts';
import { repeat } from 'lit/directives/repeat.js';
import { asClipError, ClipError, loadPart } from '../../client/clip-error.ts';
import { CreateQueue } from '../../client/create-queue.ts';
import { isSame, type CreateSession } from '../../client/create-session.ts';
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
  type CreateHost,
} from './clip-create-events.ts';
import {
  type Chosen,
  drawChosenItem,
  getErrorLanguage,
  formatError,
  makeFaultError,
  isOfLimit,
  readFacts,
  drawSessionItem,
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

function getStatus({ phase, error }: CreateSession): CreateStatus {
  if (phase === 'error') {
    if (isSignedOut(error)) return 'signed-out';
    if (isOfLimit(error!)) return 'limit';
    return error!.code === 'task-outcome-unresolved' ? 'unknown' : 'error';
  }
  if (phase === 'sending' || phase === 'waiting') return 'uploading';
  if (phase === 'checking') return 'unknown';
  return phase === 'gone' ? 'started' : phase;
}

const order: readonly CreateStatus[] = [
  ...([
    'uploading',
    'starting',
    'unknown',
    'signed-out',
    'limit',
    'error',
    'file',
    'paused',
  ] as const),
];

/** Uploads the chosen videos and starts their tasks. Loaded with the first of them. */
export class CreateWork {
  readonly #host: CreateHost;
  readonly #page: PageController;
  readonly #queue: CreateQueue;
  readonly #life: AbortSignal;
  #chosen: readonly Chosen[] = [];
  /** Null until a person asks for it. */
  #rangePart: typeof import('./range-field.ts') | null = null;
  readonly #openRanges = new WeakSet<Chosen>();
  /** The text for screen readers. */
  announcement = '';
  /** Why the last choice cannot be used; null otherwise. */
  #fault: ClipError | null = null;
  #hasStarted = false;
  /** Ids of the tasks that have started, and whose clips are not there yet. */
  readonly #makingClips = new Set<string>();
  /** The last announcement of each session. */
  readonly #announced = new WeakMap<CreateSession, string>();

  constructor(host: CreateHost, page: PageController, options: PageHostOptions, life: AbortSignal) {
    this.#host = host;
    this.#page = page;
    this.#life = life;
    addStyles(host, progressStyles);
    addStyles(host, createWorkStyles);
    this.#queue = new CreateQueue(
      options,
      (session) => this.#follow(session),
      (wasBusy) => this.#leave(wasBusy),
      life,
    );
    addEventListener(
      'clip-videos-change',
      (event) => this.#updateTasks((event as ClipVideosChangeEvent).videos),
      { signal: life },
    );
  }

  /** Clears the view when another user signs in: files and jobs of the last user are not shown. */
  #leave(wasBusy: boolean): void {
    this.#chosen = [];
    this.#fault = null;
    this.#hasStarted = false;
    this.#makingClips.clear();
    this.announcement = '';
    if (wasBusy) this.#refuse(makeAccountChangedError());
  }

  /** The page's list of videos shows when the clips are there. */
  #updateTasks(videos: ClipVideosChangeEvent['videos']): void {
    for (const { id, status } of videos) {
      if (status !== 'processing' && this.#makingClips.delete(id)) this.#host.requestUpdate();
    }
  }

  get status(): CreateStatus {
    const all = this.#queue.sessions.map(getStatus);
    const found = order.find((status) => all.includes(status));
    if (found && !this.canStart) return found;
    if (this.#chosen.length) return this.#fault && !this.canStart ? 'error' : 'chosen';
    return found ?? (this.#fault ? 'error' : this.#hasStarted ? 'started' : 'idle');
  }

  get error(): ClipError | null {
    return this.#fault ?? this.#queue.sessions.find(({ error }) => error)?.error ?? null;
  }

  get isStalled(): boolean {
    return this.#queue.sessions.some(({ isStalled }) => isStalled);
  }

  /** The share of the bytes that are sent, 0 to 1; null if nothing is being sent. */
  get progress(): number | null {
    const one = this.#queue.sessions.find(({ phase }) => phase === 'sending');
    return one?.job.file ? one.sentBytes / one.job.file.size : null;
  }

  /** Whether a video is chosen that can be sent. */
  get canStart(): boolean {
    return this.#chosen.some((one) => !this.#faultOf(one));
  }

  /** Takes files. Subtitles go with the video of their name, or with the last one. */
  choose(files: readonly PickedFile[]): void {
    this.#fault = null;
    this.#hasStarted = false;
    const videos = files.filter(({ file }) => !isSubtitles(file.name));
    for (const { file, handle } of videos) {
      const waiting = this.#queue.sessions.filter(
        ({ phase, job }) => phase === 'file' && job.file?.name === file.name,
      );
      const waits = waiting.find(({ job }) => isSame(file, job.file!)) ?? waiting[0];
      if (waits) waits.giveFile(file, handle);
      else this.#add({ source: file, handle, facts: null });
    }
    for (const { file } of files) {
      if (!isSubtitles(file.name)) continue;
      const name = nameWithoutEnding(file.name);
      const videoFiles = this.#chosen.filter(({ source }) => typeof source !== 'string');
      const video =
        videoFiles.find(({ source }) => nameWithoutEnding((source as File).name) === name) ??
        videoFiles.at(-1);
      if (video) video.subtitles = file;
      else
        this.#refuse(
          makeFaultError(
            this.#page,
            'file-not-video',
            { size: file.size, seconds: null },
            this.#limits,
          ),
        );
    }
    this.#host.requestUpdate();
  }

  chooseLink(text: string): boolean {
    this.#fault = null;
    this.#hasStarted = false;
    const url = URL.canParse(text) ? new URL(text) : null;
    if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) {
      const message = 'This is not the address of a video. It begins with https.';
      this.#refuse(new ClipError('link-invalid', message));
      return false;
    }
    this.#add({ source: url.href, facts: { seconds: null, picture: null } });
    return true;
  }

  /** Starts the chosen files that can be used. */
  start(): void {
    for (const one of this.#chosen) {
      if (this.#faultOf(one)) continue;
      const { source, handle, subtitles, facts, range } = one;
      const host = this.#host;
      const type = getTaskType(host.kind);
      const body = createBody(
        {
          kind: host.kind,
          count: host.count,
          length: host.length,
          language: host.language,
          translateTo: host.translateTo,
          shape: host.shape,
          captions: !host.noCaptions,
          emojis: !host.noEmojis,
          introTitle: !host.noTitle,
          removeSilences: host.removeSilences,
          removeFillers: host.removeFillers,
          presetId: host.presetId,
          topics: host.topics,
          range,
        },
        this.#nameOf(source),
      );
      if (!host.dispatchEvent(new ClipCreateStartEvent(source, type, body))) continue;
      this.#chosen = this.#chosen.filter((other) => other !== one);
      const seconds = facts?.seconds ?? null;
      this.#queue.add({ type, body, source, handle, subtitles, seconds });
    }
    this.#host.requestUpdate();
  }

  #add(one: Chosen): void {
    this.#chosen = [...this.#chosen, one];
    this.#host.requestUpdate();
    if (typeof one.source === 'string') return;
    void readFacts(one.source, this.#life).then((facts) => {
      one.facts = facts;
      const fault = this.#faultOf(one);
      if (fault && this.#chosen.includes(one)) this.#reportError(fault);
      this.#host.requestUpdate();
    });
  }

  #remove(one: Chosen): void {
    this.#chosen = this.#chosen.filter((other) => other !== one);
    this.#fault = null;
    this.#host.requestUpdate();
  }

  #refuse(error: ClipError): void {
    this.#fault = error;
    this.#reportError(error);
    this.#host.requestUpdate();
  }

  #reportError(error: ClipError): void {
    this.#page.dispatch(makeErrorEvent(this.#host, error, new ClipCreateErrorEvent(error)));
  }

  #faultOf({ source, facts }: Chosen): ClipError | null {
    if (typeof source === 'string') return null;
    const { name, type, size } = source;
    const seconds = facts?.seconds ?? null;
    const fault = findFileFault({ name, type, size, seconds }, this.#limits);
    return fault && makeFaultError(this.#page, fault, { size, seconds }, this.#limits);
  }

  get #limits(): FileLimits {
    const { kind, maxBytes, maxSeconds } = this.#host;
    return { maxBytes, maxSeconds: maxSeconds || maxInputSeconds[getTaskType(kind)] };
  }

  #nameOf(source: File | string): string {
    if (typeof source !== 'string') return nameWithoutEnding(source.name);
    const { hostname, pathname } = new URL(source);
    const last = pathname.split('/').at(-1)!;
    try {
      return nameWithoutEnding(decodeURIComponent(last)) || hostname;
    } catch {
      return hostname;
    }
  }

  #follow(session: CreateSession | null): void {
    // The queue goes on with what was left open while it is made.
    const key = session && this.#announcementKey(session);
    if (session && key && key !== this.#announced.get(session)) {
      this.#announced.set(session, key);
      this.#announce(session);
    }
    this.#host.requestUpdate();
  }

  /** Changes with every announcement to the page. */
  #announcementKey({ phase, sentBytes, job, error, isStalled }: CreateSession): string {
    const percent =
      phase === 'sending' && job.file ? Math.floor((sentBytes / job.file.size) * 100) : '';
    return `${phase} ${percent} ${error?.code ?? ''} ${isStalled}`;
  }

  #announce(session: CreateSession): void {
    const { phase, sentBytes, job, error, task } = session;
    const page = this.#page;
    if (phase === 'sending' && job.file) {
      const { name, size } = job.file;
      page.dispatch(new ClipUploadEvent(name, sentBytes, size));
      const quarter = Math.floor((sentBytes / size) * 4) / 4;
      const share = getNumberFormat(page.textLanguage('announce-sent'), { style: 'percent' });
      this.announcement = session.isStalled
        ? page.text('stalled', 'The connection is interrupted. Still trying.')
        : page.text('announce-sent', 'Sent: {0}', share.format(quarter));
    } else if (phase === 'starting') {
      if (job.file) page.dispatch(new ClipUploadEvent(job.file.name, job.file.size, job.file.size));
      this.announcement = page.text('starting', 'Starting…');
    } else if (phase === 'started') {
      this.#queue.remove(session);
      this.#hasStarted = true;
      this.#makingClips.add(task!.id);
      this.announcement = page.text('create-started', 'Your clips are being made.');
      const videos = findLinkedElement(this.#host, this.#host.for, 'clip-videos');
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
    const sessions = this.#queue.sessions.filter(({ phase }) => phase !== 'gone');
    const fault = this.#fault;
    return html`${
      fault
        ? html`<p part="error" role="alert">
            <slot name="error"
              ><span dir="auto" lang=${getErrorLanguage(this.#page, fault)}
                >${formatError(this.#page, fault)}</span
              ></slot
            >
          </p>`
        : null
    }${
      this.status === 'started' && this.#makingClips.size
        ? html`<p part="status" class="started">
            <slot name="started"
              >${this.#page.text('create-started', 'Your clips are being made.')}</slot
            >
          </p>`
        : null
    }${
      sessions.length || this.#chosen.length
        ? html`<ul part="list" role="list">
            ${repeat(
              sessions,
              ({ id }) => id,
              (one) => this.#session(one),
            )}${repeat(
              this.#chosen,
              (one) => one,
              (one) => this.#chosenItem(one),
            )}
          </ul>`
        : null
    }`;
  }

  #chosenItem(one: Chosen): TemplateResult {
    const changed = (): void => this.#host.requestUpdate();
    const part = this.#rangePart;
    const isOpen = part && this.#openRanges.has(one);
    return drawChosenItem(
      this.#page,
      one,
      this.#faultOf(one),
      {
        remove: () => this.#remove(one),
        openRange: () => void this.#openRange(one),
      },
      isOpen ? part.drawRangeField(this.#page, one, changed) : null,
    );
  }

  async #openRange(one: Chosen): Promise<void> {
    try {
      this.#rangePart ??= await loadPart(import('./range-field.ts'));
    } catch (cause) {
      this.#refuse(asClipError(cause));
      return;
    }
    addStyles(this.#host, this.#rangePart.rangeStyles);
    this.#openRanges.add(one);
    this.#host.requestUpdate();
    await this.#host.updateComplete;
    // The button that was pressed is gone.
    const times = this.#host.shadowRoot!.querySelectorAll<HTMLElement>('.range-start');
    times[times.length - 1]?.focus();
  }

  #session(session: CreateSession): TemplateResult {
    return drawSessionItem(this.#page, session, {
      cancel: () => {
        session.cancel();
        this.#queue.remove(session);
        this.#host.requestUpdate();
      },
      chooseAgain: () => this.#chooseAgain(session),
    });
  }

  /** After a reload: the kept handle may still be read, or the person chooses the file again. */
  #chooseAgain(session: CreateSession): void {
    void session.run(true).then(() => {
      if (session.phase !== 'file') return;
      this.#host.shadowRoot!.querySelector<HTMLInputElement>('input[type="file"]')!.click();
    });
  }
}
