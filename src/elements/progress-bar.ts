import { html, nothing, type TemplateResult } from 'lit';

export { default as progressStyles } from './progress-bar.css';

/** A bar for a share from 0 to 1; null if it is unknown. `said`: for screen readers, if another. */
export function drawProgressBar(
  label: string | undefined,
  share: number | null,
  said = share,
): TemplateResult {
  const drawn = share && Math.floor(share * 100) / 100;
  return html`<div
    part="progress"
    role="progressbar"
    aria-label=${label ?? nothing}
    aria-valuemin="0"
    aria-valuemax="1"
    aria-valuenow=${(said && drawn) ?? nothing}
  >
    <i .style=${drawn === null ? '' : `transform:scaleX(${drawn})`}></i>
  </div>`;
}
