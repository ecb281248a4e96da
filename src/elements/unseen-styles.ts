import { css } from './css.ts';

/** For content that only screen readers present. */
export const unseenStyles = css`
  .unseen {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
`;
