import { css, html, nothing, type TemplateResult } from 'lit';
import type { ClipError } from '../../client/clip-error.ts';
import type { PageController } from '../settings/page-controller.ts';

/**
 * An error with a button that tries again. `open`: a control that opens the clip in a tab; `extra`:
 * another class of the box.
 */
export function frameError(
  page: PageController,
  error: ClipError,
  retry: () => void,
  open: TemplateResult | typeof nothing = nothing,
  extra = '',
): TemplateResult {
  const text = page.text(error.code, error.message);
  const again = page.text('retry', 'Try again');
  return html`<div part="error" class="cover ${extra}" role="alert">
    <slot name=${error.code === 'signed-out' ? error.code : 'error'}
      ><p dir="auto" lang=${page.textLanguage(error.code)}>${text}</p></slot
    >
    <div class="row">
      ${error.retryable ? html`<button part="retry" class="plain" @click=${retry}>${again}</button>` : nothing}
      ${open}
    </div>
  </div>`;
}

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
