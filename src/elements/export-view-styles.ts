import { css } from './css.ts';

/* Animates only `transform` and `opacity`, which need no work of the main thread. */

/** Styles that an export button needs once its export runs. */
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
