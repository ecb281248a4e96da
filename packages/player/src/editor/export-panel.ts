import type { Allowance, Export } from 'clip-kit/contract';
import { html, nothing, type TemplateResult } from 'lit';
import { formatTime } from '../clip-view.ts';
import { makeExportKey, type ExportsAnswer, RefusedCall } from './editor-api.ts';
import { copyText } from './copy-text.ts';
import { EditorPart } from './editor-part.ts';
import editorStyles from './editor.css';
import { joinTexts } from './post-text.ts';
import { formatText } from './texts.ts';
import styles from './export-panel.css';

const pollIntervalMs = 1500;

/** Exports the clip as it is, and offers the file for download. */
class ExportPanel extends EditorPart {
  static override properties = {
    ...EditorPart.properties,
    exports: { state: true },
    allowance: { state: true },
    problem: { state: true },
    isStarting: { state: true },
    isCopied: { state: true },
  };

  static override styles = [editorStyles, styles];

  declare exports: ExportsAnswer | null;
  declare allowance: Allowance | null;
  declare problem: string | null;
  declare isStarting: boolean;
  declare isCopied: boolean;

  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.exports = null;
    this.allowance = null;
    this.problem = null;
    this.isStarting = false;
    this.isCopied = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#readExports();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
  }

  protected override render(): TemplateResult {
    const { exports, allowance } = this;
    const running = exports?.processing ?? null;
    const isCurrent = (one: Export | null) => this.#isCurrent(one);
    return html`<section class="section">
        <p class="hint">${formatText('export-text')} ${this.#formatLength()}</p>
        ${allowance ? this.#drawAllowance(allowance) : nothing}
        ${
          isCurrent(exports?.ready ?? null) || isCurrent(running)
            ? nothing
            : html`<button
                type="button"
                class="button main start"
                ?disabled=${this.isStarting || !exports || allowance?.refusal !== null}
                @click=${() => void this.#startExport()}
              >
                ${formatText(this.#hasFailed ? 'start-again' : 'start-export')}
              </button>`
        }
        <div role="status">
          ${running ? html`<p>${this.#formatProgress(running)}</p>` : nothing}
          ${this.#problem === null ? nothing : html`<p class="error">${this.#problem}</p>`}
        </div>
      </section>
      ${exports?.ready ? this.#drawFile(exports.ready) : nothing}`;
  }

  #drawAllowance({ allowance, used, counts, refusal }: Allowance): TemplateResult {
    const left = allowance === null ? null : Math.max(0, allowance - used);
    return html`<p class="hint">
      ${
        refusal !== null
          ? formatText('export-refused', refusal)
          : html`${counts ? formatText('export-counts') : formatText('export-free')}
            ${left === null ? nothing : formatText('export-left', String(left), String(allowance))}`
      }
    </p>`;
  }

  /** The length with intro and outro; empty without. */
  #formatLength(): string {
    const { answer, made } = this.model;
    const { intro, outro, duration } = made.edit;
    const bumpers = [intro, outro].flatMap((one) =>
      answer.media.filter(({ id }) => id === one?.id),
    );
    const seconds = bumpers.reduce((sum, one) => sum + one.seconds, duration);
    return bumpers.length > 0 ? formatText('export-bumpers', formatTime(seconds)) : '';
  }

  #formatProgress({ progress }: Export): string {
    const share = progress && 'share' in progress ? Number(progress.share) : null;
    return share === null
      ? formatText('export-waiting')
      : formatText('export-running', String(Math.round(100 * share)));
  }

  #drawFile(ready: Export): TemplateResult | typeof nothing {
    if (!ready.src_url) return nothing;
    return html`<section class="section file">
      ${this.#isCurrent(ready) ? nothing : html`<p class="hint">${formatText('older-version')}</p>`}
      <a class="button download" href=${ready.src_url} download="${ready.name}.mp4"
        >${formatText('download')}</a
      >
      ${
        ready.cover_url
          ? html`<a class="button cover" href=${ready.cover_url} download="${ready.name}.jpg"
              >${formatText('download-cover')}</a
            >`
          : nothing
      }
      <button type="button" class="button copy-all" @click=${() => void this.#copyTexts()}>
        ${formatText(this.isCopied ? 'copied' : 'copy-texts')}
      </button>
    </section>`;
  }

  async #copyTexts(): Promise<void> {
    this.isCopied = await copyText(joinTexts(this.model.post));
    this.problem = this.isCopied ? null : formatText('copy-blocked');
  }

  /** Whether the last export of what the page shows has failed. */
  get #hasFailed(): boolean {
    return !this.exports?.processing && this.#isCurrent(this.exports?.failed ?? null);
  }

  get #problem(): string | null {
    return this.problem ?? (this.#hasFailed ? formatText('export-failed') : null);
  }

  /** Whether an export is of what the page shows. */
  #isCurrent(one: Export | null): boolean {
    const { session } = this.context;
    return one !== null && session.state === 'saved' && one.revision === session.revision;
  }

  async #startExport(): Promise<void> {
    const { session, clipId, api } = this.context;
    this.isStarting = true;
    this.problem = null;
    try {
      if (!(await session.flush())) {
        this.problem = formatText('export-lost');
        return;
      }
      const key = makeExportKey(clipId, session.revision, this.exports?.failed ?? null);
      await api.startExport(key).catch((error: unknown) => {
        // What the key has made was deleted: this click wants another one.
        if (error instanceof RefusedCall && error.status === 409) {
          return api.startExport(crypto.randomUUID());
        }
        throw error;
      });
    } catch (error) {
      this.problem =
        error instanceof RefusedCall && error.status < 500
          ? formatText('export-refused', error.message)
          : formatText('export-lost');
    } finally {
      this.isStarting = false;
    }
    await this.#readExports();
  }

  async #readExports(): Promise<void> {
    clearTimeout(this.#timer);
    const { api } = this.context;
    try {
      [this.exports, this.allowance] = await Promise.all([api.readExports(), api.readAllowance()]);
    } catch (error) {
      if (error instanceof RefusedCall && error.status < 500) return;
    }
    if (!this.isConnected || (this.exports && !this.exports.processing)) return;
    this.#timer = setTimeout(() => void this.#readExports(), pollIntervalMs);
  }
}

customElements.define('clip-export', ExportPanel);
