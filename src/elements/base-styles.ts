import { css } from './css.ts';

/** What every element shares. System colours follow the page's `color-scheme` and forced colours by themselves. */
export const baseStyles = css`
  :host {
    --_accent: var(--clip-accent, #4f46e5);
    --_text: var(--clip-text, CanvasText);
    --_surface: var(--clip-surface, Canvas);
    --_muted: var(--clip-muted, color-mix(in srgb, CanvasText 68%, Canvas));
    --_line: var(--clip-border, color-mix(in srgb, CanvasText 16%, Canvas));
    --_danger: var(--clip-danger, color-mix(in srgb, #e5484d 68%, CanvasText));
    position: relative;
    box-sizing: border-box;
    font: 500 0.9375rem/1.4 var(--clip-font, system-ui, sans-serif);
    color: var(--_text);
  }
  :host([hidden]) {
    display: none;
  }
  * {
    box-sizing: border-box;
  }
  button,
  a {
    font: inherit;
    color: inherit;
    cursor: pointer;
  }
  :focus-visible {
    outline: 3px solid var(--clip-focus, var(--_accent));
    outline-offset: 2px;
  }
  .plain {
    min-height: 2.25rem;
    padding: 0.375rem 0.875rem;
    border: 1px solid var(--_line);
    border-radius: 999px;
    background: none;
    text-decoration: none;
  }
  .plain:hover {
    border-color: currentcolor;
  }
  .unseen {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
`;
