import { css } from 'lit';

/** What the parts of the editor look like together. */
export const editorStyles = css`
  :host {
    display: block;
    min-width: 0;
    color: var(--ink);
    font-size: 0.925rem;
    line-height: 1.45;
  }

  * {
    box-sizing: border-box;
  }

  [hidden] {
    display: none !important;
  }

  button,
  input,
  select,
  textarea {
    font: inherit;
    color: inherit;
  }

  button {
    cursor: pointer;
  }

  button:disabled {
    cursor: default;
  }

  :focus-visible {
    outline: 2px solid var(--accent);
    outline-offset: 2px;
  }

  .button {
    display: inline-flex;
    gap: 6px;
    align-items: center;
    justify-content: center;
    min-height: 40px;
    padding: 6px 14px;
    border: 1px solid var(--edge);
    border-radius: 10px;
    background: var(--surface);
    font-weight: 550;
    line-height: 1.2;
    text-decoration: none;
    color: inherit;
  }

  .button:not(:disabled):hover {
    background: var(--ground);
  }

  .button:disabled {
    border-color: var(--line);
    color: var(--soft);
    opacity: 0.65;
  }

  .button.main {
    border-color: var(--accent);
    color: var(--on-accent);
    background: var(--accent);
  }

  .button.main:not(:disabled):hover {
    background: color-mix(in srgb, var(--accent) 88%, var(--ink));
  }

  .icon {
    display: grid;
    flex: none;
    place-items: center;
    width: 40px;
    height: 40px;
    padding: 0;
    border: 0;
    border-radius: 10px;
    background: none;
  }

  .icon:not(:disabled):hover {
    background: var(--ground);
  }

  .icon:disabled {
    color: var(--soft);
    opacity: 0.5;
  }

  h2 {
    margin: 0;
    font-size: 0.8rem;
    font-weight: 650;
    letter-spacing: 0.01em;
    color: var(--soft);
  }

  .hint {
    margin: 0;
    color: var(--soft);
    font-size: 0.85rem;
    text-wrap: pretty;
  }

  .section {
    display: grid;
    gap: 8px;
  }

  .section + .section {
    margin-top: 22px;
  }

  .choices {
    display: flex;
    flex-wrap: wrap;
    gap: 6px;
  }

  .choice {
    min-height: 40px;
    padding: 6px 14px;
    border: 1px solid var(--edge);
    border-radius: 10px;
    background: var(--surface);
  }

  .choice:hover {
    background: var(--ground);
  }

  .choice[aria-pressed='true'] {
    border-color: var(--accent);
    box-shadow: inset 0 0 0 1px var(--accent);
    font-weight: 600;
  }

  .field {
    width: 100%;
    min-height: 40px;
    padding: 6px 10px;
    border: 1px solid var(--edge);
    border-radius: 10px;
    background: var(--surface);
  }

  .error {
    margin: 0;
    color: light-dark(#b3261e, #ffb4ab);
    font-size: 0.85rem;
  }

  .visually-hidden {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }

  /* A thumb is wider than a pointer. */
  @media (max-width: 640px), (pointer: coarse) {
    .icon {
      width: 44px;
      height: 44px;
    }

    .button,
    .choice,
    .field {
      min-height: 44px;
    }
  }

  @media (forced-colors: active) {
    .choice[aria-pressed='true'] {
      outline: 3px solid Highlight;
    }
  }
`;
