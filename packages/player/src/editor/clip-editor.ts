import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
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
    wanted: { state: true },
    close: { attribute: false },
  };

  static override styles = [editorStyles, styles];

  declare wanted: Tool;
  declare close: () => void;

  constructor() {
    super();
    this.wanted = 'words';
  }

  /** The tools that the token gives: the others are not there. */
  get #tools(): Tool[] {
    const { model } = this;
    return tools.filter((tool) => {
      if (tool === 'export') return model.answer.permissions.includes('export');
      // Words can be read by all; there must be something to do with them.
      const isOfUse = tool !== 'words' || model.mayWrite || model.hasTool('cut');
      return isOfUse && model.hasTool(tool);
    });
  }

  /** The one that is shown; undefined if the token gives none. */
  get #tool(): Tool | undefined {
    const tools = this.#tools;
    return tools.includes(this.wanted) ? this.wanted : tools[0];
  }

  protected override render(): TemplateResult {
    const { model } = this;
    const { context } = this;
    const tool = this.#tool;
    return html`<header class="top">
        <button type="button" class="button done" @click=${() => this.close()}>
          ${formatText('done')}
        </button>
        ${this.#drawState()} ${this.#drawStepButton('undo', model.canUndo, () => model.undo())}
        ${this.#drawStepButton('redo', model.canRedo, () => model.redo())}
      </header>
      <clip-picture .context=${context} .isFraming=${tool === 'layout'}></clip-picture>
      ${tool ? this.#drawTools(tool) : nothing}
      <clip-timeline .context=${context}></clip-timeline>
      ${this.#drawConflict()}`;
  }

  #drawTools(shown: Tool): TemplateResult {
    return html`<section class="tools" aria-label=${formatText('tools')}>
      <div class="tabs" role="tablist" @keydown=${this.#tabKey}>
        ${this.#tools.map(
          (tool) =>
            html`<button
              type="button"
              role="tab"
              class="tab"
              id="tab-${tool}"
              data-tool=${tool}
              aria-controls="panel"
              aria-selected=${tool === shown}
              tabindex=${tool === shown ? 0 : -1}
              @click=${() => (this.wanted = tool)}
            >
              ${symbols[tool]}<span>${formatText(tool)}</span>
            </button>`,
        )}
      </div>
      <div class="panel ${shown}" id="panel" role="tabpanel" aria-labelledby="tab-${shown}">
        ${this.#drawPanel(shown)}
      </div>
    </section>`;
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

  #drawPanel(tool: Tool): TemplateResult {
    const { context } = this;
    switch (tool) {
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
    const tools = this.#tools;
    this.wanted = tools[(tools.indexOf(this.#tool!) + by + tools.length) % tools.length]!;
    void this.updateComplete.then(() =>
      this.renderRoot.querySelector<HTMLElement>(`#tab-${this.wanted}`)?.focus(),
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
    this.toggleAttribute('bare', !this.#tool);
    const dialog = this.renderRoot.querySelector('dialog')!;
    const isElsewhere = this.context.session.state === 'conflict';
    if (isElsewhere && !dialog.open) dialog.showModal();
    if (!isElsewhere && dialog.open) dialog.close();
  }
}

customElements.define('clip-editor', ClipEditor);
