import { css } from 'lit';

export const exportButtonStyles = css`
  :host {
    --_muted: var(--clip-muted, color-mix(in srgb, CanvasText 68%, Canvas));
    --_danger: var(--clip-danger, color-mix(in srgb, #e5484d 68%, CanvasText));
    --_radius: var(--clip-button-radius, 0.75rem);
    /* The only box around what is drawn: each more takes a browser much longer. */
    display: inline-grid;
    align-content: start;
    justify-items: start;
    gap: 0.5rem;
  }
  /* Another label, so that the button keeps its size when the label changes. */
  .sizer {
    visibility: hidden;
  }
  [data-label] {
    /* First, so that the button stands on the line as it does with one line of text. */
    order: -1;
  }
  [data-label]::before {
    content: attr(data-label);
  }
  .main {
    position: relative;
    z-index: 1;
    grid-area: 1 / 1;
    /* If the page makes the element wider, the button fills it. */
    justify-self: stretch;
    min-width: 9rem;
    min-height: 2.75rem;
    padding: 0.625rem 1.25rem;
    border: 1px solid transparent;
    border-radius: var(--_radius);
    background: var(--_accent);
    color: var(--clip-on-accent, #fff);
    font-weight: 600;
    font-variant-numeric: tabular-nums;
    text-align: center;
    text-decoration: none;
    transition: filter 0.15s;
  }
  .main:hover {
    filter: brightness(1.12);
  }
  .main:active {
    filter: brightness(0.94);
  }
  .main[aria-disabled='true'] {
    border-color: var(--_line);
    background: none;
    color: var(--_text);
    cursor: progress;
    filter: none;
  }
  .note {
    max-width: 24em;
    color: var(--_muted);
    font-size: 0.875rem;
    line-height: 1.25rem;
    text-wrap: pretty;
  }
  :host(:is(:state(error), :state(limit))) .note {
    color: var(--_danger);
  }
  @media (forced-colors: active) {
    .main {
      border-color: ButtonText;
    }
  }
`;
