import { html, type TemplateResult } from 'lit';
import type { Project } from '../../contract/project.ts';
import type { ClipExportButton } from '../clip-export-button/clip-export-button.ts';
import type { ClipPreview } from '../clip-preview/clip-preview.ts';

function createElement<Tag extends 'clip-preview' | 'clip-export-button'>(
  tag: Tag,
  attributes: Readonly<Record<string, string | null>>,
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null) element.setAttribute(name, value);
  }
  return element;
}

/** One clip of a list. Its elements are created once, because the page may set options on them. */
export class ClipListItem {
  readonly preview: ClipPreview;
  readonly exportButton: ClipExportButton;

  constructor({ id, folder_id }: Project) {
    this.preview = createElement('clip-preview', {
      exportparts: 'poster,play,error,secondary',
      loading: 'click',
      playsinline: '',
      project: id,
    });
    this.exportButton = createElement('clip-export-button', {
      exportparts: 'button,progress,status,secondary',
      project: id,
      folder: folder_id,
    });
  }

  /** The item in the list; null before it is drawn. */
  get node(): HTMLElement | null {
    return this.exportButton.closest('li');
  }

  /**
   * Shows the clip as it was read last. `posterMark`: makes the poster's address another one.
   * `mark`: the box that selects it.
   */
  render(
    clip: Project,
    headingLevel: number,
    scoreLabel: string,
    posterMark: string,
    mark: TemplateResult | null,
  ): TemplateResult {
    const { id, name, virality_score: score, virality_score_explanation: reason } = clip;
    const { poster_url: poster, width, height, notes = [], revision } = clip;
    const { preview, exportButton } = this;
    preview.label = exportButton.label = name;
    exportButton.revision = revision ?? null;
    preview.poster = poster
      ? poster + (posterMark && `${poster.includes('?') ? '&' : '?'}${posterMark}`)
      : null;
    if (width) preview.width = width;
    if (height) preview.height = height;
    const points = score === null ? null : Math.round(score * 100);
    // Focusable, so that "Show more" can move the focus to it.
    return html`<li part="item" role="listitem" tabindex="-1">
      ${mark}<slot name="preview-${id}">${preview}</slot>
      <div class="about">
        <div part="title" role="heading" aria-level=${headingLevel}>
          <slot name="title-${id}"><bdi>${name}</bdi></slot>
        </div>
        ${
          points === null
            ? null
            : html`<slot name="score-${id}"
                ><span
                  part="score"
                  role="img"
                  aria-label=${scoreLabel.replace('{0}', `${points}`)}
                  .style=${`--_score:${points}%`}
                  ><b aria-hidden="true">${points}</b></span
                ></slot
              >`
        }${
          reason === null
            ? null
            : html`<slot name="reason-${id}"><p part="reason" dir="auto">${reason}</p></slot>`
        }${notes.map(({ message }) => html`<p class="note" dir="auto">${message}</p>`)}
      </div>
      <div part="actions">
        <slot name="actions-${id}"></slot><slot name="export-${id}">${exportButton}</slot>
      </div>
    </li>`;
  }
}
