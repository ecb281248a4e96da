import { html, nothing, type TemplateResult } from 'lit';
import { addStyles } from '../clip-element.ts';
import { asClipError, type ClipError, type ClipErrorCode } from '../../client/clip-error.ts';
import { type FromSource, SourceTaskStart } from '../../client/source-task-start.ts';
import type { Task } from '../../contract/task.ts';
import { parseTopics } from '../../flow/create-request.ts';
import { ClipTaskEvent } from '../clip-create/clip-create-events.ts';
import type { HostElement } from '../settings/host-element.ts';
import { readHostOptions } from '../settings/host-options.ts';
import type { PageController } from '../settings/page-controller.ts';
import panelStyles from './video-panel.css';

/** Refusals with texts of the service that are more exact than ours. */
const ofService: readonly ClipErrorCode[] = ['task-refused', 'upload-refused'];

const endings = '.vtt,.srt,.ass,.ssa,.sbv,.ttml';

/**
 * Draws the panel below a video with ready clips. The user can make more clips of it, as a new
 * video. Without words, it can make them again with subtitles or recognised speech. Loaded
 * when there is such a video.
 */
export class VideoPanel {
  readonly #host: HostElement;
  readonly #page: PageController;
  readonly #made: (task: Task) => void;
  /** The forms that are open: `words` or `more`, and the video. */
  readonly #open = new Set<string>();
  /** The starts that run or have failed, by the video's task; `open`: the outcome is asked for. */
  readonly #starts = new Map<
    string,
    { start: SourceTaskStart; error: ClipError | null; open: ClipError | null }
  >();
  readonly #life = new AbortController();

  /** `made`: called with each new task, and each that is worked on again. */
  constructor(host: HostElement, page: PageController, made: (task: Task) => void) {
    this.#host = host;
    this.#page = page;
    this.#made = made;
    addStyles(host, panelStyles);
  }

  end(): void {
    this.#life.abort();
  }

  /** Offers words for a video that has none. */
  drawWords({ id, notes }: Task): TemplateResult {
    const page = this.#page;
    const isBusy = this.#isBusy(id);
    const failed = notes?.find(({ code }) => code === 'words-failed');
    const text = page.text(
      'words-missing',
      'No subtitles or speech were found, so the clips have no captions.',
    );
    return html`<div part="panel" class="words" role="group" aria-label=${text}>
      <p dir="auto">${text}</p>
      ${failed ? html`<p class="fault" dir="auto">${failed.message}</p>` : null}
      ${this.#opener(`words-${id}`, 'add-subtitles', page.text('words-add', 'Add subtitles'), isBusy)}
      <button
        part="secondary"
        class="plain recognise-speech"
        aria-disabled=${isBusy}
        @click=${() => this.#begin(id, { words: null })}
      >
        ${page.text('words-recognise', 'Recognise speech now')}
      </button>
      ${this.#open.has(`words-${id}`) ? this.#form(id, isBusy) : null}${this.#outcome(id)}
    </div>`;
  }

  /** Offers further clips of a video. */
  drawMore({ id }: Task): TemplateResult {
    const page = this.#page;
    const isBusy = this.#isBusy(id);
    const label = page.text('further-find', 'Find more clips');
    const find = (event: SubmitEvent): void => {
      event.preventDefault();
      const topics = parseTopics(
        new FormData(event.target as HTMLFormElement).get('topics') as string,
      );
      this.#begin(id, { more: topics.length > 0 ? { topics } : {} });
    };
    return html`<div part="panel" class="further" role="group" aria-label=${label}>
      ${this.#opener(`more-${id}`, 'find-more', label, isBusy)}${
        this.#open.has(`more-${id}`)
          ? html`<form @submit=${find}>
              <input
                part="field"
                name="topics"
                maxlength="1000"
                placeholder=${page.text('create-topics-hint', 'Anything, or words separated by commas')}
                aria-label=${page.text('create-topics', 'What should the clips be about?')}
              /><button part="secondary" class="plain" aria-disabled=${isBusy}>
                ${page.text('further-start', 'Find')}
              </button>
            </form>`
          : null
      }${this.#outcome(id)}
    </div>`;
  }

  #isBusy(id: string): boolean {
    const started = this.#starts.get(id);
    return !!started && !started.error;
  }

  #opener(form: string, name: string, label: string, isBusy: boolean): TemplateResult {
    const toggle = (): void => {
      if (!this.#open.delete(form)) this.#open.add(form);
      this.#host.requestUpdate();
    };
    return html`<button
      part="secondary"
      class="plain ${name}"
      aria-expanded=${this.#open.has(form)}
      aria-disabled=${isBusy}
      @click=${toggle}
    >
      ${label}
    </button>`;
  }

  #outcome(id: string): TemplateResult {
    const page = this.#page;
    const error = this.#starts.get(id)?.error ?? null;
    const isBusy = this.#isBusy(id);
    const open = this.#starts.get(id)?.open ?? null;
    return html`<p class="fault" role="alert" dir="auto">${this.#fault(error ?? open)}</p>
      ${
        error?.retryable
          ? html`<button part="secondary" class="plain retry" @click=${() => this.#run(id)}>
              ${page.text('retry', 'Try again')}
            </button>`
          : null
      }
      <span role="status" class=${isBusy ? '' : 'visually-hidden'}
        >${isBusy && !open ? page.text('starting', 'Starting…') : ''}</span
      >`;
  }

  #form(id: string, isBusy: boolean): TemplateResult {
    const page = this.#page;
    const file = ({ target }: Event): void => {
      const input = target as HTMLInputElement;
      const [chosen] = input.files ?? [];
      input.value = '';
      if (chosen) this.#begin(id, { words: chosen });
    };
    const link = (event: SubmitEvent): void => {
      event.preventDefault();
      const url = new FormData(event.target as HTMLFormElement).get('url');
      this.#begin(id, { words: `${url as string}` });
    };
    return html`<label part="secondary" class="plain choose-subtitles"
        ><input
          type="file"
          class="visually-hidden"
          accept=${endings}
          ?disabled=${isBusy}
          @change=${file}
        />${page.text('words-choose', 'Choose a subtitle file')}</label
      >
      <form @submit=${link}>
        <input
          part="field"
          name="url"
          type="url"
          required
          placeholder="https://…"
          aria-label=${page.text('words-link', 'Link to a subtitle file')}
        /><button part="secondary" class="plain" aria-disabled=${isBusy}>
          ${page.text('create-add', 'Use link')}
        </button>
      </form>`;
  }

  #fault(error: ClipError | null): TemplateResult | typeof nothing {
    if (!error) return nothing;
    const { code, message } = error;
    return ofService.includes(code)
      ? html`${message}`
      : html`<span lang=${this.#page.textLanguage(code)}>${this.#page.text(code, message)}</span>`;
  }

  #begin(id: string, wanted: FromSource): void {
    const before = this.#starts.get(id);
    if (before && !before.error) return;
    const start = new SourceTaskStart(readHostOptions(this.#host), id, wanted);
    this.#starts.set(id, { start, error: null, open: null });
    void this.#run(id);
  }

  async #run(id: string): Promise<void> {
    const one = this.#starts.get(id)!;
    const { signal } = this.#life;
    one.error = null;
    this.#host.requestUpdate();
    try {
      const task = await one.start.run(signal, (open) => {
        one.open = open;
        this.#host.requestUpdate();
      });
      this.#starts.delete(id);
      this.#open.delete(`words-${id}`);
      this.#open.delete(`more-${id}`);
      this.#host.dispatchEvent(new ClipTaskEvent(task));
      this.#made(task);
    } catch (cause) {
      if (!signal.aborted) one.error = asClipError(cause);
    }
    one.open = null;
    this.#host.requestUpdate();
  }
}
