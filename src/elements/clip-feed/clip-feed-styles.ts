import { css } from 'lit';

export const clipFeedStyles = css`
  :host {
    display: block;
    block-size: 100dvh;
    border-radius: var(--clip-radius, 0);
  }
  @media (width >= 48rem) {
    :host {
      block-size: min(100dvh, 56rem);
    }
  }
  :host([layout='strip']),
  :host([layout='modal']) {
    block-size: auto;
  }
  .box {
    position: relative;
    container-type: size;
    block-size: 100%;
    border-radius: inherit;
    overflow: clip;
  }
  dialog {
    inset: 0;
    inline-size: 100vw;
    max-inline-size: none;
    block-size: 100dvh;
    max-block-size: none;
    margin: 0;
    padding: 0;
    border: 0;
    background: #000;
    color: inherit;
  }
  dialog > .box > [part='feed'] {
    overscroll-behavior: contain;
  }
  .box > * {
    --_side: calc((100cqi - var(--_width)) / 2);
    --_peek: 0px;
    --_width: 100cqi;
    --_margin: 0.75rem;
  }
  /* A column, and the beginning of the next clip below it. */
  @container (aspect-ratio > 3 / 4) {
    .box > * {
      --_peek: var(--clip-feed-peek, min(9cqb, 5rem));
      --_width: min(100cqi, calc((100cqb - var(--_peek)) * (var(--clip-aspect-ratio, 9 / 16))));
      --_corner: 1rem;
    }
  }
  [part='feed'] {
    position: relative;
    display: grid;
    grid-template-columns: var(--_width);
    grid-auto-rows: calc(100cqb - var(--_peek));
    row-gap: min(0.75rem, var(--_peek));
    justify-content: center;
    block-size: 100%;
    padding-block-end: var(--_peek);
    overflow: hidden auto;
    scroll-snap-type: y mandatory;
    scrollbar-width: none;
  }
  [role='list']:not([part]) {
    display: contents;
  }
  clip-preview,
  [part='item'] {
    border-radius: var(--_corner, 0);
  }
  /* In its row without being a cell of the grid, so that it moves no item to another row. */
  clip-preview {
    position: absolute;
    inset: 0;
    --clip-radius: 0;
    --clip-backdrop: #000;
    max-inline-size: none;
    aspect-ratio: auto;
    color-scheme: dark;
  }
  /* Above the frame, and around it once its picture moves. */
  [part='item'] {
    position: relative;
    overflow: clip;
    background: #000;
    color: #fff;
    cursor: pointer;
    scroll-snap-align: start;
    scroll-snap-stop: always;
    transition: opacity 0.2s;
  }
  [part='item'].open {
    background: none;
  }
  [part='item'].failed {
    pointer-events: none;
  }
  [part='item'].open > img,
  [part='item'].failed > :is(img, [part='symbol']) {
    visibility: hidden;
  }
  [part='item']:not([aria-current]) {
    opacity: 0.6;
  }
  img {
    position: absolute;
    inset: 0;
    inline-size: 100%;
    block-size: 100%;
    object-fit: contain;
  }
  [part='symbol'] {
    position: absolute;
    inset: 0;
    inline-size: 4.5rem;
    block-size: 4.5rem;
    margin: auto;
    padding: 1.125rem;
    border-radius: 50%;
    background: #0000009e;
    forced-color-adjust: none;
  }
  .about {
    position: absolute;
    inset-inline: 0;
    inset-block-end: 0;
    display: flex;
    align-items: end;
    gap: 1rem;
    padding: 4rem 1rem max(1.25rem, env(safe-area-inset-bottom));
    background: linear-gradient(transparent, #0009);
    pointer-events: none;
  }
  [part='title'] {
    flex: 1;
    display: -webkit-box;
    overflow: hidden;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 3;
    font-size: 1.0625rem;
    font-weight: 600;
    line-height: 1.3;
    overflow-wrap: anywhere;
    text-shadow: 0 1px 3px #000a;
  }
  .about > slot {
    display: grid;
    gap: 0.5rem;
    pointer-events: auto;
  }
  [part='controls'] {
    position: absolute;
    inset-block-start: max(var(--_margin), env(safe-area-inset-top));
    inset-inline: calc(var(--_side) + var(--_margin));
    display: flex;
    gap: 0.5rem;
    pointer-events: none;
  }
  [part='close'] {
    margin-inline-end: auto;
  }
  [part='play'] {
    margin-inline-start: auto;
  }
  [part='controls'] button {
    inline-size: 2.75rem;
    block-size: 2.75rem;
    padding: 0.6875rem;
    border: 1px solid transparent;
    border-radius: 50%;
    background: #0000009e;
    color: #fff;
    pointer-events: auto;
  }
  [part='controls'] button:hover {
    background: #000c;
  }
  .box :focus-visible {
    outline-color: var(--clip-focus, #fff);
    box-shadow: 0 0 0 5px #000;
  }
  /* Around the clip: beside it is the page, in any colour. */
  [part='feed']:focus-visible:has([aria-current]) {
    outline: none;
    box-shadow: none;
  }
  [part='feed']:focus-visible [aria-current] {
    outline: 3px solid var(--clip-focus, #fff);
    outline-offset: -3px;
    box-shadow: inset 0 0 0 5px #000;
  }
  svg {
    display: block;
    inline-size: 100%;
    block-size: 100%;
    fill: none;
    stroke: currentcolor;
    stroke-width: 2;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
  .solid {
    fill: currentcolor;
  }
  .notice {
    position: absolute;
    inset-block: 0;
    inset-inline: var(--_side, 0);
    display: grid;
    place-content: center;
    justify-items: center;
    gap: 0.75rem;
    padding: 1.25rem;
    border-radius: var(--_corner, 0);
    background: #000;
    color: #fff;
    color-scheme: dark;
    text-align: center;
  }
  .notice p {
    margin: 0;
  }
  [part='spinner'] {
    inline-size: 2rem;
    block-size: 2rem;
    border: 3px solid currentcolor;
    border-inline-start: 0;
    border-radius: 50%;
    animation: turn 1s linear infinite;
  }
  @keyframes turn {
    to {
      rotate: 1turn;
    }
  }
  :host([layout='strip']) {
    min-block-size: calc(var(--clip-feed-strip-width, 9rem) / (var(--clip-aspect-ratio, 9 / 16)));
  }
  [part='strip'] {
    display: grid;
    grid-auto-flow: column;
    grid-auto-columns: var(--clip-feed-strip-width, 9rem);
    justify-content: start;
    gap: 0.75rem;
    /* Its posters make no column of the page wider. */
    inline-size: 0;
    min-inline-size: calc(100% + 10px);
    padding: 5px;
    margin: -5px;
    overflow: auto hidden;
    scroll-snap-type: x proximity;
    scroll-padding: 5px;
  }
  [part='strip-item'] {
    position: relative;
    display: block;
    inline-size: 100%;
    aspect-ratio: var(--clip-aspect-ratio, 9 / 16);
    padding: 0;
    overflow: clip;
    border: 0;
    border-radius: var(--clip-radius, 0.75rem);
    background: #000;
    color: #fff;
    text-align: start;
    scroll-snap-align: start;
  }
  [part='strip-item'] img {
    object-fit: cover;
    transition: scale 0.2s;
  }
  [part='strip-item']:hover img {
    scale: 1.04;
  }
  [part='strip-item'] .about {
    padding: 2.5rem 0.75rem 0.75rem;
  }
  [part='strip-item'] [part='title'] {
    font-size: 0.875rem;
  }
`;
