import { css } from 'lit';

export const clipVideosStyles = css`
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
    grid-template-columns: repeat(auto-fill, minmax(min(17rem, 100%), 1fr));
    gap: 0.625rem;
    align-items: start;
    margin: 0;
    padding: 0;
    list-style: none;
  }
  ul:empty {
    display: none;
  }
  li {
    position: relative;
    display: grid;
    grid-template-columns: 1fr auto;
    align-content: start;
    align-items: center;
    min-width: 0;
    overflow: clip;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_surface);
  }
  li > :not(button) {
    grid-column: 1 / -1;
  }
  li.chosen {
    border-color: var(--_accent);
    box-shadow: inset 0 0 0 1px var(--_accent);
  }
  [part='choose'],
  [part='skeleton'] {
    display: flex;
    gap: 0.75rem;
    align-items: center;
    min-width: 0;
    padding: 0.625rem;
    border: 0;
    border-radius: var(--_radius);
    background: none;
    text-align: start;
  }
  [part='choose']:focus-visible {
    outline-offset: -3px;
  }
  [part='picture'],
  .bone.picture {
    display: grid;
    flex: none;
    place-items: center;
    width: 6rem;
    overflow: hidden;
    border-radius: 0.5rem;
    background: var(--_tint);
    aspect-ratio: 16 / 9;
  }
  img {
    width: 100%;
    height: 100%;
    object-fit: cover;
  }
  svg {
    width: 1.5rem;
    fill: none;
    stroke: var(--_muted);
    stroke-linecap: round;
    stroke-linejoin: round;
    stroke-width: 1.5;
  }
  .about {
    display: grid;
    flex: 1;
    gap: 0.125rem;
    min-width: 0;
  }
  [part='name'] {
    display: -webkit-box;
    overflow: hidden;
    font-weight: 600;
    line-height: 1.25;
    overflow-wrap: anywhere;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 2;
  }
  [part='details'] {
    color: var(--_muted);
    font-size: 0.8125rem;
    font-variant-numeric: tabular-nums;
  }
  [part='details'].error,
  .fault,
  slot[name='error'] p {
    color: var(--_danger);
  }
  [part='delete'] {
    display: grid;
    place-items: center;
    width: 2.75rem;
    height: 2.75rem;
    margin-inline-end: 0.25rem;
    padding: 0;
    border: 0;
    border-radius: 50%;
    background: none;
  }
  [part='delete'] svg {
    width: 1.25rem;
  }
  [part='delete']:hover svg {
    stroke: var(--_danger);
  }
  [part='progress'] {
    height: 0.25rem;
    overflow: hidden;
    background: var(--_tint);
  }
  [part='progress'] > i {
    display: block;
    height: 100%;
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
  [part='question'] {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem;
    align-items: center;
    padding: 0.625rem;
    border-top: 1px solid var(--_line);
  }
  [part='question'] > span {
    flex: 1 1 100%;
    font-size: 0.875rem;
    overflow-wrap: anywhere;
  }
  [part='confirm'] {
    border-color: currentcolor;
    color: var(--_danger);
  }
  p {
    margin: 0;
    font-size: 0.875rem;
    text-wrap: pretty;
  }
  .fault {
    padding: 0 0.625rem 0.625rem;
  }
  [part='error'] {
    display: grid;
    gap: 0.625rem;
    justify-items: start;
    margin-bottom: 1rem;
  }
  [part='empty'] {
    padding: 2rem 1rem;
    border: 1px dashed var(--_line);
    border-radius: var(--_radius);
    color: var(--_muted);
    text-align: center;
  }
  [part='more'] {
    display: block;
    margin: 1rem auto 0;
  }
  .bone {
    height: 1em;
    border-radius: 0.5rem;
    background: var(--_tint);
  }
  .bone.picture {
    height: auto;
  }
  .bone.short {
    width: 60%;
  }
  @keyframes wait {
    from {
      opacity: 0.45;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    .bone,
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
