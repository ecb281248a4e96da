import { css } from 'lit';

/* Animates only `transform` and `opacity`, which need no work of the main thread. */

/** Styles that an export button needs once its export runs. */
export const exportViewStyles = css`
  /* In the area of the button: without its end, it would be all of the grid. */
  [part='progress'] {
    position: absolute;
    inset: 0;
    grid-area: 1 / 1 / 2 / 2;
    overflow: hidden;
    border-radius: var(--_radius);
    background: color-mix(in srgb, var(--_accent) 9%, Canvas);
  }
  .share {
    display: block;
    height: 100%;
    background: color-mix(in srgb, var(--_accent) 38%, Canvas);
    transform-origin: left;
  }
  /* Only for large steps: constant small ones would keep the compositor busy for nothing. */
  .leap {
    transition: transform 0.5s linear;
  }
  :host(:dir(rtl)) .share {
    transform-origin: right;
  }
  [part='progress']:not([aria-valuenow]) > .share {
    animation: wait 1.4s steps(8) infinite alternate;
  }
  /* In the button, below the label: what is around the button must not move. */
  [part='time-left'] {
    position: absolute;
    inset: auto 0.25rem 0.25rem;
    grid-area: 1 / 1 / 2 / 2;
    z-index: 1;
    overflow: hidden;
    color: var(--_text);
    font-size: 0.75rem;
    font-variant-numeric: tabular-nums;
    line-height: 1rem;
    text-align: center;
    text-overflow: ellipsis;
    white-space: nowrap;
    pointer-events: none;
  }
  .main:not(.sizer):has(~ [part='time-left']) {
    padding-block: 0.125rem 1.125rem;
  }
  @keyframes wait {
    from {
      opacity: 0.15;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    .share,
    [part='progress']:not([aria-valuenow]) > .share {
      transition: none;
      animation: none;
    }
  }
  @media (forced-colors: active) {
    .share {
      background: Highlight;
    }
  }
  /* Below the button, never wider than it. */
  .under {
    justify-self: stretch;
    contain: inline-size;
  }
  .plain.under {
    border-radius: var(--_radius);
  }
`;
