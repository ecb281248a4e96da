import { css } from 'lit';

export const clipListStyles = css`
  :host {
    --_muted: var(--clip-muted, color-mix(in srgb, CanvasText 68%, Canvas));
    --_danger: var(--clip-danger, color-mix(in srgb, #e5484d 68%, CanvasText));
    --_tint: var(--clip-backdrop, color-mix(in srgb, CanvasText 7%, Canvas));
    --_radius: var(--clip-radius, 1rem);
    display: block;
    container-type: inline-size;
  }
  ul {
    display: grid;
    grid-template-columns: repeat(
      auto-fill,
      minmax(min(var(--clip-list-item-width, 15.5rem), 100%), 1fr)
    );
    gap: var(--clip-list-gap, 1.25rem);
    margin: 0;
    padding: 0;
    list-style: none;
  }
  ul:empty {
    display: none;
  }
  li {
    display: grid;
    grid-template-rows: auto 1fr auto;
    min-width: 0;
    overflow: clip;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_surface);
    /* Far from the viewport an item costs no layout. */
    content-visibility: auto;
    contain-intrinsic-size: auto 40rem;
  }
  clip-preview {
    --clip-radius: 0;
    width: 100%;
    /* As wide as its card, whatever its height is. */
    max-inline-size: none;
  }
  clip-preview,
  .bone.picture {
    max-block-size: var(--clip-max-block-size, min(80dvh, 46rem));
  }
  .about {
    display: grid;
    grid-template-columns: 1fr auto;
    align-content: start;
    gap: 0.5rem 0.75rem;
    padding: 1rem 1.125rem 0.875rem;
    overflow-wrap: anywhere;
  }
  .about > * {
    grid-column: 1 / -1;
  }
  [part='title'] {
    grid-column: 1;
    font-size: 1.125rem;
    font-weight: 600;
    line-height: 1.25;
    text-wrap: balance;
  }
  .about > slot {
    display: block;
  }
  slot[name|='score'] {
    display: block;
    grid-area: 1 / 2;
  }
  [part='score'] {
    display: grid;
    place-items: center;
    width: 2.75rem;
    height: 2.75rem;
    border-radius: 50%;
    background:
      radial-gradient(closest-side, var(--_surface) 80%, transparent 82%),
      conic-gradient(var(--_accent) var(--_score), var(--_tint) 0);
    font-size: 0.875rem;
    font-variant-numeric: tabular-nums;
  }
  p {
    margin: 0;
    color: var(--_muted);
    font-size: 0.875rem;
    text-wrap: pretty;
  }
  [part='note'] {
    padding-inline-start: 0.6rem;
    border-inline-start: 2px solid var(--_accent);
  }
  [part='actions'] {
    display: grid;
    gap: 0.75rem;
    padding: 0.875rem 1.125rem 1.125rem;
    border-top: 1px solid var(--_line);
  }
  [part='broken'] {
    grid-template-rows: none;
    place-content: center;
    padding: 1.25rem;
    color: var(--_danger);
    text-align: center;
  }
  .notice {
    display: grid;
    gap: 0.625rem;
    justify-items: start;
    margin-bottom: 1.25rem;
  }
  slot[name='error'] p {
    color: var(--_danger);
  }
  [part='empty'] {
    padding: 2rem 1rem;
    border: 1px dashed var(--_line);
    border-radius: var(--_radius);
    text-align: center;
  }
  [part='working'] {
    justify-items: stretch;
  }
  [part='progress'] {
    height: 0.5rem;
    overflow: hidden;
    border-radius: 99px;
    background: var(--_tint);
  }
  [part='progress'] > i {
    display: block;
    height: 100%;
    border-radius: inherit;
    background: var(--_accent);
    transform-origin: left;
  }
  :host(:dir(rtl)) [part='progress'] > i {
    transform-origin: right;
  }
  [part='progress']:not([aria-valuenow]) > i,
  .bone {
    animation: wait 1.4s steps(8) infinite alternate;
  }
  [part='time-left'] {
    font-variant-numeric: tabular-nums;
  }
  [part='more'] {
    display: block;
    margin: 1.25rem auto 0;
  }
  .bone {
    height: 1em;
    border-radius: 0.5rem;
    background: var(--_tint);
  }
  .bone.short {
    width: 60%;
  }
  .bone.picture {
    height: auto;
    border-radius: 0;
    aspect-ratio: var(--clip-aspect-ratio, 9 / 16);
  }
  .bone.button {
    height: 2.75rem;
    border-radius: var(--clip-button-radius, 0.75rem);
  }
  @keyframes wait {
    from {
      opacity: 0.45;
    }
  }
  /* One column: one item that is not there yet is enough. */
  @container (width < 32rem) {
    [part='skeleton'] ~ [part='skeleton'] {
      display: none;
    }
  }
  @container (width < 17rem) {
    .about,
    [part='actions'] {
      padding-inline: 0.75rem;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    .bone,
    [part='progress'] > i {
      animation: none !important;
    }
  }
  @media (forced-colors: active) {
    [part='score'] {
      border: 2px solid CanvasText;
    }
    [part='progress'] > i {
      background: Highlight;
    }
  }
`;
