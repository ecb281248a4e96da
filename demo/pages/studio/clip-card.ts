import { html, nothing, svg, type TemplateResult } from 'lit';
import type { Project } from 'clip-kit/contract';

export interface ClipCardParts {
  serviceUrl: string;
  /** URL of the clip's picture; null while it is being made. */
  posterUrl: string | null;
  /** URL of the image to put on the export, or null. */
  watermarkUrl: string | null;
  open: (project: Project) => void;
  setWatermark: (project: Project, on: boolean) => void;
}

/** Radius of the score's ring with a circumference of 100, so that a dash of n is n percent. */
const radius = 100 / (2 * Math.PI);

/** A ring that is filled according to the score, 0 to 1. */
export function score(share: number): TemplateResult {
  const points = Math.round(share * 100);
  return html`<span class="score" role="img" aria-label="Score ${points} of 100">
    <svg viewBox="0 0 36 36" aria-hidden="true">
      ${svg`<circle cx="18" cy="18" r=${radius}/><circle cx="18" cy="18" r=${radius} stroke-dasharray="${points} 100"/>`}
    </svg>
    <b aria-hidden="true">${points}</b>
  </span>`;
}

/** One clip: its preview, why it was chosen, and its actions. */
export function clipCard(project: Project, parts: ClipCardParts): TemplateResult {
  const { serviceUrl, watermarkUrl } = parts;
  return html`<li class="card clip ${project.folder_id ? '' : 'wide'}" data-project=${project.id}>
    <clip-preview
      project=${project.id}
      player-url=${serviceUrl}
      handshake="clip-ready"
      poster=${parts.posterUrl ?? nothing}
      label=${project.name}
      loading="click"
    ></clip-preview>
    <div class="say">
      <div class="title">
        <h3>${project.name}</h3>
        ${project.virality_score === null ? nothing : score(project.virality_score)}
      </div>
      ${
        project.virality_score_explanation
          ? html`<p class="soft small">${project.virality_score_explanation}</p>`
          : html`<p class="soft small">The whole video, edited.</p>`
      }
      ${(project.notes ?? []).map(({ message }) => html`<p class="note small">${message}</p>`)}
    </div>
    <div class="act">
      <div class="line">
        <label
          ><input
            type="checkbox"
            .checked=${watermarkUrl !== null}
            @change=${(event: Event) =>
              parts.setWatermark(project, (event.target as HTMLInputElement).checked)}
          />Watermark</label
        >
        <button class="button quiet" @click=${() => parts.open(project)}>
          Open<span class="unseen"> ${project.name}</span>
        </button>
      </div>
      <clip-export-button
        project=${project.id}
        folder=${project.folder_id ?? nothing}
        endpoint="/clips"
        watermark-src=${watermarkUrl ?? nothing}
        watermark-x="0.94"
        watermark-y="0.05"
        >Export MP4</clip-export-button
      >
    </div>
  </li>`;
}
