import { html, type PropertyValues, type TemplateResult } from 'lit';
import { EditorPart } from './editor-part.ts';
import editorStyles from './editor.css';
import { symbols } from './editor-symbols.ts';
import { formatText } from './texts.ts';
import './export-panel.ts';
import './layout-panel.ts';
import './post-panel.ts';
import './style-panel.ts';
import './picture-stage.ts';
import './timeline.ts';
import './word-panel.ts';
import styles from './clip-editor.css';

const tools = ['words', 'style', 'layout', 'post', 'export'] as const;
type Tool = (typeof tools)[number];

/** The whole editor: the picture, the time line, and one tool at a time. */
export class ClipEditor extends EditorPart {
  static override properties = {
    ...EditorPart.properties,
    tool: { state: true },
    close: { attribute: false },
  };

  static override styles = [editorStyles, styles];

  declare tool: Tool;
  declare close: () => void;

  constructor() {
    super();
    this.tool = 'words';
  }

  protected override render(): TemplateResult {
    const { model } = this;
    const { context } = this;
    return html`<header class="top">
        <button type="button" class="button done" @click=${() => this.close()}>
          ${formatText('done')}
        </button>
        ${this.#drawState()} ${this.#drawStepButton('undo', model.canUndo, () => model.undo())}
        ${this.#drawStepButton('redo', model.canRedo, () => model.redo())}
      </header>
      <clip-picture .context=${context} .isFraming=${this.tool === 'layout'}></clip-picture>
      <section class="tools" aria-label=${formatText('tools')}>
        <div class="tabs" role="tablist" @keydown=${this.#tabKey}>
          ${tools.map(
            (tool) =>
              html`<button
                type="button"
                role="tab"
                class="tab"
                id="tab-${tool}"
                data-tool=${tool}
                aria-controls="panel"
                aria-selected=${tool === this.tool}
                tabindex=${tool === this.tool ? 0 : -1}
                @click=${() => (this.tool = tool)}
              >
                ${symbols[tool]}<span>${formatText(tool)}</span>
              </button>`,
          )}
        </div>
        <div
          class="panel ${this.tool}"
          id="panel"
          role="tabpanel"
          aria-labelledby="tab-${this.tool}"
        >
          ${this.#drawPanel()}
        </div>
      </section>
      <clip-timeline .context=${context}></clip-timeline>
      ${this.#drawConflict()}`;
  }

  /** Draws the dialog in which a person chooses between two people's changes. */
  #drawConflict(): TemplateResult {
    const { session } = this.context;
    return html`<dialog
      aria-labelledby="elsewhere"
      @cancel=${(event: Event) => event.preventDefault()}
    >
      <h2 id="elsewhere">${formatText('conflict')}</h2>
      <p>${formatText('conflict-text')}</p>
      <div class="choices">
        <button type="button" class="button reload" @click=${() => session.discardOwnChanges()}>
          ${formatText('reload')}
        </button>
        <button
          type="button"
          class="button main take-over"
          @click=${() => session.applyOwnChanges()}
        >
          ${formatText('take-over')}
        </button>
      </div>
    </dialog>`;
  }

  #drawPanel(): TemplateResult {
    const { context } = this;
    switch (this.tool) {
      case 'words':
        return html`<clip-words .context=${context}></clip-words>`;
      case 'style':
        return html`<clip-style .context=${context}></clip-style>`;
      case 'layout':
        return html`<clip-layout .context=${context}></clip-layout>`;
      case 'post':
        return html`<clip-post .context=${context}></clip-post>`;
      case 'export':
        return html`<clip-export .context=${context}></clip-export>`;
    }
  }

  #drawStepButton(name: 'undo' | 'redo', isPossible: boolean, act: () => void): TemplateResult {
    return html`<button
      type="button"
      class="icon ${name}"
      aria-label=${formatText(name)}
      title=${formatText(name)}
      ?disabled=${!isPossible}
      @click=${act}
    >
      ${symbols[name]}
    </button>`;
  }

  /** Shows whether the changes are saved, or which were undone. */
  #drawState(): TemplateResult {
    const { session } = this.context;
    const [refusal] = this.model.refusals;
    const isBad = refusal !== undefined || ['offline', 'denied'].includes(session.state);
    const text = refusal ? formatText('refused', refusal.message) : this.#formatState();
    return html`<p class="state ${isBad ? 'bad' : ''}" role="status">${text}</p>`;
  }

  #formatState(): string {
    const { state, savedAt } = this.context.session;
    if (state === 'waiting' || state === 'saving') return formatText('saving');
    if (state === 'offline' || state === 'denied') return formatText(state);
    if (state === 'conflict') return formatText('conflict-short');
    if (!savedAt) return formatText('nothing-changed');
    const { lang } = document.documentElement;
    return formatText(
      'saved',
      savedAt.toLocaleTimeString(lang, { hour: 'numeric', minute: '2-digit' }),
    );
  }

  #tabKey = (event: KeyboardEvent): void => {
    const isRtl = getComputedStyle(this).direction === 'rtl';
    const by = { ArrowRight: isRtl ? -1 : 1, ArrowLeft: isRtl ? 1 : -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.tool = tools[(tools.indexOf(this.tool) + by + tools.length) % tools.length]!;
    void this.updateComplete.then(() =>
      this.renderRoot.querySelector<HTMLElement>(`#tab-${this.tool}`)?.focus(),
    );
  };

  /** Keys of the whole editor. */
  #key = (event: KeyboardEvent): void => {
    const { key, ctrlKey, metaKey, shiftKey } = event;
    const field = (event.composedPath()[0] as HTMLElement).closest('input, textarea, select');
    const isText =
      field !== null && !['range', 'checkbox'].includes((field as HTMLInputElement).type);
    if (isText) return;
    const name = key.toLowerCase();
    if ((ctrlKey || metaKey) && name === 'z') {
      if (shiftKey) this.model.redo();
      else this.model.undo();
    } else if ((ctrlKey || metaKey) && name === 'y') this.model.redo();
    else if (key === ' ' && this.#playsWith(event)) void this.context.player.togglePlaying();
    else return;
    event.preventDefault();
  };

  /** Space plays, unless the focus is on a button other than a word. */
  #playsWith(event: KeyboardEvent): boolean {
    const target = event.composedPath()[0] as HTMLElement;
    return !target.closest('button, a, input') || target.matches('.word');
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.addEventListener('keydown', this.#key);
    // A browser that drags a selection along would end the pull of a handle.
    this.addEventListener('dragstart', (event) => event.preventDefault());
  }

  protected override updated(_: PropertyValues): void {
    const dialog = this.renderRoot.querySelector('dialog')!;
    const isElsewhere = this.context.session.state === 'conflict';
    if (isElsewhere && !dialog.open) dialog.showModal();
    if (!isElsewhere && dialog.open) dialog.close();
  }
}

customElements.define('clip-editor', ClipEditor);
