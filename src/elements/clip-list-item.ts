import type { Project } from '../contract/project.ts';
import type { ClipExportButton } from './clip-export-button.ts';
import type { ClipPreview } from './clip-preview.ts';
import { el, place, say } from './dom.ts';

const exported = (prefix: string, ...parts: string[]): string =>
  parts.map((part) => `${part}:${prefix}-${part}`).join();

const previewParts = exported(
  'preview',
  ...['frame', 'poster', 'play', 'symbol', 'spinner', 'error', 'retry', 'open'],
);
const exportParts = exported(
  'export',
  ...['button', 'progress', 'time-left', 'status', 'download', 'retry', 'export-again'],
);

/** One clip of a list: its nodes are created once, and updated. */
export class ClipListItem {
  readonly preview: ClipPreview;
  readonly exportButton: ClipExportButton;
  readonly node: HTMLElement;
  readonly #title: HTMLElement;
  readonly #titleText = el('bdi', {});
  readonly #score = el('span', { part: 'score', role: 'img' }, el('b', { 'aria-hidden': 'true' }));
  readonly #scoreSlot: HTMLElement;
  readonly #reason = el('p', { part: 'reason', dir: 'auto' });
  readonly #reasonSlot: HTMLElement;
  readonly #say: HTMLElement;

  constructor({ id, folder_id }: Project) {
    this.preview = el('clip-preview', {
      part: 'preview',
      exportparts: previewParts,
      loading: 'click',
      playsinline: '',
      project: id,
    });
    this.exportButton = el('clip-export-button', {
      part: 'export',
      exportparts: exportParts,
      project: id,
      folder: folder_id,
    });
    const slot = (name: string, ...content: Node[]) =>
      el('slot', { name: `${name}-${id}` }, ...content);
    this.#title = el('div', { part: 'title', role: 'heading' }, slot('title', this.#titleText));
    this.#scoreSlot = slot('score', this.#score);
    this.#reasonSlot = slot('reason', this.#reason);
    this.#say = el('div', { className: 'say' });
    this.node = el(
      'li',
      // Focusable, so that "Show more" can move the focus to it.
      { part: 'item', role: 'listitem', tabIndex: -1 },
      slot('preview', this.preview),
      this.#say,
      el('div', { part: 'actions' }, slot('actions'), slot('export', this.exportButton)),
    );
  }

  /** Shows the clip as it was read last. `posterMark`: makes the poster's address another one. */
  update(clip: Project, headingLevel: number, scoreLabel: string, posterMark: string): void {
    const { name, virality_score: score, virality_score_explanation: reason } = clip;
    const { poster_url: poster, width, height, notes = [] } = clip;
    const { preview } = this;
    preview.label = this.exportButton.label = name;
    preview.poster = poster
      ? poster + (posterMark && `${/\?/.test(poster) ? '&' : '?'}${posterMark}`)
      : null;
    for (const [attribute, value] of Object.entries({ width, height })) {
      if (value) preview.setAttribute(attribute, `${value}`);
    }
    say(this.#titleText, name);
    this.#title.setAttribute('aria-level', `${headingLevel}`);
    if (score !== null) {
      const points = Math.round(score * 100);
      say(this.#score.firstChild!, `${points}`);
      this.#score.setAttribute('aria-label', scoreLabel.replace('{0}', `${points}`));
      this.#score.style.setProperty('--_score', `${points}%`);
    }
    say(this.#reason, reason ?? '');
    place(this.#say, [
      this.#title,
      score !== null && this.#scoreSlot,
      reason !== null && this.#reasonSlot,
      ...notes.map(({ message }, at) => this.#note(at, message)),
    ]);
  }

  readonly #notes: HTMLElement[] = [];

  #note(at: number, message: string): HTMLElement {
    const note = (this.#notes[at] ??= el('p', { part: 'note', dir: 'auto' }));
    say(note, message);
    return note;
  }
}
