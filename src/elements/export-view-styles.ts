import { css } from './css.ts';

/** What an export button needs once its export runs. */
export const exportViewStyles = css`
  progress {
    position: absolute;
    inset: 0;
    width: 100%;
    height: 100%;
    border: 0;
    border-radius: inherit;
    overflow: hidden;
    appearance: none;
    background: color-mix(in srgb, var(--_accent) 9%, Canvas);
  }
  progress::-webkit-progress-bar {
    background: none;
  }
  progress::-webkit-progress-value {
    background: color-mix(in srgb, var(--_accent) 38%, Canvas);
    transition: inline-size 0.5s linear;
  }
  progress::-moz-progress-bar {
    background: color-mix(in srgb, var(--_accent) 38%, Canvas);
  }
  progress:not([value]) {
    animation: wait 1.4s ease-in-out infinite alternate;
  }
  progress:not([value])::-moz-progress-bar {
    background: none;
  }
  [part='time-left'] {
    font-variant-numeric: tabular-nums;
  }
  @keyframes wait {
    to {
      background: color-mix(in srgb, var(--_accent) 34%, Canvas);
    }
  }
  @media (prefers-reduced-motion: reduce) {
    progress::-webkit-progress-value {
      transition: none;
    }
  }
  @media (forced-colors: active) {
    progress::-webkit-progress-value {
      background: Highlight;
    }
  }
`;
