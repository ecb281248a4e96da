import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { usualMusicDb } from 'clip-engine/drawing';
import { listNeededFonts } from './editor-api.ts';
import './bumper-picker.ts';
import { EditorPart } from './editor-part.ts';
import editorStyles from './editor.css';
import { type Shape, findShape, shapes, makeSize } from './output-sizes.ts';
import { drawSamples } from './style-samples.ts';
import { formatText } from './texts.ts';
import styles from './style-panel.css';

type Option = 'captions' | 'emojis' | 'intro_title' | 'remove_silences' | 'remove_fillers';

const options: readonly (readonly [Option, Parameters<typeof formatText>[0]])[] = [
  ['captions', 'captions'],
  ['intro_title', 'intro-title'],
  ['emojis', 'emojis'],
  ['remove_silences', 'remove-silences'],
  ['remove_fillers', 'remove-fillers'],
];

/** The look of the clip: style, captions, title, shape. */
class StylePanel extends EditorPart {
  static override styles = [editorStyles, styles];

  protected override render(): TemplateResult {
    const { presets, mayWrite } = this.model;
    return html`${this.#drawShapes()}${presets.length > 0 ? this.#drawStyles() : nothing}
    ${this.#drawPositions()}${mayWrite ? this.#drawTitle() : nothing}${this.#drawMusic()}
    ${['intro', 'outro'].map(
      (place) => html`<clip-bumper .context=${this.context} place=${place}></clip-bumper>`,
    )}
    ${this.#drawOptions()}`;
  }

  #drawShapes(): TemplateResult {
    const shape = findShape(this.model.made.edit.dimensions);
    return html`<section class="section">
      <h2 id="shape">${formatText('shape')}</h2>
      <div class="choices" role="group" aria-labelledby="shape" dir="ltr">
        ${shapes.map(
          (one) =>
            html`<button
              type="button"
              class="choice shape"
              data-shape=${one}
              aria-pressed=${one === shape}
              @click=${() => this.#setShape(one)}
            >
              <span style="aspect-ratio: ${one.replace(':', ' / ')}" aria-hidden="true"></span>
              ${one}
            </button>`,
        )}
      </div>
    </section>`;
  }

  #drawStyles(): TemplateResult {
    const { model } = this;
    return html`<section class="section">
      <h2 id="styles">${formatText('presets')}</h2>
      <div class="styles" role="group" aria-labelledby="styles">
        ${model.presets.map(
          ({ id, name }) =>
            html`<button
              type="button"
              class="style"
              data-preset=${id}
              aria-pressed=${id === this.#presetId}
              @click=${() => model.change({ ...model.changes, style_preset_id: id })}
            >
              <canvas width="264" height="198" aria-hidden="true"></canvas>
              <span>${name}</span>
            </button>`,
        )}
      </div>
    </section>`;
  }

  #drawPositions(): TemplateResult {
    const position = this.model.changes.captions?.position;
    return html`<section class="section">
      <h2 id="position">${formatText('caption-position')}</h2>
      <div class="choices" role="group" aria-labelledby="position">
        ${([undefined, 'upper', 'middle', 'lower'] as const).map(
          (one) =>
            html`<button
              type="button"
              class="choice"
              data-position=${one ?? 'style'}
              aria-pressed=${one === position}
              @click=${() => this.#setPosition(one)}
            >
              ${formatText(one ?? 'as-style')}
            </button>`,
        )}
      </div>
    </section>`;
  }

  #drawTitle(): TemplateResult {
    const { model } = this;
    const lost = model.refusals.map(({ message }) => message).join(' ');
    return html`<section class="section">
      <h2><label for="title">${formatText('title-text')}</label></h2>
      <input
        id="title"
        class="field"
        dir="auto"
        maxlength="100"
        .value=${model.title}
        aria-describedby="title-error"
        @change=${({ target }: Event) => this.#setTitle((target as HTMLInputElement).value)}
      />
      ${lost ? html`<p class="error" id="title-error">${formatText('refused', lost)}</p>` : nothing}
    </section>`;
  }

  #drawMusic(): TemplateResult | typeof nothing {
    const { model } = this;
    const { music } = model.made.edit;
    const files = model.answer.media.filter(({ kind }) => kind === 'music');
    if (files.length === 0 && !music) return nothing;
    const level = music?.levelDb ?? usualMusicDb;
    return html`<section class="section">
      <h2><label for="music">${formatText('music')}</label></h2>
      <select
        id="music"
        class="field"
        .value=${live(music?.id ?? 'none')}
        @change=${({ target }: Event) => this.#setMusic((target as HTMLSelectElement).value, level)}
      >
        <option value="none">${formatText('no-music')}</option>
        ${files.map(
          ({ id, name }) =>
            html`<option value=${id} ?selected=${id === music?.id}>${name}</option>`,
        )}
      </select>
      ${
        music
          ? html`<input
                type="range"
                class="level"
                min="-40"
                max="-10"
                aria-label=${formatText('music-level')}
                aria-valuetext=${formatText('below-speech', String(level))}
                .value=${live(String(-level))}
                @change=${({ target }: Event) =>
                  this.#setMusic(music.id, -Number((target as HTMLInputElement).value))}
              />
              <p class="hint" aria-hidden="true">${formatText('below-speech', String(level))}</p>`
          : nothing
      }
    </section>`;
  }

  #drawOptions(): TemplateResult {
    const { model } = this;
    return html`<section class="section">
      <h2>${formatText('options')}</h2>
      <div>
        ${this.#options.map(
          ([name, text]) =>
            html`<label class="switch">
              <span>${formatText(text)}</span>
              <input
                type="checkbox"
                data-option=${name}
                .checked=${model.isEnabled(name)}
                @change=${({ target }: Event) =>
                  this.#setOption(name, (target as HTMLInputElement).checked)}
              />
            </label>`,
        )}
      </div>
    </section>`;
  }

  get #options(): typeof options {
    if (this.model.hasTool('cut')) return options;
    return options.filter(([name]) => name !== 'remove_silences' && name !== 'remove_fillers');
  }

  get #presetId(): string | null {
    const { changes, answer } = this.model;
    return changes.style_preset_id ?? answer.edit.style_preset_id;
  }

  #setShape(shape: Shape): void {
    const { model } = this;
    const size = makeSize(shape, model.made.edit.dimensions);
    model.change({ ...model.changes, dimensions: size });
  }

  #setPosition(position: 'upper' | 'middle' | 'lower' | undefined): void {
    const { captions: _, ...others } = this.model.changes;
    this.model.change(position ? { ...others, captions: { position } } : others);
  }

  #setMusic(id: string, level_db: number): void {
    const music = id === 'none' ? ('none' as const) : { id, level_db };
    this.model.change({ ...this.model.changes, music });
  }

  #setTitle(title: string): void {
    this.model.change({ ...this.model.changes, title });
  }

  #setOption(name: Option, isOn: boolean): void {
    const { changes } = this.model;
    this.model.change({
      ...changes,
      editing_options: { ...changes.editing_options, [name]: isOn },
    });
  }

  #isDrawn = false;

  protected override updated(_: PropertyValues): void {
    if (this.#isDrawn) return;
    this.#isDrawn = true;
    void this.#drawSamples();
  }

  async #drawSamples(): Promise<void> {
    const { presets, inputs, changes, made } = this.model;
    if (presets.length === 0) return;
    const canvases = [...this.renderRoot.querySelectorAll<HTMLCanvasElement>('.style canvas')];
    const presetId = presets.map(({ id }) => id).join(',');
    const needed = { ...listNeededFonts(inputs, changes), presetId };
    const fonts = await this.context.api.readFonts(needed).catch(() => null);
    const styles = presets.map(({ style }) => style);
    await drawSamples(canvases, made.edit, styles, fonts);
  }
}

customElements.define('clip-style', StylePanel);
