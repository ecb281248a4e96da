import type { Edit, Style } from 'clip-engine/drawing';
import { css, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { EditorPart } from './editor-part.ts';
import { editorStyles } from './editor-styles.ts';
import { type Shape, shapeOf, shapes, sizeOf } from './output-sizes.ts';
import { say } from './texts.ts';

type Option = 'captions' | 'emojis' | 'intro_title' | 'remove_silences' | 'remove_fillers';

const options: readonly (readonly [Option, Parameters<typeof say>[0]])[] = [
  ['captions', 'captions'],
  ['intro_title', 'intro-title'],
  ['emojis', 'emojis'],
  ['remove_silences', 'remove-silences'],
  ['remove_fillers', 'remove-fillers'],
];

/** How the clip looks: style, captions, title, shape. */
class StylePanel extends EditorPart {
  static override styles = [
    editorStyles,
    css`
      .styles {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(84px, 1fr));
        gap: 10px;
      }

      .style {
        display: grid;
        gap: 5px;
        padding: 0;
        border: 0;
        background: none;
        font-size: 0.8rem;
      }

      .style canvas {
        display: block;
        width: 100%;
        aspect-ratio: 3 / 4;
        border: 1px solid var(--line);
        border-radius: 10px;
      }

      .style[aria-pressed='true'] {
        font-weight: 650;
      }

      .style[aria-pressed='true'] canvas {
        outline: 3px solid var(--accent);
        outline-offset: -1px;
      }

      .shape {
        display: grid;
        grid-auto-flow: column;
        gap: 8px;
        align-items: center;
      }

      .shape span {
        height: 18px;
        border: 2px solid currentColor;
        border-radius: 3px;
      }

      .switch {
        display: flex;
        gap: 12px;
        align-items: center;
        justify-content: space-between;
        min-height: 40px;
        cursor: pointer;
      }

      .switch input {
        width: 20px;
        height: 20px;
        margin: 0;
        accent-color: var(--accent);
      }
    `,
  ];

  protected override render(): TemplateResult {
    const { model } = this;
    const { changes } = model;
    const { dimensions } = model.made.edit;
    const shape = shapeOf(dimensions);
    const position = changes.captions?.position;
    const lost = model.refusals.map(({ message }) => message).join(' ');
    return html`<section class="section">
        <h2 id="shape">${say('shape')}</h2>
        <div class="choices" role="group" aria-labelledby="shape" dir="ltr">
          ${shapes.map(
            (one) =>
              html`<button
                type="button"
                class="choice shape"
                data-shape=${one}
                aria-pressed=${one === shape}
                @click=${() => this.#reshape(one)}
              >
                <span style="aspect-ratio: ${one.replace(':', ' / ')}" aria-hidden="true"></span>
                ${one}
              </button>`,
          )}
        </div>
      </section>
      <section class="section">
        <h2 id="styles">${say('presets')}</h2>
        <div class="styles" role="group" aria-labelledby="styles">
          ${model.answer.presets.map(
            ({ id, name }) =>
              html`<button
                type="button"
                class="style"
                data-preset=${id}
                aria-pressed=${id === this.#presetId}
                @click=${() => model.change({ ...changes, style_preset_id: id })}
              >
                <canvas width="168" height="224" aria-hidden="true"></canvas>
                <span>${name}</span>
              </button>`,
          )}
        </div>
      </section>
      <section class="section">
        <h2 id="position">${say('caption-position')}</h2>
        <div class="choices" role="group" aria-labelledby="position">
          ${([undefined, 'upper', 'middle', 'lower'] as const).map(
            (one) =>
              html`<button
                type="button"
                class="choice"
                data-position=${one ?? 'style'}
                aria-pressed=${one === position}
                @click=${() => this.#place(one)}
              >
                ${say(one ?? 'as-style')}
              </button>`,
          )}
        </div>
      </section>
      <section class="section">
        <h2><label for="title">${say('title-text')}</label></h2>
        <input
          id="title"
          class="field"
          dir="auto"
          maxlength="100"
          .value=${model.title}
          aria-describedby="title-error"
          @change=${({ target }: Event) => this.#retitle((target as HTMLInputElement).value)}
        />
        ${lost ? html`<p class="error" id="title-error">${say('refused', lost)}</p>` : nothing}
      </section>
      <section class="section">
        <h2>${say('options')}</h2>
        <div>
          ${options.map(
            ([name, text]) =>
              html`<label class="switch">
                <span>${say(text)}</span>
                <input
                  type="checkbox"
                  data-option=${name}
                  .checked=${model.option(name)}
                  @change=${({ target }: Event) =>
                    this.#switch(name, (target as HTMLInputElement).checked)}
                />
              </label>`,
          )}
        </div>
      </section>`;
  }

  get #presetId(): string | null {
    const { changes, answer } = this.model;
    return changes.style_preset_id ?? answer.edit.style_preset_id;
  }

  #reshape(shape: Shape): void {
    const { model } = this;
    const size = sizeOf(shape, model.made.edit.dimensions);
    model.change({ ...model.changes, dimensions: size });
  }

  #place(position: 'upper' | 'middle' | 'lower' | undefined): void {
    const { captions: _, ...others } = this.model.changes;
    this.model.change(position ? { ...others, captions: { position } } : others);
  }

  #retitle(title: string): void {
    this.model.change({ ...this.model.changes, title });
  }

  #switch(name: Option, isOn: boolean): void {
    const { changes } = this.model;
    this.model.change({
      ...changes,
      editing_options: { ...changes.editing_options, [name]: isOn },
    });
  }

  #samples = new Map<string, Style>();

  protected override updated(_: PropertyValues): void {
    for (const { id, style } of this.model.answer.presets) {
      if (this.#samples.get(id) === style) continue;
      const canvas = this.renderRoot.querySelector<HTMLCanvasElement>(
        `[data-preset="${CSS.escape(id)}"] canvas`,
      );
      if (!canvas) continue;
      this.#samples.set(id, style);
      drawSample(canvas, style, this.#sampleWords(this.model.made.edit));
    }
  }

  /** The first words of the clip. */
  #sampleWords({ captions }: Edit): string[] {
    return (captions[0]?.words ?? []).slice(0, 3).map(({ text }) => text);
  }
}

customElements.define('clip-style', StylePanel);

const letters = (style: Style['captions'] | Style['title'], size: number): string =>
  `${style.weight === 'bold' ? 700 : 400} ${size}px "${style.font}", system-ui, sans-serif`;

/** Draws a few words in a style: about as its captions look. */
function drawSample(
  canvas: HTMLCanvasElement,
  { captions }: Style,
  words: readonly string[],
): void {
  const context = canvas.getContext('2d')!;
  const { width, height } = canvas;
  const ground = context.createLinearGradient(0, 0, width, height);
  ground.addColorStop(0, '#2d4a63');
  ground.addColorStop(0.6, '#8a5a44');
  ground.addColorStop(1, '#3a6b57');
  context.fillStyle = ground;
  context.fillRect(0, 0, width, height);
  const shown = (words.length > 0 ? words : ['Aa', 'Bb']).map((word) =>
    captions.capitals ? word.toLocaleUpperCase() : word,
  );
  const lines = shown.slice(0, Math.max(2, Math.min(3, captions.words)));
  let size = Math.min(width * captions.size * 1.9, height / (lines.length * 1.5));
  context.font = letters(captions, size);
  const widest = Math.max(...lines.map((line) => context.measureText(line).width));
  size *= Math.min(1, (width * 0.84) / widest);
  context.font = letters(captions, size);
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.lineJoin = 'round';
  const step = size * (captions.box ? 1.35 + captions.box.padding : 1.25);
  const middles = { upper: 0.28, middle: 0.5, lower: 0.7 };
  const top = height * middles[captions.position] - ((lines.length - 1) * step) / 2;
  lines.forEach((line, index) => {
    const [x, y] = [width / 2, top + index * step];
    const length = context.measureText(line).width;
    const isSpoken = index === lines.length - 1;
    const { mark, colour } = captions.spoken;
    if (captions.box) {
      const pad = captions.box.padding * size;
      context.globalAlpha = captions.box.opacity;
      context.fillStyle = captions.box.colour;
      context.fillRect(
        x - length / 2 - pad,
        y - size * 0.6 - pad / 2,
        length + 2 * pad,
        size * 1.2 + pad,
      );
      context.globalAlpha = 1;
    }
    context.shadowColor = 'rgb(0 0 0 / 0.6)';
    context.shadowBlur = captions.shadow * size * 3;
    if (!captions.box && captions.outline.width > 0) {
      context.strokeStyle = isSpoken && mark === 'outline' ? colour : captions.outline.colour;
      context.lineWidth = 2 * captions.outline.width * size;
      context.strokeText(line, x, y);
    }
    context.fillStyle = isSpoken && mark === 'colour' ? colour : captions.colour;
    context.fillText(line, x, y);
    context.shadowBlur = 0;
    if (isSpoken && mark === 'underline') {
      context.fillStyle = colour;
      context.fillRect(x - length / 2, y + size * 0.55, length, Math.max(2, size * 0.08));
    }
  });
}
