import { css } from 'lit';

/** For what is loaded with the first video. */
export const createWorkStyles = css`
  [part='videos'] {
    display: grid;
    gap: 0.75rem;
    margin: 0;
    padding: 0;
    list-style: none;
  }
  [part='video'] {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.75rem;
    padding: 0.75rem;
    border: 1px solid var(--_line);
    border-radius: calc(var(--_radius) * 0.75);
  }
  [part='picture'] {
    flex: none;
    width: 5rem;
    overflow: hidden;
    border-radius: 0.5rem;
    background: var(--_tint);
    aspect-ratio: 16 / 9;
  }
  canvas {
    display: block;
    width: 100%;
    height: 100%;
    object-fit: cover;
  }
  .what {
    display: grid;
    flex: 1 1 6rem;
    gap: 0.25rem;
    min-width: 0;
  }
  .what.wide {
    flex-basis: 14rem;
  }
  [part='name'] {
    overflow: hidden;
    font-weight: 600;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  small {
    color: var(--_muted);
    font-size: 0.8125rem;
    font-variant-numeric: tabular-nums;
  }
  .does {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem;
  }
  .icon {
    display: grid;
    flex: none;
    place-items: center;
    width: 2.25rem;
    padding: 0;
    font-size: 1.25rem;
    line-height: 1;
  }
  p {
    margin: 0;
    font-size: 0.875rem;
    text-wrap: pretty;
  }
  [part='error'] {
    color: var(--_danger);
  }
  [part='started'] {
    padding-inline-start: 0.6rem;
    border-inline-start: 2px solid var(--_accent);
  }
  [part='progress'] {
    height: 0.5rem;
    margin-block: 0.25rem;
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
  [part='progress']:not([aria-valuenow]) > i {
    animation: wait 1.4s steps(8) infinite alternate;
  }
  @keyframes wait {
    from {
      opacity: 0.45;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    [part='progress'] > i {
      animation: none !important;
    }
  }
  @media (forced-colors: active) {
    [part='progress'] > i {
      background: Highlight;
    }
  }
`;
