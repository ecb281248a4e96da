import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { formatTime } from '../clip-view.ts';
import editorStyles from './editor.css';
import { EditorPart } from './editor-part.ts';
import { formatText } from './texts.ts';
import styles from './bumper-picker.css';

/** Chooses the bumper before or after the clip, and plays it. */
class BumperPicker extends EditorPart {
  static override properties = { ...EditorPart.properties, place: { type: String } };
  static override styles = [editorStyles, styles];
  declare place: 'intro' | 'outro';

  /** The bumper that is shown, or is to be. */
  #loadedId: string | null = null;
  #url: string | null = null;

  protected override render(): TemplateResult | typeof nothing {
    const { place, model } = this;
    const bumpers = model.answer.media.filter(({ kind }) => kind === 'bumper');
    const chosen = model.made.edit[place]?.id;
    if (bumpers.length === 0 && chosen === undefined) return nothing;
    return html`<section class="section">
      <h2><label for="choice">${formatText(place)}</label></h2>
      <select
        id="choice"
        class="field"
        .value=${live(chosen ?? 'none')}
        @change=${({ target }: Event) => this.#choose((target as HTMLSelectElement).value)}
      >
        <option value="none">${formatText('no-bumper')}</option>
        ${bumpers.map(
          ({ id, name, seconds }) =>
            html`<option value=${id} ?selected=${id === chosen}>
              ${name} · ${formatTime(seconds)}
            </option>`,
        )}
      </select>
      ${
        chosen !== undefined && this.#url !== null
          ? html`<video src=${this.#url} controls playsinline preload="auto"></video>`
          : nothing
      }
      ${chosen === undefined ? nothing : html`<p class="hint">${formatText('bumper-hint')}</p>`}
    </section>`;
  }

  protected override updated(_: PropertyValues): void {
    void this.#load(this.model.made.edit[this.place]?.id ?? null);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#drop();
  }

  #choose(id: string): void {
    const bumper = id === 'none' ? ('none' as const) : { id };
    this.model.change({ ...this.model.changes, [this.place]: bumper });
  }

  #drop(): void {
    if (this.#url !== null) URL.revokeObjectURL(this.#url);
    [this.#url, this.#loadedId] = [null, null];
  }

  async #load(id: string | null): Promise<void> {
    if (id === this.#loadedId) return;
    this.#drop();
    this.#loadedId = id;
    // Without its picture it can still be chosen.
    const file = id === null ? null : await this.context.api.readMedia(id).catch(() => null);
    if (this.#loadedId !== id || !file) return;
    this.#url = URL.createObjectURL(file);
    this.requestUpdate();
  }
}

customElements.define('clip-bumper', BumperPicker);
