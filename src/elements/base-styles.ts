import { css } from 'lit';

/** Shared by all elements. System colours follow `color-scheme` and forced colours. */
export const baseStyles = css`
  :host {
    --_accent: var(--clip-accent, #4f46e5);
    --_text: var(--clip-text, CanvasText);
    --_surface: var(--clip-surface, Canvas);
    --_line: var(--clip-border, color-mix(in srgb, CanvasText 16%, Canvas));
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
  @media (prefers-reduced-motion: reduce) {
    * {
      transition: none !important;
      animation-duration: 5s !important;
    }
  }
`;
