import { css } from 'lit';

export const clipPreviewStyles = css`
  img,
  ::slotted([slot='poster']) {
    position: absolute;
    inset: 0;
    width: 100%;
    height: 100%;
    object-fit: cover;
  }
  button.cover {
    background: none;
  }
  button.cover:focus-visible {
    outline-offset: -6px;
  }
  [part='symbol'] {
    position: relative;
    display: grid;
    place-items: center;
    width: 4rem;
    height: 4rem;
    border-radius: 50%;
    background: #0000009e;
    color: #fff;
    transition: scale 0.15s;
    forced-color-adjust: none;
  }
  i:not([part]) {
    width: 1.75rem;
    height: 1.75rem;
    background: currentcolor;
    clip-path: polygon(29% 19%, 29% 81%, 83% 50%);
  }
  :hover > [part='symbol'] {
    scale: 1.08;
  }
`;
