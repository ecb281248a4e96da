import { html, nothing, type TemplateResult } from 'lit';
import { Refused, ask } from '../session.ts';
import type { Task, VideoToShortsInput, VideoToVideoInput } from 'clip-kit/contract';

type From = 'sample' | 'url' | 'file';

interface FormState {
  from: From;
  kind: Task['type'];
  file: File | null;
  transcript: File | null;
  over: boolean;
  /** The current action, for the button, or null. */
  busy: string | null;
  fault: string | null;
}

const size = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

const megabytes = (bytes: number): string => `${size.format(bytes / 1_000_000)} MB`;

/** Uploads a file with progress, which `fetch` cannot report. */
const upload = (
  file: File,
  id: string | null,
  tell: (share: number) => void,
): Promise<{ id: string; url: string }> =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const query = new URLSearchParams({ name: file.name, ...(id === null ? {} : { id }) });
    request.open('POST', `/api/uploads?${query}`);
    request.responseType = 'json';
    request.upload.onprogress = ({ loaded, total }) => tell(total ? loaded / total : 0);
    request.onload = () => {
      const answer = request.response as { id: string; url: string; title?: string } | null;
      if (request.status === 201 && answer) resolve(answer);
      else
        reject(
          new Refused(
            request.status,
            answer?.title ?? 'The file could not be uploaded. Try again.',
          ),
        );
    };
    request.onerror = () =>
      reject(new Refused(0, 'The connection was lost during the upload. Try again.'));
    request.send(file);
  });

/** The form for a new video: the sample, a URL, or a file. */
export class NewVideo {
  readonly #sampleUrl: string;
  readonly #changed: () => void;
  readonly #created: (task: Task, name: string) => void;
  readonly #state: FormState = {
    from: 'sample',
    kind: 'video-to-shorts',
    file: null,
    transcript: null,
    over: false,
    busy: null,
    fault: null,
  };

  #attempt: { readonly body: string; readonly key: string } | null = null;

  constructor(sampleUrl: string, changed: () => void, created: (task: Task, name: string) => void) {
    this.#sampleUrl = sampleUrl;
    this.#changed = changed;
    this.#created = created;
  }

  #set(change: Partial<FormState>): void {
    Object.assign(this.#state, change);
    this.#changed();
  }

  /** The URL that the service fetches: the sample's, the typed one, or the uploaded file's. */
  async #source(form: FormData): Promise<{ url: string; name: string }> {
    const { from, file, transcript } = this.#state;
    if (from === 'sample') return { url: this.#sampleUrl, name: 'Four small ideas' };
    if (from === 'url') {
      const url = String(form.get('url') ?? '').trim();
      if (!URL.canParse(url)) {
        throw new Refused(0, 'Enter the full URL of the video, starting with https://.');
      }
      const last = new URL(url).pathname.split('/').pop() ?? '';
      return { url, name: decodeURIComponent(last).replace(/\.\w+$/, '') || new URL(url).hostname };
    }
    if (!file) throw new Refused(0, 'Choose a video file first.');
    const kept = await upload(file, null, (share) =>
      this.#set({ busy: `Sending ${Math.round(share * 100)} %` }),
    );
    if (transcript) await upload(transcript, kept.id, () => {});
    return { url: kept.url, name: file.name.replace(/\.\w+$/, '') };
  }

  async #submit(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    if (this.#state.busy !== null) return;
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const checked = (name: string) => form.get(name) !== null;
    this.#set({ busy: 'Checking the video', fault: null });
    try {
      const { url, name } = await this.#source(form);
      this.#set({ busy: 'Checking the video' });
      const common = {
        source_video_url: url,
        name: name.slice(0, 255),
        editing_options: {
          captions: checked('captions'),
          reframe: checked('reframe'),
          emojis: checked('emojis'),
          intro_title: checked('intro_title'),
          remove_silences: checked('remove_silences'),
        },
      };
      const { kind } = this.#state;
      const body: VideoToShortsInput | VideoToVideoInput =
        kind === 'video-to-video'
          ? common
          : {
              ...common,
              target_clip_count: Number(form.get('count')),
              min_duration: 5,
              target_duration: Number(form.get('length')),
            };
      const text = JSON.stringify(body);
      // The same request again, after a lost answer, must not make a second task.
      if (this.#attempt?.body !== text) this.#attempt = { body: text, key: crypto.randomUUID() };
      const task = await ask<Task>(`/clips/tasks/${kind}`, {
        method: 'POST',
        headers: { 'Idempotency-Key': this.#attempt.key },
        body: text,
      });
      this.#attempt = null;
      this.#set({ busy: null, file: null, transcript: null });
      this.#created(task, name);
    } catch (error) {
      this.#set({ busy: null, fault: error instanceof Error ? error.message : String(error) });
    }
  }

  #choice<T extends string>(
    name: string,
    value: T,
    label: string,
    current: T,
    choose: (value: T) => void,
  ): TemplateResult {
    return html`<label
      ><input
        type="radio"
        name=${name}
        value=${value}
        .checked=${current === value}
        @change=${() => choose(value)}
      />${label}</label
    >`;
  }

  #file(): TemplateResult {
    const { file, over } = this.#state;
    const take = (files: FileList | null | undefined) =>
      this.#set({ file: files?.[0] ?? null, over: false, fault: null });
    return html`<label
        class="drop ${over ? 'over' : ''}"
        @dragover=${(event: DragEvent) => {
          event.preventDefault();
          if (!over) this.#set({ over: true });
        }}
        @dragleave=${() => this.#set({ over: false })}
        @drop=${(event: DragEvent) => {
          event.preventDefault();
          take(event.dataTransfer?.files);
        }}
      >
        <input
          class="unseen"
          type="file"
          name="file"
          accept="video/*,.mkv,.mov,.flv"
          @change=${(event: Event) => take((event.target as HTMLInputElement).files)}
        />
        ${
          file
            ? html`<strong>${file.name}</strong
                ><span class="soft small">${megabytes(file.size)}</span>`
            : html`<strong>Choose a video</strong
                ><span class="soft small">or drop one here (MP4, MOV, MKV, WebM)</span>`
        }
      </label>
      <label class="field"
        ><span>Transcript, if you have one</span>
        <input
          type="file"
          name="transcript"
          accept=".vtt,.srt"
          @change=${(event: Event) =>
            this.#set({ transcript: (event.target as HTMLInputElement).files?.[0] ?? null })}
        /><span class="soft small"
          >WebVTT or SRT. Captions and titles are made from it.</span
        ></label
      >`;
  }

  #options(shorts: boolean): TemplateResult {
    const check = (name: string, label: string, on: boolean) =>
      html`<label><input type="checkbox" name=${name} ?checked=${on} />${label}</label>`;
    return html`<details>
      <summary>Options</summary>
      <div>
        ${
          shorts
            ? html`<div class="two">
                <label class="field"
                  ><span>Clips, at most</span>
                  <input type="number" name="count" min="1" max="10" value="5" required
                /></label>
                <label class="field"
                  ><span>Length, about</span>
                  <select name="length">
                    <option value="15">15 s</option>
                    <option value="25" selected>25 s</option>
                    <option value="40">40 s</option>
                    <option value="60">60 s</option>
                  </select></label
                >
              </div>`
            : nothing
        }
        <fieldset>
          <legend>Editing</legend>
          <div class="checks">
            ${check('captions', 'Captions', true)} ${check('intro_title', 'Hook title', true)}
            ${check('emojis', 'Emoji', true)} ${check('reframe', 'Fill the frame', true)}
            ${check('remove_silences', 'Cut silences', false)}
          </div>
        </fieldset>
      </div>
    </details>`;
  }

  render(): TemplateResult {
    const { from, kind, busy, fault } = this.#state;
    const shorts = kind === 'video-to-shorts';
    const sourceIs = (value: From) => this.#set({ from: value, fault: null });
    const kindIs = (value: Task['type']) => this.#set({ kind: value });
    return html`<form
      class="card give"
      aria-labelledby="give"
      @submit=${(event: SubmitEvent) => void this.#submit(event)}
    >
      <h2 id="give">New video</h2>
      <fieldset>
        <legend>From</legend>
        <div class="choices">
          ${this.#choice('from', 'sample', 'Sample', from, sourceIs)}
          ${this.#choice('from', 'url', 'Address', from, sourceIs)}
          ${this.#choice('from', 'file', 'File', from, sourceIs)}
        </div>
      </fieldset>
      ${
        from === 'sample'
          ? html`<p class="soft small">
              “Four small ideas”: a little show that this site drew and spoke by itself, with its
              transcript.
            </p>`
          : from === 'url'
            ? html`<label class="field"
                ><span>Address of the video</span>
                <input
                  type="url"
                  name="url"
                  required
                  placeholder="https://example.com/talk.mp4"
                  aria-invalid=${fault ? 'true' : 'false'}
                /><span class="soft small"
                  >A .vtt or .srt beside it, with the same name, is used as the transcript.</span
                ></label
              >`
            : this.#file()
      }
      <fieldset>
        <legend>Make</legend>
        <div class="choices">
          ${this.#choice('kind', 'video-to-shorts', 'Several shorts', kind, kindIs)}
          ${this.#choice('kind', 'video-to-video', 'One edited video', kind, kindIs)}
        </div>
      </fieldset>
      ${this.#options(shorts)}
      <p class="fault" role="alert" ?hidden=${!fault}>${fault}</p>
      <button class="button main" ?disabled=${busy !== null}>
        ${busy ?? (shorts ? 'Find the moments' : 'Edit the video')}
      </button>
    </form>`;
  }
}
