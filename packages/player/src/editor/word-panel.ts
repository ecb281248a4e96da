import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { live } from 'lit/directives/live.js';
import { formatTime } from '../clip-view.ts';
import { EditorPart } from './editor-part.ts';
import editorStyles from './editor.css';
import { formatText } from './texts.ts';
import {
  restoreWords,
  addCorrection,
  findEdge,
  findNewSpeakers,
  findRun,
  muteWords,
  nameSpeaker,
  removeWords,
  withEdge,
  type WordRange,
} from './transcript.ts';
import styles from './word-panel.css';

/** An action on the selected words. */
type WordAction = 'remove' | 'restore' | 'edit-text' | 'mute' | 'unmute' | 'set-start' | 'set-end';

/** The clip as text: a control for each word. */
class WordPanel extends EditorPart {
  static override properties = {
    ...EditorPart.properties,
    anchor: { state: true },
    focused: { state: true },
    isCorrecting: { state: true },
  };

  static override styles = [editorStyles, styles];

  /** Where the selection began; null if only one word has the focus. */
  declare anchor: number | null;
  declare focused: number;
  declare isCorrecting: boolean;

  #draggedEdge: 'start' | 'end' | null = null;
  #isSelecting = false;
  /** Where the pointer went down: a click or the begin of a selection. */
  #pressed: number | null = null;
  #focusNext = false;
  #now: Element | null = null;

  constructor() {
    super();
    this.anchor = null;
    this.focused = -1;
    this.isCorrecting = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.focused < 0) this.focused = Math.max(0, this.model.made.places.indexOf('in'));
  }

  get #canCut(): boolean {
    return this.model.hasTool('cut');
  }

  get #chosen(): WordRange {
    const { anchor, focused } = this;
    const last = Math.max(0, this.model.made.words.length - 1);
    const from = Math.min(anchor ?? focused, last);
    const to = Math.min(focused, last);
    return { first: Math.min(from, to), last: Math.max(from, to) };
  }

  protected override render(): TemplateResult {
    const { words, sentences, places } = this.model.made;
    if (words.length === 0) return html`<p class="hint">${formatText('no-words')}</p>`;
    const edges = {
      first: places.findIndex((place) => place === 'in' || place === 'out'),
      last: places.findLastIndex((place) => place === 'in' || place === 'out'),
    };
    const speakers = findNewSpeakers(words, sentences);
    return html`<p class="hint">
        ${formatText('words-hint')} ${this.#canCut ? formatText('brackets-hint') : nothing}
      </p>
      <div
        class="text"
        role="group"
        aria-label=${formatText('transcript')}
        dir="auto"
        @focusin=${this.#focus}
        @keydown=${this.#key}
        @dblclick=${this.#doubleClick}
        @pointerdown=${this.#press}
        @pointermove=${this.#drag}
        @pointerup=${this.#release}
        @pointercancel=${this.#release}
      >
        ${sentences.map((sentence, index) => {
          const speaker = speakers[index] ?? null;
          const isFirst = speakers.indexOf(speaker) === index;
          return guard(
            [...this.#listInputs(sentence, edges), speaker, isFirst, this.#readName(speaker)],
            () => this.#drawSentence(sentence, edges, this.#drawSpeaker(speaker, isFirst)),
          );
        })}
      </div>
      ${this.#drawActions()}`;
  }

  /**
   * Returns the inputs of a sentence's template. While an edge is pulled, most stay as they are.
   */
  #listInputs(sentence: WordRange, edges: WordRange): unknown[] {
    const { first, last } = sentence;
    const within = (index: number) => (index >= first && index <= last ? index : null);
    const chosen = this.#chosen;
    const isChosen = chosen.first <= last && chosen.last >= first;
    return [
      sentence,
      this.model.made.places.slice(first, last + 1).join(),
      within(edges.first),
      within(edges.last),
      within(this.focused),
      isChosen ? `${chosen.first}-${chosen.last} ${this.anchor} ${this.isCorrecting}` : null,
      document.documentElement.lang,
    ];
  }

  #readName(speaker: number | null): string {
    return speaker === null ? '' : (this.model.changes.speakers?.[speaker] ?? '');
  }

  /** @param isFirst whether it is the first field of this speaker: the tab key stops there */
  #drawSpeaker(speaker: number | null, isFirst: boolean): TemplateResult | typeof nothing {
    if (speaker === null) return nothing;
    const title = formatText('speaker', String(speaker));
    if (!this.model.mayWrite) {
      return html`<span class="speaker" dir="auto">${this.#readName(speaker) || title}</span>`;
    }
    return html`<input
      class="speaker"
      .value=${live(this.#readName(speaker))}
      placeholder=${title}
      aria-label=${formatText('speaker-name', String(speaker))}
      tabindex=${isFirst ? 0 : -1}
      maxlength="60"
      dir="auto"
      autocomplete="off"
      @keydown=${(event: KeyboardEvent) => {
        event.stopPropagation();
        const input = event.target as HTMLInputElement;
        if (event.key === 'Escape') input.value = this.#readName(speaker);
        if (event.key === 'Escape' || (event.key === 'Enter' && !event.isComposing)) input.blur();
      }}
      @change=${({ target }: Event) => {
        const { value } = target as HTMLInputElement;
        this.model.change(nameSpeaker(this.model.changes, speaker, value));
      }}
    />`;
  }

  #drawSentence(
    sentence: WordRange,
    edges: WordRange,
    speaker: TemplateResult | typeof nothing,
  ): TemplateResult {
    const { opens_turn: opensTurn, start } = this.model.made.words[sentence.first]!;
    return html`<div class="sentence ${opensTurn || speaker !== nothing ? 'turn' : ''}">
      ${speaker}
      <button
        type="button"
        class="at"
        tabindex="-1"
        aria-label=${formatText('select-sentence', formatTime(start))}
        @click=${() => this.#select(sentence)}
      >
        ${formatTime(start)}
      </button>
      <div class="line" dir="auto">
        ${Array.from({ length: sentence.last - sentence.first + 1 }, (_, offset) => {
          const index = sentence.first + offset;
          const begin =
            index === edges.first && this.#canCut ? this.#drawBracket('start') : nothing;
          const end = index === edges.last && this.#canCut ? this.#drawBracket('end') : nothing;
          return html`${begin}${this.#drawWord(index)}${end} `;
        })}
      </div>
    </div>`;
  }

  #drawBracket(edge: 'start' | 'end'): TemplateResult {
    return html`<span class="bracket ${edge}" data-edge=${edge} aria-hidden="true"></span>`;
  }

  #drawWord(index: number): TemplateResult | typeof nothing {
    const { words, places } = this.model.made;
    const { first, last } = this.#chosen;
    const isChosen = index >= first && index <= last;
    if (this.isCorrecting && isChosen) return index === first ? this.#drawCorrection() : nothing;
    const word = words[index]!;
    const place = places[index]!;
    const text = word.text || formatText('hidden-word');
    const beside = place === 'before' || place === 'after';
    const label =
      place === 'out'
        ? formatText('word-removed', text)
        : beside
          ? formatText('word-beside', text)
          : word.muted
            ? formatText('word-muted', text)
            : undefined;
    return html`<button
      type="button"
      class="word ${place} ${beside ? 'beside' : ''} ${
        word.original === undefined ? '' : 'corrected'
      } ${word.muted ? 'muted' : ''}"
      data-index=${index}
      tabindex=${index === this.focused ? 0 : -1}
      aria-pressed=${isChosen && this.anchor !== null ? 'true' : 'false'}
      aria-label=${label ?? nothing}
      title=${word.original ?? nothing}
    >
      ${text}
    </button>`;
  }

  #drawCorrection(): TemplateResult {
    const { first, last } = this.#chosen;
    const text = this.model.made.words
      .slice(first, last + 1)
      .map((word) => word.text)
      .join(' ');
    return html`<span class="correction"
      ><input
        .value=${text}
        dir="auto"
        maxlength="200"
        aria-label=${formatText('edit-words')}
        @keydown=${this.#correctionKey}
        @blur=${(event: FocusEvent) => this.#endCorrection(event, true)}
    /></span>`;
  }

  /** Lists the actions for the selected words. */
  #listActions(): WordAction[] {
    const { places, words } = this.model.made;
    if (words.length === 0) return [];
    const { first, last } = this.#chosen;
    const some = places.slice(first, last + 1);
    const isMuted = words.slice(first, last + 1).some(({ muted }) => muted);
    const canCut = this.#canCut;
    const { mayWrite } = this.model;
    return [
      ...(canCut && some.includes('in') ? (['remove'] as const) : []),
      ...(canCut && some.includes('out') ? (['restore'] as const) : []),
      ...(mayWrite && last - first < 12 ? (['edit-text'] as const) : []),
      ...(mayWrite ? ([isMuted ? 'unmute' : 'mute'] as const) : []),
      ...(canCut ? (['set-start', 'set-end'] as const) : []),
    ];
  }

  #drawActions(): TemplateResult {
    return html`<div class="actions">
      ${this.#listActions().map(
        (action) =>
          html`<button
            type="button"
            class="button"
            data-do=${action}
            @click=${() => this.#runAction(action)}
          >
            ${formatText(action)}
          </button>`,
      )}
    </div>`;
  }

  #runAction(action: WordAction): void {
    const { model } = this;
    const { changes, editable, inputs } = model;
    const { words, places, fillers } = model.made;
    const chosen = this.#chosen;
    if (!this.#listActions().includes(action)) return;
    if (action === 'edit-text') return this.#startCorrection();
    if (action === 'mute' || action === 'unmute') {
      model.change(muteWords(changes, words, chosen, action === 'mute'));
    } else if (action === 'remove') {
      model.change(removeWords(changes, words, chosen, inputs.editable));
    } else if (action === 'restore') {
      const run = this.anchor === null ? findRun(places, this.focused) : chosen;
      model.change(restoreWords(changes, words, run, fillers));
    } else if (action === 'set-start') {
      model.change(withEdge(changes, 'start', findEdge(words, chosen.first, 'start', editable)));
    } else model.change(withEdge(changes, 'end', findEdge(words, chosen.last, 'end', editable)));
    this.anchor = null;
    this.#focusNext = true;
    this.requestUpdate();
  }

  #select({ first, last }: WordRange): void {
    this.anchor = first;
    this.focused = last;
    this.#focusNext = true;
  }

  #startCorrection(): void {
    this.context.player.pause();
    this.isCorrecting = true;
    void this.updateComplete.then(() => {
      const input = this.renderRoot.querySelector<HTMLInputElement>('.correction input');
      input?.focus();
      input?.select();
    });
  }

  #correctionKey = (event: KeyboardEvent): void => {
    event.stopPropagation();
    if (event.key !== 'Enter' && event.key !== 'Escape') return;
    if (event.isComposing) return;
    event.preventDefault();
    this.#endCorrection(event, event.key === 'Enter');
  };

  #endCorrection({ target }: Event, isWanted: boolean): void {
    if (!this.isCorrecting) return;
    this.isCorrecting = false;
    const { model } = this;
    const { words } = model.made;
    if (isWanted) {
      const text = (target as HTMLInputElement).value;
      const heard = (model.inputs.words ?? []).map((word) => word.text);
      model.change(addCorrection(model.changes, words, this.#chosen, { text, heard }));
      this.focused = Math.min(this.#chosen.first, model.made.words.length - 1);
    }
    this.anchor = null;
    this.#focusNext = true;
  }

  #focus = ({ target }: FocusEvent): void => {
    const { index } = (target as HTMLElement).dataset;
    if (index !== undefined && this.anchor === null) this.focused = Number(index);
  };

  #doubleClick = ({ target }: MouseEvent): void => {
    if ((target as HTMLElement).matches('.word')) this.#runAction('edit-text');
  };

  #key = (event: KeyboardEvent): void => {
    const { key, shiftKey, ctrlKey, metaKey, altKey } = event;
    if (ctrlKey || metaKey || altKey) return;
    const { places } = this.model.made;
    const next = this.#findNextIndex(key);
    if (next !== null) {
      this.anchor = shiftKey ? (this.anchor ?? this.focused) : null;
      this.focused = next;
      this.#focusNext = true;
    } else if (key === 'Delete' || key === 'Backspace') {
      this.#runAction(this.#listActions().includes('remove') ? 'remove' : 'restore');
    } else if (key === 'Enter') {
      const isOut = places[this.focused] === 'out' && this.anchor === null;
      this.#runAction(isOut ? 'restore' : 'edit-text');
    } else if (key === '[') this.#runAction('set-start');
    else if (key === ']') this.#runAction('set-end');
    else if (key === 'Escape' && this.anchor !== null) this.anchor = null;
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  /** The word to which a key moves; null if it does not move. */
  #findNextIndex(key: string): number | null {
    const { words, sentences } = this.model.made;
    const isRtl = getComputedStyle(this.#findButton(this.focused) ?? this).direction === 'rtl';
    const at = sentences.findIndex(({ last }) => this.focused <= last);
    const moves: Readonly<Record<string, () => number>> = {
      ArrowRight: () => this.focused + (isRtl ? -1 : 1),
      ArrowLeft: () => this.focused + (isRtl ? 1 : -1),
      ArrowDown: () => sentences[at + 1]?.first ?? words.length - 1,
      ArrowUp: () => sentences[this.focused === sentences[at]?.first ? at - 1 : at]?.first ?? 0,
      Home: () => 0,
      End: () => words.length - 1,
    };
    const move = moves[key];
    return move ? Math.min(Math.max(0, move()), words.length - 1) : null;
  }

  #findButton(index: number): HTMLElement | null {
    return this.renderRoot.querySelector(`[data-index="${index}"]`);
  }

  /** The word under the pointer, also where it has moved beside the pressed one. */
  #findIndexAt({ clientX, clientY }: PointerEvent): number | null {
    const element = (this.renderRoot as ShadowRoot).elementFromPoint(clientX, clientY);
    const index = element?.closest<HTMLElement>('[data-index]')?.dataset['index'];
    return index === undefined ? null : Number(index);
  }

  #press = (event: PointerEvent): void => {
    if (event.button !== 0 || this.isCorrecting) return;
    const target = event.target as HTMLElement;
    const edge = target.closest<HTMLElement>('[data-edge]')?.dataset['edge'];
    if (edge === 'start' || edge === 'end') {
      this.#draggedEdge = edge;
      event.preventDefault();
      (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
      return;
    }
    this.#pressed = this.#findIndexAt(event);
    if (event.shiftKey && this.#pressed !== null) {
      this.anchor ??= this.focused;
      this.focused = this.#pressed;
      this.#pressed = null;
    }
  };

  #drag = (event: PointerEvent): void => {
    const index = this.#findIndexAt(event);
    if (index === null) return;
    if (this.#draggedEdge) return this.#dragEdge(this.#draggedEdge, index);
    if (this.#pressed === null || event.pointerType === 'touch') return;
    if (index === this.#pressed && !this.#isSelecting) return;
    this.#isSelecting = true;
    this.anchor = this.#pressed;
    this.focused = index;
  };

  #dragEdge(edge: 'start' | 'end', index: number): void {
    const { words, clip } = this.model.made;
    const seconds = findEdge(words, index, edge, this.model.editable);
    const isPossible = edge === 'start' ? seconds < clip.end - 0.3 : seconds > clip.start + 0.3;
    if (isPossible) this.model.previewChanges(withEdge(this.model.changes, edge, seconds));
  }

  #release = (event: PointerEvent): void => {
    if (this.#draggedEdge) {
      this.#draggedEdge = null;
      this.model.change(this.model.changes);
      return;
    }
    const index = this.#pressed;
    this.#pressed = null;
    if (this.#isSelecting || event.type === 'pointercancel') {
      this.#isSelecting = false;
      return;
    }
    if (index === null) return;
    this.#clickWord(index);
  };

  #clickWord(index: number): void {
    const { places, words } = this.model.made;
    this.anchor = null;
    this.focused = index;
    if (places[index] === 'out' && this.#canCut) return this.#runAction('restore');
    void this.context.player.seek(words[index]!.start + 0.01);
  }

  protected override updated(_: PropertyValues): void {
    if (this.#focusNext && !this.isCorrecting) {
      this.#focusNext = false;
      this.#findButton(Math.min(this.focused, this.model.made.words.length - 1))?.focus();
    }
    this.positionChanged();
  }

  protected override firstUpdated(): void {
    this.#findButton(this.focused)?.scrollIntoView({ block: 'center' });
  }

  protected override positionChanged(): void {
    const { words } = this.model.made;
    const { position } = this.context.player;
    const index = words.findLastIndex(({ start }) => start <= position + 0.02);
    const now = index < 0 ? null : this.#findButton(index);
    if (now === this.#now) return;
    this.#now?.classList.remove('now');
    now?.classList.add('now');
    this.#now = now;
    if (this.context.player.isPlaying) now?.scrollIntoView({ block: 'nearest' });
  }
}

customElements.define('clip-words', WordPanel);
