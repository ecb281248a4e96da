import { html, LitElement, type PropertyValues, type TemplateResult } from 'lit';
import { getAccountsAtLoad } from '../../client/page-state.ts';
import { asClipError, type ClipError, loadPart } from '../../client/clip-error.ts';
import type { PageHostOptions } from '../../client/page-host.ts';
import type { CreateKind } from '../../flow/create-request.ts';
import {
  defineAttributeProperties,
  flagProperty,
  numberProperty,
  textProperty,
} from '../attribute-properties.ts';
import { showStates } from '../clip-element.ts';
import { readHostOptions, checkId } from '../settings/host-options.ts';
import { PageController } from '../settings/page-controller.ts';
import { ClipSignedOutEvent } from '../events.ts';
import { HostElement } from '../settings/host-element.ts';
import clipCreateStyles from './clip-create.css';
import { ClipCreateErrorEvent, type StylePreset } from './clip-create-events.ts';
import { drawOptionFields, optionNames, StyleChoice } from './create-options.ts';
import type { CreateStatus, CreateWork } from './create-work.ts';
import { listFiles, readLink, pickFiles, type PickedFile } from './picked-files.ts';
import baseStyles from '../clip-element.css';
import visuallyHiddenStyles from '../visually-hidden.css';

/** A list of styles from an attribute, as JSON; null if it is none. */
function parsePresets(value: string | null): StylePreset[] | null {
  try {
    const read: unknown = JSON.parse(value ?? '');
    return Array.isArray(read) ? (read as StylePreset[]) : null;
  } catch {
    return null;
  }
}

/** Whether it is the name of something that was begun, as `client/create-store.ts` keeps it. */
const isOfJob = (key: string | null): boolean => !!key?.startsWith('clip-kit:create:');

function hasOpenJobs(): boolean {
  try {
    return Object.keys(localStorage).some(isOfJob);
  } catch {
    return false;
  }
}

/** The most options that are shown without opening anything. */
const maxOpenOptions = 3;

/**
 * Uploads a video, or takes its link, and starts the task that makes clips of it.
 *
 * @element clip-create
 * @fires {ClipUploadEvent} clip-upload - A file is being uploaded, or the upload has finished.
 * @fires {ClipCreateStartEvent} clip-create-start - Before anything is sent; cancelable.
 * @fires {ClipTaskEvent} clip-task - A task has started.
 * @fires {ClipCreateErrorEvent} clip-create-error - A file, an upload or a start has failed.
 * @fires {ClipSignedOutEvent} clip-signed-out - No user is signed in. The element continues when
 *   one is.
 * @slot drop - Replaces the text of the drop area.
 * @slot choose - The label of the button that chooses a file.
 * @slot options - Content below the options; empty by default.
 * @slot start - The label of the button that starts.
 * @slot started - Replaces the text while clips are made, as far as a `<clip-videos>` shows it.
 * @slot error - Replaces the error's text.
 * @slot signed-out - Replaces the text if no user is signed in; for example with a link to sign in.
 * @slot limit - Replaces the text if a limit of the plan or the service is reached.
 * @csspart drop - The drop area.
 * @csspart button - The file button in it, and the start button.
 * @csspart list - The list of videos that are chosen or being uploaded.
 * @csspart item - One of them.
 * @csspart poster - A picture of it.
 * @csspart title - Its name.
 * @csspart progress - The progress of its upload.
 * @csspart status - What is sent, the remaining time, and the text while clips are made.
 * @csspart error - The text of an error.
 * @csspart options - The options.
 * @csspart field - A field for a text, a link or a time, and a menu.
 * @csspart check - An option that is on or off.
 * @csspart style - One of the styles to choose from.
 * @csspart secondary - Every other button, such as the one that pauses an upload.
 * @cssproperty [--clip-accent=#4f46e5] - Buttons, progress and focus ring.
 * @cssproperty [--clip-on-accent=#fff] - Text on a button.
 * @cssproperty [--clip-radius=1rem] - Corner radius of the drop area and the fields.
 * @cssproperty [--clip-button-radius] - Corner radius of the buttons.
 * @cssproperty [--clip-backdrop] - Background of progress and pictures.
 * @cssstate idle - Nothing is chosen.
 * @cssstate chosen - A video is chosen, and nothing is sent.
 * @cssstate uploading - A file is being sent.
 * @cssstate paused - The user has paused the upload.
 * @cssstate file - After a reload: the file must be chosen again.
 * @cssstate starting - The upload has finished, and the task is being started.
 * @cssstate started - The task has started.
 * @cssstate limit - A limit of the plan or the service is reached.
 * @cssstate unknown - It is not known whether the task has started.
 * @cssstate signed-out - No user is signed in to the site.
 * @cssstate error - A file cannot be used, or an upload or start has failed.
 * @cssstate stalled - The connection is interrupted; the upload continues automatically.
 * @cssstate dragging - A file is dragged over the element.
 */
export class ClipCreate extends HostElement {
  static override properties = {
    ...defineAttributeProperties(this, {
      for: textProperty,
      label: textProperty,
      options: textProperty,
      kind: { from: (text) => (text === 'video' ? text : 'shorts') },
      count: numberProperty,
      length: numberProperty,
      language: textProperty,
      translateTo: textProperty,
      shape: textProperty,
      noCaptions: flagProperty,
      noEmojis: flagProperty,
      noTitle: flagProperty,
      removeSilences: flagProperty,
      removeFillers: flagProperty,
      topics: textProperty,
      presetId: textProperty,
      presetsUrl: textProperty,
      maxBytes: numberProperty,
      maxSeconds: numberProperty,
    }),
    presets: { converter: parsePresets },
  };
  static override styles = [baseStyles, visuallyHiddenStyles, clipCreateStyles];
  static override shadowRootOptions: ShadowRootInit = {
    ...LitElement.shadowRootOptions,
    delegatesFocus: true,
  };

  /** Id of the `<clip-videos>` that shows a new video at once. */
  declare for: string | null;
  /** Accessible name of the element. */
  declare label: string | null;
  /**
   * The options that users can change, such as `count length style`. Default: all; if empty: none.
   */
  declare options: string | null;
  /**
   * Kind of result: several clips, or one edited video.
   *
   * @default 'shorts'
   */
  declare kind: CreateKind;
  /** Maximum number of clips. Default: the service decides. */
  declare count: number | null;
  /** Approximate length of each clip in seconds. Default: the service decides. */
  declare length: number | null;
  /** Language of the video (BCP 47). Default: detected. */
  declare language: string | null;
  /** Language to which captions are translated. Default: no translation. */
  declare translateTo: string | null;
  /** Shape of the clips: `9:16` (default), `4:5`, `1:1` or `16:9`. */
  declare shape: string | null;
  /**
   * Without captions.
   *
   * @default false
   */
  declare noCaptions: boolean;
  /**
   * Without emoji in the captions.
   *
   * @default false
   */
  declare noEmojis: boolean;
  /**
   * Without a title at the beginning.
   *
   * @default false
   */
  declare noTitle: boolean;
  /**
   * Removes silences.
   *
   * @default false
   */
  declare removeSilences: boolean;
  /**
   * Removes fillers (um) between pauses.
   *
   * @default false
   */
  declare removeFillers: boolean;
  /** Topics of the clips: words or phrases, separated by commas. */
  declare topics: string | null;
  /** Id of the style of captions and title. */
  declare presetId: string | null;
  /** The styles to choose from. Default: those at `presetsUrl`. As an attribute: JSON. */
  declare presets: readonly StylePreset[] | null;
  /** Address of the list of styles, such as the service's `/presets`. */
  declare presetsUrl: string | null;
  /**
   * Maximum size of a file, in bytes. Default: the limit of the service, checked before the first
   * byte is sent.
   */
  declare maxBytes: number | null;
  /**
   * Maximum length of a video, in seconds. Default: 5 hours, or 15 minutes for one edited video.
   */
  declare maxSeconds: number | null;

  readonly #page = new PageController(this, { left: () => this.#end() });
  readonly #styles = new StyleChoice(this, this.#page);
  /** The part that uploads videos and starts tasks; null until it is needed. */
  #work: CreateWork | null = null;
  /** Why nothing can be sent: a setting, or a part of the page that could not be loaded. */
  #loadError: ClipError | null = null;
  #loading: Promise<CreateWork | null> | null = null;
  #life = new AbortController();
  /** Whether the site has said that no user is signed in. */
  #lacksUser = false;
  #key: string | null = null;
  #isDragging = false;
  #hadFocus = false;
  readonly #pasteAnywhere = (event: ClipboardEvent): void => {
    if (event.target === document.body) this.#paste(event);
  };

  constructor() {
    super();
    showStates(this, () => [
      this.status,
      this.#work?.isStalled && 'stalled',
      this.#isDragging && 'dragging',
    ]);
    this.addEventListener('paste', (event) => this.#paste(event));
    this.addController({
      // A page in which nothing has the focus.
      hostConnected: () => document.addEventListener('paste', this.#pasteAnywhere),
      hostDisconnected: () => document.removeEventListener('paste', this.#pasteAnywhere),
    });
    for (const type of ['dragenter', 'dragover', 'dragleave', 'drop'] as const) {
      this.addEventListener(type, (event) => this.#drag(event));
    }
  }

  /** The state of the element; also a custom state. */
  get status(): CreateStatus {
    return this.#isClosed ? 'signed-out' : this.#ownStatus;
  }

  get #ownStatus(): CreateStatus {
    return this.#work?.status ?? (this.#loadError ? 'error' : 'idle');
  }

  /** Whether no file can be chosen. Chosen files and uploads stay, and wait for a user. */
  get #isClosed(): boolean {
    return this.#lacksUser && /^(idle|started)$/.test(this.#ownStatus);
  }

  /** Why a file cannot be used, or an upload or a start has failed; null without an error. */
  get error(): ClipError | null {
    return this.status === 'signed-out' ? null : (this.#loadError ?? this.#work?.error ?? null);
  }

  /** Share of the file that has been sent, 0 to 1; null if no file is being sent. */
  get progress(): number | null {
    return this.#work?.progress ?? null;
  }

  /** Adds files, as if the user had chosen them. Subtitle files are matched with their video. */
  async choose(files: Iterable<File>): Promise<void> {
    await this.#take([...files].map((file) => ({ file })));
  }

  /** Adds the address of a video, as if the user had pasted it. */
  async chooseLink(url: string): Promise<void> {
    const work = await this.#loadWork();
    if (!work?.chooseLink(url)) return;
    await this.updateComplete;
    this.#input('.link').value = '';
  }

  /** Uploads the chosen files, and starts a task for each video. */
  async start(): Promise<void> {
    (await this.#loadWork())?.start();
  }

  async #take(files: readonly PickedFile[]): Promise<void> {
    if (files.length) (await this.#loadWork())?.choose(files);
  }

  #input(selector: string): HTMLInputElement {
    return this.shadowRoot!.querySelector(selector)!;
  }

  async #pick(): Promise<void> {
    const files = await pickFiles();
    if (files) await this.#take(files);
    else this.#input('[type="file"]').click();
  }

  #paste(event: ClipboardEvent): void {
    const data = event.clipboardData;
    if (!data || this.#isClosed) return;
    const isInField = event.composedPath()[0] instanceof HTMLInputElement;
    const link = readLink(data);
    if (data.files.length) void listFiles(data).then((files) => this.#take(files));
    else if (link && !isInField) void this.chooseLink(link);
    else return;
    event.preventDefault();
  }

  #drag(event: DragEvent): void {
    const data = event.dataTransfer;
    if (!data || !/Files|text\/uri-list/.test(data.types.join())) return;
    event.preventDefault();
    const into = event.relatedTarget as Node | null;
    const leaves = event.type === 'dragleave' && !(into && this.shadowRoot!.contains(into));
    this.#isDragging = event.type !== 'drop' && !leaves && !this.#isClosed;
    this.requestUpdate();
    if (event.type !== 'drop' || this.#isClosed) return;
    const link = readLink(data);
    if (data.files.length) void listFiles(data).then((files) => this.#take(files));
    else if (link) void this.chooseLink(link);
  }

  #addLink(event: Event): void {
    event.preventDefault();
    const field = this.#input('.link');
    if (field.value.trim()) void this.chooseLink(field.value.trim());
    else field.focus();
  }

  protected override update(changed: PropertyValues): void {
    this.#followSettings();
    super.update(changed);
  }

  #followSettings(): void {
    if (!this.#page.connected) return;
    getAccountsAtLoad();
    const settings = this.#page.settings(() => {
      checkId(this.presetId, 'preset-id');
      return JSON.stringify(readHostOptions(this));
    });
    if (!settings || settings.key === this.#key) return;
    const { key, error } = settings;
    // A file may have been given before the first settings.
    if (this.#key !== null) this.#end();
    this.#key = key;
    this.#loadError = error;
    if (error) {
      this.#page.dispatch(new ClipCreateErrorEvent(error));
      return;
    }
    const options = readHostOptions(this);
    if (options.session) void this.#followSession(options, this.#life.signal);
    if (hasOpenJobs()) void this.#loadWork();
    // Another tab has begun something, which this one finishes if that is closed.
    addEventListener('storage', ({ key }) => isOfJob(key) && void this.#loadWork(), {
      signal: this.#life.signal,
    });
  }

  /** Asks for the page's session, and shows whenever no user is signed in. */
  async #followSession(options: PageHostOptions, signal: AbortSignal): Promise<void> {
    // Without it, the first file finds out.
    const part = await import('../../client/page-host.ts').catch(() => null);
    if (!part || signal.aborted) return;
    const session = part.getPageHost(options).session!;
    const ask = (): void => void session.get().catch(() => {});
    addEventListener('clip-session-change', ask, { signal });
    ask();
    for (;;) {
      await session.signedOut(signal);
      this.#lacksUser = true;
      this.requestUpdate();
      if (this.#isClosed) this.#page.dispatch(new ClipSignedOutEvent(this));
      await session.signedIn(signal);
      this.#lacksUser = false;
      this.requestUpdate();
    }
  }

  /** Loads the part that works on videos. Null if that failed, which the element shows. */
  #loadWork(): Promise<CreateWork | null> {
    this.#loading ??= this.#importWork();
    return this.#loading;
  }

  async #importWork(): Promise<CreateWork | null> {
    // Settings that were made in this task count.
    await this.updateComplete;
    if (this.#loadError?.code === 'load-failed') this.#loadError = null;
    if (!this.#page.connected || this.#loadError) return null;
    const { signal } = this.#life;
    try {
      const { CreateWork } = await loadPart(import('./create-work.ts'));
      if (signal.aborted) return null;
      this.#work = new CreateWork(this, this.#page, readHostOptions(this), signal);
    } catch (cause) {
      if (signal.aborted) return null;
      this.#loading = null;
      this.#loadError = asClipError(cause);
      this.#page.dispatch(new ClipCreateErrorEvent(this.#loadError));
    }
    this.requestUpdate();
    return this.#work;
  }

  /** Ends all work. Open jobs are stored, and continue in the next element. */
  #end(): void {
    this.#life.abort();
    this.#life = new AbortController();
    this.#lacksUser = false;
    this.#work = this.#loading = this.#key = this.#loadError = null;
  }

  protected override willUpdate(): void {
    this.#hadFocus = !!this.shadowRoot!.activeElement;
  }

  protected override updated(): void {
    // What had the focus may have been replaced, as "Pause" by "Continue".
    if (!this.#hadFocus || this.shadowRoot!.activeElement) return;
    this.shadowRoot!.querySelector<HTMLElement>(
      this.shadowRoot!.querySelector('[part="item"]') ? '[part="item"] button' : '.choose',
    )?.focus();
  }

  protected override render(): TemplateResult {
    const page = this.#page;
    const work = this.#work;
    const error = this.#loadError;
    const canStart = !!work?.canStart;
    const name = this.label || page.text('create-label', 'New video');
    if (this.#isClosed) {
      return html`<div class="all" role="group" aria-label=${name}>
        ${this.#drawNote('signed-out', 'signed-out', 'Sign in to continue.')}
      </div>`;
    }
    const label =
      this.kind === 'video'
        ? page.text('create-start-video', 'Edit the video')
        : page.text('create-start', 'Make clips');
    return html`<div class="all" role="group" aria-label=${name}>
      <div class="visually-hidden" role="status">${work?.announcement}</div>
      ${this.#drawDropArea(canStart)}${
        error && this.#drawNote('error', error.code, error.message)
      }${work?.render()}${this.#options()}<slot name="options"></slot>
      <button part="button" class="main start" aria-disabled=${!canStart} @click=${this.start}>
        <slot name="start">${label}</slot>
      </button>
    </div>`;
  }

  /** Draws why nothing can be chosen or sent. */
  #drawNote(slot: string, code: ClipError['code'], english: string): TemplateResult {
    return html`<p part="error" role="alert">
      <slot name=${slot}
        ><span dir="auto" lang=${this.#page.textLanguage(code)}
          >${this.#page.text(code, english)}</span
        ></slot
      >
    </p>`;
  }

  #drawDropArea(canStart: boolean): TemplateResult {
    const page = this.#page;
    const changed = ({ target }: Event): void => {
      const input = target as HTMLInputElement;
      void this.choose(input.files ?? []);
      // The same file can be chosen again.
      input.value = '';
    };
    return html`<div part="drop">
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d="M12 16V5m-4.5 4L12 4.5 16.5 9M4 15v3a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2v-3" />
      </svg>
      <slot name="drop"
        ><span class="drop">${page.text('create-drop', 'Drop a video here')}</span></slot
      >
      <button part="button" class="choose ${canStart ? 'plain' : 'main'}" @click=${this.#pick}>
        <slot name="choose">${page.text('create-choose', 'Choose a video')}</slot>
      </button>
      <input
        type="file"
        hidden
        multiple
        accept="video/*,audio/*,.mkv,.mts,.mxf,.ts,.flac,.m4a,.opus,.srt,.vtt,.ass,.ssa,.sbv,.ttml"
        @change=${changed}
      />
      <form @submit=${this.#addLink}>
        <input
          part="field"
          class="link"
          type="url"
          inputmode="url"
          dir="ltr"
          placeholder="https://"
          autocomplete="off"
          aria-label=${page.text('create-link', 'Link to a video')}
        /><button part="secondary" class="plain add">${page.text('create-add', 'Use link')}</button>
      </form>
    </div>`;
  }

  #options(): TemplateResult | null {
    const shown = this.options?.split(/\s+/).filter(Boolean) ?? [...optionNames];
    const fields = drawOptionFields(this, this.#page, shown);
    const styles = shown.includes('style') ? this.#styles.render() : null;
    if (!fields.length && !styles) return null;
    const all = html`<div class="fields">${fields}</div>
      ${styles}`;
    return shown.length <= maxOpenOptions
      ? html`<div part="options">${all}</div>`
      : html`<details part="options">
          <summary>${this.#page.text('create-options', 'Options')}</summary>
          ${all}
        </details>`;
  }
}
