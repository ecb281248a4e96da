import {
  changeFaults,
  editWords,
  frameEdit,
  findLengthFault,
  makeEdit,
  findRemovedFillers,
  listShownShots,
  type Edit,
  type EditInputs,
  type EditWord,
  type ShownShot,
  type Span,
  type Style,
} from 'clip-engine/drawing';
import type { EditChanges, EditorTool } from 'clip-kit/contract';
import type { EditAnswer } from './editor-api.ts';
import { isSameJson } from '../merge-patch.ts';
import type { Refusal } from './save-queue.ts';
import { keepSentences, findPlace, type WordRange, type WordPlace } from './transcript.ts';

/** Everything that is computed from the changes. */
interface Made {
  edit: Edit;
  words: readonly EditWord[];
  sentences: readonly WordRange[];
  places: readonly WordPlace[];
  shots: readonly ShownShot[];
  /** From one edge to the other. */
  clip: Span;
  /** Spans that are removed automatically between pauses, in source seconds. */
  fillers: readonly Span[];
}

/** The state of the editor: the changes, the clip that they make, and the steps to undo. */
export class EditorModel {
  #answer: EditAnswer;
  #history: History<EditChanges>;
  /** While a handle or a window is pulled. */
  #previewed: EditChanges | null = null;
  #made: Made;
  #refusals: readonly Refusal[] = [];
  readonly #listeners = new Set<() => void>();

  constructor(answer: EditAnswer) {
    this.#answer = answer;
    this.#history = beginHistory(answer.edit.changes);
    this.#made = this.#compute(answer.edit.changes);
  }

  get answer(): EditAnswer {
    return this.#answer;
  }

  get inputs(): EditInputs {
    return this.#answer.inputs;
  }

  get changes(): EditChanges {
    return this.#previewed ?? this.#history.present;
  }

  get made(): Made {
    return this.#made;
  }

  get editable(): Span {
    return this.#answer.inputs.editable;
  }

  /** The changes that were refused, until the next change. */
  get refusals(): readonly Refusal[] {
    return this.#refusals;
  }

  get isPreviewing(): boolean {
    return this.#previewed !== null;
  }

  /** Whether the user has a tool of the editor. */
  hasTool(tool: EditorTool): boolean {
    return this.#answer.editor.tools?.includes(tool) ?? true;
  }

  /** Whether the user may change texts. */
  get mayWrite(): boolean {
    return this.#answer.editor.text ?? true;
  }

  /** The styles that the user may choose. */
  get presets(): EditAnswer['presets'] {
    const { editor, presets } = this.#answer;
    return presets.filter(({ id }) => editor.presets?.includes(id) ?? true);
  }

  get canUndo(): boolean {
    return this.#history.past.length > 0;
  }

  get canRedo(): boolean {
    return this.#history.future.length > 0;
  }

  get title(): string {
    return this.changes.title ?? this.inputs.title;
  }

  /** Titles of the clip's own words, best first. */
  get titles(): readonly string[] {
    return this.inputs.post?.titles ?? [];
  }

  get description(): string {
    return this.changes.description ?? this.inputs.post?.description ?? '';
  }

  get tags(): readonly string[] {
    return this.changes.tags ?? this.inputs.post?.tags ?? [];
  }

  /** The texts for a post of the clip; without a title, its name. */
  get post(): { title: string; description: string; tags: readonly string[] } {
    const { description, tags } = this;
    return { title: this.title || (this.titles[0] ?? ''), description, tags };
  }

  /** The frame that stands for the clip, if a person has chosen it; in source seconds. */
  get cover(): EditChanges['cover'] {
    return this.changes.cover;
  }

  get style(): Style | undefined {
    return this.#findStyle(this.changes) ?? this.inputs.options.style;
  }

  isEnabled(name: keyof EditInputs['options']['editing']): boolean {
    return this.changes.editing_options?.[name] ?? this.inputs.options.editing[name] ?? false;
  }

  /** Calls the listener after each change; returns a function that ends this. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Makes a change, unless it cannot be. */
  change(changes: EditChanges): boolean {
    this.#previewed = null;
    const faults = this.#findFaults(changes);
    this.#refusals = faults;
    if (faults.length === 0 && !isSameJson(changes, this.#history.present)) {
      this.#history = addStep(this.#history, changes);
    }
    this.#update();
    return faults.length === 0;
  }

  /** Shows a change that is not made yet. */
  previewChanges(changes: EditChanges): void {
    // Most moves of a pointer stay at the same word.
    if (isSameJson(changes, this.changes) || this.#findFaults(changes).length > 0) return;
    this.#previewed = changes;
    this.#update();
  }

  undo(): void {
    this.#history = undoStep(this.#history);
    this.#refusals = [];
    this.#update();
  }

  redo(): void {
    this.#history = redoStep(this.#history);
    this.#refusals = [];
    this.#update();
  }

  /** Changes that came from elsewhere, or what is left after a refusal. */
  applyRemoteChanges(changes: EditChanges, refusals: readonly Refusal[] = []): void {
    this.#previewed = null;
    this.#refusals = refusals;
    if (!isSameJson(changes, this.#history.present))
      this.#history = addStep(this.#history, changes);
    this.#update();
  }

  /** Applies the newest answer of the service. */
  applyAnswer(answer: EditAnswer): void {
    this.#answer = answer;
    this.#update();
  }

  #update(): void {
    this.#made = this.#compute(this.changes);
    for (const listener of this.#listeners) listener();
  }

  #findStyle({ style_preset_id: id }: EditChanges): Style | undefined {
    return this.#answer.presets.find((preset) => preset.id === id)?.style;
  }

  /** The last edit that was made, which is needed twice: to show it and to check the limits. */
  #newest: { changes: EditChanges; answer: EditAnswer; edit: Edit } | null = null;

  #makeEdit(changes: EditChanges): Edit {
    const { edit, analysis, inputs } = this.#answer;
    if (isSameJson(changes, edit.changes)) return edit.edit;
    const known = this.#newest;
    if (known?.changes === changes && known.answer === this.#answer) return known.edit;
    const style = this.#findStyle(changes);
    const made = makeEdit(inputs, changes, { style, analysis });
    // As the service does until all of it has been analysed.
    const drawn = made.needsAnalysis && analysis ? frameEdit(made, analysis) : made;
    this.#newest = { changes, answer: this.#answer, edit: drawn };
    return drawn;
  }

  /** The same ones until a word is corrected, and then the same sentences without it. */
  #text: (Pick<Made, 'words' | 'sentences'> & { of: readonly unknown[] }) | null = null;

  #splitText({ words: corrections, muted }: EditChanges): Pick<Made, 'words' | 'sentences'> {
    const { inputs } = this.#answer;
    const of = [inputs, corrections, muted];
    if (this.#text && of.every((one, at) => one === this.#text!.of[at])) return this.#text;
    const words = editWords(inputs, { words: corrections, muted });
    const sentences = keepSentences(words, this.#text);
    this.#text = { words, sentences, of };
    return this.#text;
  }

  #compute(changes: EditChanges): Made {
    const { inputs, analysis } = this.#answer;
    const edit = this.#makeEdit(changes);
    const { words, sentences } = this.#splitText(changes);
    const { start = inputs.span.start, end = inputs.span.end } = changes;
    const clip = { start, end };
    const fillers = findRemovedFillers(inputs, changes);
    const removed = [...(changes.removed ?? []), ...fillers];
    return {
      edit,
      words,
      sentences,
      places: words.map((word) => findPlace(word, clip, removed)),
      shots: listShownShots(edit, changes, analysis),
      clip,
      fillers,
    };
  }

  #findFaults(changes: EditChanges): readonly Refusal[] {
    const faults = changeFaults(this.inputs, changes);
    if (faults.length > 0) return faults;
    const fault = findLengthFault(this.inputs, changes, this.#makeEdit(changes).duration);
    return fault ? [fault] : [];
  }
}

/** States that a person can go back to, and forward again. */
export interface History<State> {
  past: readonly State[];
  present: State;
  future: readonly State[];
}

/** The number of steps that can be undone. */
const maxSteps = 200;

export const beginHistory = <State>(present: State): History<State> => ({
  past: [],
  present,
  future: [],
});

export const addStep = <State>({ past, present }: History<State>, next: State): History<State> => ({
  past: [...past, present].slice(-maxSteps),
  present: next,
  future: [],
});

export function undoStep<State>(history: History<State>): History<State> {
  const { past, present, future } = history;
  if (past.length === 0) return history;
  return { past: past.slice(0, -1), present: past.at(-1)!, future: [present, ...future] };
}

export function redoStep<State>(history: History<State>): History<State> {
  const { past, present, future } = history;
  if (future.length === 0) return history;
  return { past: [...past, present], present: future[0]!, future: future.slice(1) };
}
