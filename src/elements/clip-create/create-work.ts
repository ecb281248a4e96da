import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { ClipError, type ClipErrorCode } from '../../client/clip-error.ts';
import { CreateQueue } from '../../client/create-queue.ts';
import type { CreateSession } from '../../client/create-session.ts';
import { HttpError } from '../../client/errors.ts';
import type { HostClientOptions } from '../../client/host-client.ts';
import { maxInputSeconds } from '../../contract/input-limits.ts';
import { createBody, taskTypeOf } from '../../flow/create-request.ts';
import {
  fileFault,
  isSubtitles,
  nameWithoutEnding,
  type FileFault,
  type FileLimits,
} from '../../flow/file-fault.ts';
import { formatDuration } from '../../locales/duration.ts';
import { numberFormat } from '../../locales/number-format.ts';
import { formatBytes, formatLength } from '../../locales/size.ts';
import { linkedElement } from '../linked-element.ts';
import type { ClipVideos } from '../clip-videos/clip-videos.ts';
import type { PageController } from '../settings/page-controller.ts';
import {
  ClipCreateErrorEvent,
  ClipCreateStartEvent,
  ClipTaskEvent,
  ClipUploadEvent,
} from './clip-create-events.ts';
import type { CreateHost } from './create-host.ts';
import { createWorkStyles } from './create-work-styles.ts';
import { readFacts, type VideoFacts } from './file-facts.ts';
import type { PickedFile } from './picked-files.ts';

/** A video that somebody has chosen and that is not begun. */
interface Chosen {
  readonly source: File | string;
  readonly handle?: FileSystemFileHandle | undefined;
  /** Null until they are read. */
  facts: VideoFacts | null;
  subtitles?: File | undefined;
}

/** What the element is busy with; also a custom state. */
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
  | 'error';

/** Errors that pass by waiting, or by another plan. */
const ofLimit: readonly ClipErrorCode[] = ['task-limit', 'rate-limited', 'storage-full'];

/** Errors whose words are the service's. */
const ofService: readonly ClipErrorCode[] = ['upload-refused', 'task-refused'];

const englishFaults: Readonly<Record<FileFault, string>> = {
  'file-empty': 'This file is empty.',
  'file-not-video': 'This file is not a video.',
  'file-too-large': '{0}: at most {1}',
  'file-too-long': '{0}: at most {1}',
};

function statusOf({ phase, error }: CreateSession): CreateStatus {
  if (phase === 'error') {
    if (ofLimit.includes(error!.code)) return 'limit';
    return error!.code === 'task-outcome-unknown' ? 'unknown' : 'error';
  }
  if (phase === 'sending' || phase === 'waiting') return 'uploading';
  return phase === 'gone' ? 'started' : phase;
}

const order: readonly CreateStatus[] = [
  ...(['uploading', 'starting', 'unknown', 'limit', 'error', 'file', 'paused'] as const),
];

/** What happens to the videos that were chosen. Loaded with the first of them. */
export class CreateWork {
  readonly #host: CreateHost;
  readonly #page: PageController;
  readonly #queue: CreateQueue;
  readonly #life: AbortSignal;
  #chosen: readonly Chosen[] = [];
  /** What screen readers are to announce. */
  announcement = '';
  /** Why the last choice cannot be used; null otherwise. */
  #fault: ClipError | null = null;
  #hasStarted = false;
  /** What was told of each session last. */
  readonly #told = new WeakMap<CreateSession, string>();

  constructor(
    host: CreateHost,
    page: PageController,
    options: HostClientOptions,
    life: AbortSignal,
  ) {
    this.#host = host;
    this.#page = page;
    this.#life = life;
    const { styleSheet } = createWorkStyles;
    const { adoptedStyleSheets } = host.shadowRoot!;
    if (styleSheet && !adoptedStyleSheets.includes(styleSheet)) adoptedStyleSheets.push(styleSheet);
    this.#queue = new CreateQueue(options, (session) => this.#follow(session), life);
  }

  get status(): CreateStatus {
    const all = this.#queue.sessions.map(statusOf);
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
      const waits = this.#queue.sessions.find(
        ({ phase, job }) =>
          phase === 'file' && job.file?.name === file.name && job.file.size === file.size,
      );
      if (waits) this.#giveFile(waits, file, handle);
      else this.#add({ source: file, handle, facts: null });
    }
    for (const { file } of files) {
      if (!isSubtitles(file.name)) continue;
      const name = nameWithoutEnding(file.name);
      const films = this.#chosen.filter(({ source }) => typeof source !== 'string');
      const film =
        films.find(({ source }) => nameWithoutEnding((source as File).name) === name) ??
        films.at(-1);
      if (film) film.subtitles = file;
      else this.#refuse(this.#faultError('file-not-video', file));
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

  /** Starts what is chosen and can be used. */
  start(): void {
    for (const one of this.#chosen) {
      if (this.#faultOf(one)) continue;
      const { source, handle, subtitles, facts } = one;
      const host = this.#host;
      const type = taskTypeOf(host.kind);
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
          presetId: host.presetId,
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
      if (fault && this.#chosen.includes(one)) this.#tell(fault);
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
    this.#tell(error);
    this.#host.requestUpdate();
  }

  #giveFile(session: CreateSession, file: File, handle?: FileSystemFileHandle): void {
    try {
      session.giveFile(file, handle);
    } catch (cause) {
      this.#refuse(cause as ClipError);
    }
  }

  #tell(error: ClipError): void {
    this.#page.dispatch(new ClipCreateErrorEvent(error));
  }

  #faultOf({ source, facts }: Chosen): ClipError | null {
    if (typeof source === 'string') return null;
    const { name, type, size } = source;
    const seconds = facts?.seconds ?? null;
    const fault = fileFault({ name, type, size, seconds }, this.#limits);
    return fault && this.#faultError(fault, source, seconds);
  }

  /** What will not work, in the words of the page. */
  #faultError(fault: FileFault, { size }: File, seconds: number | null = null): ClipError {
    const page = this.#page;
    const language = page.textLanguage(fault);
    const { maxBytes, maxSeconds } = this.#limits;
    const [is, most] =
      fault === 'file-too-long'
        ? [formatLength(seconds!, language), formatLength(maxSeconds, language)]
        : [formatBytes(size, language), formatBytes(maxBytes ?? 0, language)];
    const message = page.text(fault, englishFaults[fault], is).replace('{1}', () => most);
    return new ClipError(fault, message);
  }

  get #limits(): FileLimits {
    const { kind, maxBytes, maxSeconds } = this.#host;
    return { maxBytes, maxSeconds: maxSeconds || maxInputSeconds[taskTypeOf(kind)] };
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
    const news = session && this.#newsOf(session);
    if (session && news && news !== this.#told.get(session)) {
      this.#told.set(session, news);
      this.#announce(session);
    }
    this.#host.requestUpdate();
  }

  /** Changes whenever there is something to tell the page. */
  #newsOf({ phase, sentBytes, job, error, isStalled }: CreateSession): string {
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
      const share = numberFormat(page.textLanguage('announce-sent'), { style: 'percent' });
      this.announcement = session.isStalled
        ? page.text('stalled', 'The connection is interrupted. Still trying.')
        : page.text('announce-sent', 'Sent: {0}', share.format(quarter));
    } else if (phase === 'starting') {
      if (job.file) page.dispatch(new ClipUploadEvent(job.file.name, job.file.size, job.file.size));
      this.announcement = page.text('starting', 'Starting…');
    } else if (phase === 'started') {
      this.#queue.remove(session);
      this.#hasStarted = true;
      this.announcement = page.text('create-started', 'Your clips are being made.');
      const videos = linkedElement(this.#host, this.#host.for, 'clip-videos');
      (videos as Partial<ClipVideos> | null)?.add?.(task!);
      page.dispatch(new ClipTaskEvent(task!));
    } else if (phase === 'paused') {
      this.announcement = page.text('create-paused', 'Paused');
    } else if (error) {
      this.announcement = '';
      this.#tell(error);
    }
  }

  render(): TemplateResult {
    const sessions = this.#queue.sessions.filter(({ phase }) => phase !== 'gone');
    const fault = this.#fault;
    return html`${
      fault
        ? html`<p part="error" role="alert">
            <slot name="error"
              ><span dir="auto" lang=${this.#page.textLanguage(fault.code)}
                >${this.#textOf(fault)}</span
              ></slot
            >
          </p>`
        : null
    }${
      this.#hasStarted && !sessions.length && !this.#chosen.length
        ? html`<p part="started">
            <slot name="started"
              >${this.#page.text('create-started', 'Your clips are being made.')}</slot
            >
          </p>`
        : null
    }${
      sessions.length || this.#chosen.length
        ? html`<ul part="videos" role="list">
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
    const page = this.#page;
    const { source, facts, subtitles } = one;
    const fault = this.#faultOf(one);
    const name = typeof source === 'string' ? source : source.name;
    const language = page.textLanguage('create-start');
    const details =
      typeof source === 'string'
        ? []
        : [
            formatBytes(source.size, language),
            ...(facts?.seconds ? [formatLength(facts.seconds, language)] : []),
          ];
    return html`<li part="video" role="listitem">
      <div part="picture" aria-hidden="true">${facts?.picture}</div>
      <div class="what">
        <bdi part="name">${name}</bdi>
        ${
          fault
            ? html`<p part="error" role="alert">
                <span dir="auto" lang=${page.textLanguage(fault.code)}>${fault.message}</span>
              </p>`
            : html`<small>${details.join(' · ')}</small>`
        }
        ${
          subtitles
            ? html`<small
                >${page.text('create-subtitles', 'With subtitles: {0}', subtitles.name)}</small
              >`
            : null
        }
      </div>
      <button
        part="remove"
        class="plain icon"
        aria-label=${page.text('create-remove', 'Remove {0}', name)}
        @click=${() => this.#remove(one)}
      >
        <span aria-hidden="true">×</span>
      </button>
    </li>`;
  }

  #session(session: CreateSession): TemplateResult {
    const page = this.#page;
    const { phase, job, error } = session;
    const name = job.file?.name ?? job.body.name ?? '';
    const cancel = (): void => {
      session.cancel();
      this.#queue.remove(session);
      this.#host.requestUpdate();
    };
    return html`<li part="video" role="listitem">
      <div class="what wide">
        <bdi part="name">${name}</bdi>
        ${phase === 'error' || phase === 'file' ? null : this.#bar(session)} ${this.#about(session)}
        ${
          error && phase === 'error'
            ? html`<p part="error" role="alert">
                <slot name=${ofLimit.includes(error.code) ? 'limit' : 'error'}
                  ><span dir="auto" lang=${this.#languageOf(error)}
                    >${this.#textOf(error)}${this.#waitOf(error)}</span
                  ></slot
                >
              </p>`
            : null
        }
      </div>
      <div class="does">
        ${
          phase === 'sending' || (phase === 'waiting' && job.file)
            ? html`<button part="pause" class="plain" @click=${() => session.pause()}>
                ${page.text('create-pause', 'Pause')}
              </button>`
            : phase === 'paused'
              ? html`<button part="resume" class="plain" @click=${() => session.resume()}>
                  ${page.text('create-resume', 'Continue')}
                </button>`
              : phase === 'file'
                ? html`<button
                    part="resume"
                    class="plain"
                    @click=${() => this.#chooseAgain(session)}
                  >
                    ${page.text('create-resume', 'Continue')}
                  </button>`
                : error?.retryable
                  ? html`<button part="retry" class="plain" @click=${() => session.retry()}>
                      ${page.text('retry', 'Try again')}
                    </button>`
                  : null
        }${
          phase === 'starting'
            ? null
            : html`<button part="cancel" class="plain" @click=${cancel}>
                ${page.text('create-cancel', 'Cancel')}
              </button>`
        }
      </div>
    </li>`;
  }

  /** After a reload: the kept handle may still be read, or the person chooses the file again. */
  #chooseAgain(session: CreateSession): void {
    void session.run(true).then(() => {
      if (session.phase !== 'file') return;
      this.#host.shadowRoot!.querySelector<HTMLInputElement>('input[type="file"]')!.click();
    });
  }

  #bar({ phase, job, sentBytes }: CreateSession): TemplateResult {
    const size = job.file?.size ?? 0;
    const share = size && phase !== 'starting' ? sentBytes / size : null;
    const known = share === null || phase === 'waiting' ? null : Math.floor(share * 100) / 100;
    return html`<div
      part="progress"
      role="progressbar"
      aria-label=${job.file?.name ?? job.body.name ?? nothing}
      aria-valuemin="0"
      aria-valuemax="1"
      aria-valuenow=${known ?? nothing}
    >
      <i .style=${share === null ? '' : `transform:scaleX(${share})`}></i>
    </div>`;
  }

  #about(session: CreateSession): TemplateResult | null {
    const page = this.#page;
    const { phase, job, sentBytes, msLeft } = session;
    const language = page.textLanguage('create-sent');
    let text = '';
    if (phase === 'sending' && job.file) {
      text = page
        .text('create-sent', '{0} of {1}', formatBytes(sentBytes, language))
        .replace('{1}', () => formatBytes(job.file!.size, language));
      const left =
        msLeft === null
          ? ''
          : page.text('time-left', 'About {0} left', formatDuration(msLeft, language));
      if (session.isStalled) {
        text = page.text('stalled', 'The connection is interrupted. Still trying.');
      } else if (left) text += ` · ${left}`;
    } else if (phase === 'waiting') text = page.text('create-waiting', 'Waiting');
    else if (phase === 'paused') text = page.text('create-paused', 'Paused');
    else if (phase === 'starting') text = page.text('starting', 'Starting…');
    else if (phase === 'file') {
      text = page.text('create-file', 'Choose this file again, and it continues where it was.');
    }
    return text ? html`<small part="time-left">${text}</small>` : null;
  }

  #languageOf(error: ClipError): string | typeof nothing {
    return ofService.includes(error.code) ? nothing : this.#page.textLanguage(error.code);
  }

  #textOf(error: ClipError): string {
    // The service's own words about a file are more exact than ours.
    return ofService.includes(error.code) || error.code in englishFaults
      ? error.message
      : this.#page.text(error.code, error.message);
  }

  /** The time to wait that the host asks for. */
  #waitOf({ cause }: ClipError): string {
    const waitMs = cause instanceof HttpError ? cause.retryAfter : null;
    if (!waitMs) return '';
    const page = this.#page;
    const duration = formatDuration(waitMs, page.textLanguage('create-wait'));
    return ` ${page.text('create-wait', 'Try again in about {0}.', duration)}`;
  }
}
