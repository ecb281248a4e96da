import { css } from './css.ts';

/* What moves is only `transform` and `opacity`: the compositor moves them without work of the page's. */

/** What an export button needs once its export runs. */
export const exportViewStyles = css`
  [part='progress'] {
    position: absolute;
    inset: 0;
    background: color-mix(in srgb, var(--_accent) 9%, Canvas);
  }
  .share {
    display: block;
    height: 100%;
    background: color-mix(in srgb, var(--_accent) 38%, Canvas);
    transform-origin: left;
  }
  /* Only for a leap: a bar that moves all the time keeps the compositor awake for what nobody sees. */
  .leap {
    transition: transform 0.5s linear;
  }
  :host(:dir(rtl)) .share {
    transform-origin: right;
  }
  [part='progress']:not([aria-valuenow]) > .share {
    animation: wait 1.4s steps(8) infinite alternate;
  }
  [part='time-left'] {
    font-variant-numeric: tabular-nums;
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
`;
