import { css } from 'lit';

export const frameStyles = css`
  :host {
    --_shape: var(--clip-aspect-ratio, var(--_ratio, 9 / 16));
    display: block;
    overflow: hidden;
    aspect-ratio: var(--_shape);
    /* The height follows, so that a clip fits the window. With \`none\` there is no limit. */
    max-inline-size: calc(var(--clip-max-block-size, min(80dvh, 46rem)) * (var(--_shape)));
    border-radius: var(--clip-radius, 1rem);
    background: var(--clip-backdrop, color-mix(in srgb, CanvasText 7%, Canvas));
  }
  iframe,
  .cover,
  [part='spinner'] {
    position: absolute;
    inset: 0;
    width: 100%;
    height: 100%;
    border: 0;
  }
  .cover {
    display: grid;
    place-content: center;
    justify-items: center;
    gap: 0.75rem;
    padding: 1.25rem;
    text-align: center;
  }
  .cover p {
    margin: 0;
    max-width: 22em;
  }
  .row {
    display: flex;
    flex-wrap: wrap;
    justify-content: center;
    gap: 0.5rem;
  }
  [part='spinner'] {
    margin: auto;
    width: 2rem;
    height: 2rem;
    border: 3px solid var(--_accent);
    border-left: 0;
    border-radius: 50%;
    animation: turn 1s linear infinite;
  }
  @keyframes turn {
    to {
      rotate: 1turn;
    }
  }
`;
