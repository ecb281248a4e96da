import { html, svg, type TemplateResult } from 'lit';

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
