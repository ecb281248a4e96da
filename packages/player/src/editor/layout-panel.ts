import { getWindowPart } from 'clip-engine/drawing';
import { html, nothing, type TemplateResult } from 'lit';
import { EditorPart } from './editor-part.ts';
import editorStyles from './editor.css';
import { modePictures, symbols } from './editor-symbols.ts';
import { removeShots, placeWindow, findShotAt, withShot, withWindow } from './framing-changes.ts';
import { formatText } from './texts.ts';
import styles from './layout-panel.css';

const modes = ['crop', 'fit', 'stack', 'screen'] as const;
type Mode = (typeof modes)[number];

/** The part of the picture that is shown, shot by shot. */
class LayoutPanel extends EditorPart {
  static override styles = [editorStyles, styles];

  #shownShot = -1;

  get #index(): number {
    const { shots } = this.model.made;
    const shot = findShotAt(shots, this.context.player.position);
    return shot ? shots.indexOf(shot) : 0;
  }

  protected override render(): TemplateResult {
    const { model } = this;
    const { shots, edit } = model.made;
    const index = this.#index;
    this.#shownShot = index;
    const shot = shots[index];
    if (!shot) return html``;
    const isOwn = this.#isManual(index);
    const window = placeWindow({ source: edit.source, part: getWindowPart(edit, shot.mode) }, shot);
    return html`<section class="section">
        ${shot.mode === 'fit' ? nothing : html`<p class="hint">${formatText('frame-hint')}</p>`}
        ${
          shots.length > 1
            ? html`<div class="shot">
                ${this.#drawStep(-1, index)}<span>${formatText('shot-of', String(index + 1), String(shots.length))}</span>${this.#drawStep(1, index)}
              </div>`
            : nothing
        }
      </section>
      <section class="section">
        <h2 id="mode">${formatText('mode')}</h2>
        <div class="modes" role="group" aria-labelledby="mode">
          ${modes.map(
            (mode) =>
              html`<button
                type="button"
                class="mode"
                data-mode=${mode}
                aria-pressed=${mode === shot.mode}
                @click=${() => this.#setMode(mode)}
              >
                ${modePictures[mode]}<span>${formatText(mode)}</span>
              </button>`,
          )}
        </div>
      </section>
      ${
        shot.mode !== 'fit'
          ? html`<section class="section">
              ${this.#drawSlider('zoom', { min: 1, max: 4, value: window.zoom })}
              ${this.#drawSlider('across', { min: 0, max: 1, value: window.x })}
              ${this.#drawSlider('down', { min: 0, max: 1, value: window.y })}
            </section>`
          : nothing
      }
      <section class="section">
        ${
          isOwn
            ? html`<button
                type="button"
                class="button follow"
                @click=${() => model.change(removeShots(model.changes, shot))}
              >
                ${formatText('auto')}
              </button>`
            : html`<p class="hint">${formatText('auto-now')}</p>`
        }
      </section>`;
  }

  #isManual(index: number): boolean {
    const shot = this.model.made.shots[index]!;
    return (this.model.changes.shots ?? []).some(
      ({ start, end }) => start < shot.end - 0.002 && end > shot.start + 0.002,
    );
  }

  #drawStep(by: 1 | -1, index: number): TemplateResult {
    const { shots } = this.model.made;
    const target = shots[index + by];
    const label = formatText(by === 1 ? 'next-shot' : 'previous-shot');
    return html`<button
      type="button"
      class="icon"
      aria-label=${label}
      title=${label}
      ?disabled=${!target}
      @click=${() => target && void this.context.player.seek(target.start + 0.05)}
    >
      ${by === 1 ? symbols.next : symbols.previous}
    </button>`;
  }

  #drawSlider(
    name: 'zoom' | 'across' | 'down',
    { min, max, value }: { min: number; max: number; value: number },
  ): TemplateResult {
    const set = (event: Event, isDone: boolean): void => {
      this.#moveWindow(name, Number((event.target as HTMLInputElement).value), isDone);
    };
    return html`<label class="slider"
      ><span>${formatText(name)}</span
      ><input
        type="range"
        dir="ltr"
        data-window=${name}
        min=${min}
        max=${max}
        step="0.01"
        .value=${String(value)}
        @input=${(event: Event) => set(event, false)}
        @change=${(event: Event) => set(event, true)}
    /></label>`;
  }

  #moveWindow(name: 'zoom' | 'across' | 'down', value: number, isDone: boolean): void {
    const { model } = this;
    const shot = model.made.shots[this.#index];
    if (!shot) return;
    const { edit } = model.made;
    const sizes = { source: edit.source, part: getWindowPart(edit, shot.mode) };
    const field = { zoom: 'zoom', across: 'x', down: 'y' } as const;
    const window = placeWindow(sizes, { ...placeWindow(sizes, shot), [field[name]]: value });
    const changes = withShot(model.changes, shot, withWindow(shot, window, false));
    if (isDone) model.change(changes);
    else model.previewChanges(changes);
  }

  #setMode(mode: Mode): void {
    const { model } = this;
    const shot = model.made.shots[this.#index];
    if (shot) model.change(withShot(model.changes, shot, { mode }));
  }

  protected override positionChanged(): void {
    if (this.#index !== this.#shownShot) this.requestUpdate();
  }
}

customElements.define('clip-layout', LayoutPanel);
