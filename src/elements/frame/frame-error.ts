import { html, nothing, type TemplateResult } from 'lit';
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
