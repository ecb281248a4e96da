import { css } from 'lit';

export const clipCreateStyles = css`
  :host {
    --_muted: var(--clip-muted, color-mix(in srgb, CanvasText 68%, Canvas));
    --_danger: var(--clip-danger, color-mix(in srgb, #e5484d 68%, CanvasText));
    --_tint: var(--clip-backdrop, color-mix(in srgb, CanvasText 7%, Canvas));
    --_radius: var(--clip-radius, 1rem);
    --_field: color-mix(in srgb, CanvasText 55%, Canvas);
    display: block;
    container-type: inline-size;
  }
  /* No wider than the element, whatever its content would like. */
  .all,
  [part='drop'] {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
  }
  .all {
    gap: 1rem;
  }
  [part='drop'] {
    gap: 0.75rem;
    justify-items: center;
    padding: 1.75rem 1.25rem 1.25rem;
    border: 2px dashed var(--_line);
    border-radius: var(--_radius);
    text-align: center;
    transition:
      border-color 0.15s,
      background 0.15s;
  }
  :host(:state(dragging)) [part='drop'] {
    border-color: var(--_accent);
    background: color-mix(in srgb, var(--_accent) 8%, transparent);
  }
  svg {
    width: 2.25rem;
    fill: none;
    stroke: var(--_muted);
    stroke-linecap: round;
    stroke-linejoin: round;
    stroke-width: 1.5;
  }
  .drop {
    color: var(--_muted);
  }
  /* A finger drops nothing. */
  @media (pointer: coarse) {
    .drop {
      display: none;
    }
  }
  .main {
    min-height: 2.75rem;
    padding: 0.625rem 1.25rem;
    border: 1px solid transparent;
    border-radius: var(--clip-button-radius, 0.75rem);
    background: var(--_accent);
    color: var(--clip-on-accent, #fff);
    font-weight: 600;
    transition: filter 0.15s;
  }
  .main:hover {
    filter: brightness(1.12);
  }
  .main[aria-disabled='true'] {
    border-color: var(--_line);
    background: none;
    color: var(--_muted);
    cursor: default;
    filter: none;
  }
  form {
    display: flex;
    gap: 0.5rem;
    width: min(100%, 26rem);
    margin-top: 0.5rem;
    padding-top: 1.25rem;
    border-top: 1px solid var(--_line);
  }
  input[type='url'],
  [part='topics'],
  select {
    min-width: 0;
    min-height: 2.5rem;
    padding: 0.375rem 0.75rem;
    border: 1px solid var(--_field);
    border-radius: 0.625rem;
    background: var(--_surface);
    color: inherit;
    font: inherit;
  }
  input[type='url'] {
    flex: 1;
  }
  form .plain {
    flex: none;
    min-height: 2.5rem;
  }
  summary {
    width: fit-content;
    cursor: pointer;
  }
  details[open] > summary {
    margin-bottom: 0.875rem;
  }
  .fields {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(10rem, 100%), 1fr));
    gap: 0.875rem 1rem;
    align-items: end;
  }
  [part='field'] {
    display: grid;
    gap: 0.25rem;
    min-width: 0;
  }
  [part='field'].wide {
    grid-column: 1 / -1;
  }
  [part='field'] > span,
  legend {
    color: var(--_muted);
    font-size: 0.875rem;
  }
  [part='check'] {
    display: flex;
    gap: 0.5rem;
    align-items: center;
    min-height: 2.5rem;
  }
  input[type='checkbox'] {
    width: 1.125rem;
    height: 1.125rem;
    margin: 0;
    accent-color: var(--_accent);
  }
  fieldset {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(6.5rem, 1fr));
    gap: 0.625rem;
    min-width: 0;
    margin: 0.875rem 0 0;
    padding: 0;
    border: 0;
  }
  legend {
    margin-bottom: 0.25rem;
    padding: 0;
  }
  [part='style'] {
    position: relative;
    display: grid;
    gap: 0.25rem;
    font-size: 0.875rem;
    text-align: center;
    cursor: pointer;
  }
  .sample {
    display: grid;
    place-items: center;
    overflow: hidden;
    border-radius: 0.625rem;
    background: linear-gradient(150deg, #5d6b7a, #2b323b);
    aspect-ratio: 16 / 10;
  }
  .sample > b {
    padding: 0.1em 0.35em;
    font-size: 1.25rem;
    paint-order: stroke fill;
  }
  .sample i {
    font-style: normal;
  }
  .sample img {
    width: 100%;
    height: 100%;
    object-fit: cover;
  }
  :checked + .sample {
    outline: 3px solid var(--_accent);
    outline-offset: 2px;
  }
  :focus-visible + .sample {
    outline: 3px solid var(--clip-focus, var(--_accent));
    outline-offset: 4px;
  }
  @container (width > 40rem) {
    [part='start'] {
      justify-self: center;
      min-width: 18rem;
    }
  }
  [part='error'] {
    margin: 0;
    color: var(--_danger);
    font-size: 0.875rem;
  }
  @media (forced-colors: active) {
    .main {
      border-color: ButtonText;
    }
  }
`;
