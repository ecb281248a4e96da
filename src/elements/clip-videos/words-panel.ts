import { css, html, nothing, type TemplateResult } from 'lit';
import { asClipError, type ClipError, type ClipErrorCode } from '../../client/clip-error.ts';
import { type WordsSource, WordsStart } from '../../client/words-start.ts';
import type { Task } from '../../contract/task.ts';
import { ClipTaskEvent } from '../clip-create/clip-create-events.ts';
import type { HostElement } from '../settings/host-element.ts';
import { hostOptions } from '../settings/host-options.ts';
import type { PageController } from '../settings/page-controller.ts';

const wordsStyles = css`
  [part='words'] {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem;
    align-items: center;
    padding: 0.625rem;
    border-top: 1px solid var(--_line);
  }
  [part='words'] > p {
    flex: 1 1 100%;
    margin: 0;
    font-size: 0.875rem;
    text-wrap: pretty;
  }
  [part='words'] > p:empty {
    display: none;
  }
  [part='words'] > .fault {
    padding: 0;
    color: var(--_danger);
  }
  [part='words'] form {
    display: flex;
    flex: 1 1 16rem;
    gap: 0.5rem;
    min-width: 0;
  }
  [part='choose-subtitles'] {
    cursor: pointer;
  }
  [part='choose-subtitles']:focus-within {
    outline: 3px solid var(--clip-focus, var(--_accent));
    outline-offset: 2px;
  }
  [part='subtitles-link'] {
    flex: 1;
    min-width: 0;
    min-height: 2.25rem;
    padding: 0.375rem 0.625rem;
    border: 1px solid var(--_line);
    border-radius: 0.5rem;
    background: var(--_surface);
    color: inherit;
    font: inherit;
  }
  [part='words'] [aria-disabled='true'] {
    cursor: progress;
    opacity: 0.6;
  }
`;

/** Refusals of which the service's own words are more exact than ours. */
const ofService: readonly ClipErrorCode[] = ['task-refused', 'upload-refused'];

const endings = '.vtt,.srt,.ass,.ssa,.sbv,.ttml';

/**
 * What stands beside a video without words: its clips can be made once more with subtitles, or with
 * recognised speech. Loaded when there is such a video.
 */
export class WordsPanel {
  readonly #host: HostElement;
  readonly #page: PageController;
  readonly #made: (task: Task) => void;
  /** The videos whose form is open. */
  readonly #open = new Set<string>();
  /** The starts that run or have failed, by the video's task. */
  readonly #starts = new Map<string, { start: WordsStart; error: ClipError | null }>();
  readonly #life = new AbortController();

  /** `made`: called with each new task. */
  constructor(host: HostElement, page: PageController, made: (task: Task) => void) {
    this.#host = host;
    this.#page = page;
    this.#made = made;
    const { styleSheet } = wordsStyles;
    if (styleSheet) host.shadowRoot!.adoptedStyleSheets.push(styleSheet);
  }

  end(): void {
    this.#life.abort();
  }

  draw({ id }: Task): TemplateResult {
    const page = this.#page;
    const started = this.#starts.get(id);
    const isBusy = !!started && !started.error;
    const isOpen = this.#open.has(id);
    const text = page.text(
      'words-missing',
      'No words are known of this video, so its clips have no captions.',
    );
    return html`<div part="words" role="group" aria-label=${text}>
      <p dir="auto">${text}</p>
      <button
        part="add-subtitles"
        class="plain"
        aria-expanded=${isOpen}
        aria-disabled=${isBusy}
        @click=${() => this.#toggle(id)}
      >
        ${page.text('words-add', 'Add subtitles')}
      </button>
      <button
        part="recognise-speech"
        class="plain"
        aria-disabled=${isBusy}
        @click=${() => this.#begin(id, null)}
      >
        ${page.text('words-recognise', 'Recognise speech')}
      </button>
      ${isOpen ? this.#form(id, isBusy) : null}
      <p class="fault" role="alert" dir="auto">${this.#fault(started?.error ?? null)}</p>
      ${
        started?.error?.retryable
          ? html`<button part="words-retry" class="plain" @click=${() => this.#run(id)}>
              ${page.text('retry', 'Try again')}
            </button>`
          : null
      }
      <span role="status" class=${isBusy ? '' : 'visually-hidden'}
        >${isBusy ? page.text('starting', 'Starting…') : ''}</span
      >
    </div>`;
  }

  #form(id: string, isBusy: boolean): TemplateResult {
    const page = this.#page;
    const file = ({ target }: Event): void => {
      const input = target as HTMLInputElement;
      const [chosen] = input.files ?? [];
      input.value = '';
      if (chosen) this.#begin(id, chosen);
    };
    const link = (event: SubmitEvent): void => {
      event.preventDefault();
      const url = new FormData(event.target as HTMLFormElement).get('url');
      this.#begin(id, `${url as string}`);
    };
    return html`<label part="choose-subtitles" class="plain"
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
          part="subtitles-link"
          name="url"
          type="url"
          required
          placeholder="https://…"
          aria-label=${page.text('words-link', 'Link to a subtitle file')}
        /><button class="plain" aria-disabled=${isBusy}>
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

  #toggle(id: string): void {
    if (!this.#open.delete(id)) this.#open.add(id);
    this.#host.requestUpdate();
  }

  #begin(id: string, source: WordsSource): void {
    const before = this.#starts.get(id);
    if (before && !before.error) return;
    const start = new WordsStart(hostOptions(this.#host), id, source);
    this.#starts.set(id, { start, error: null });
    void this.#run(id);
  }

  async #run(id: string): Promise<void> {
    const one = this.#starts.get(id)!;
    const { signal } = this.#life;
    one.error = null;
    this.#host.requestUpdate();
    try {
      const task = await one.start.run(signal);
      this.#starts.delete(id);
      this.#open.delete(id);
      this.#host.dispatchEvent(new ClipTaskEvent(task));
      this.#made(task);
    } catch (cause) {
      if (!signal.aborted) one.error = asClipError(cause);
    }
    this.#host.requestUpdate();
  }
}
