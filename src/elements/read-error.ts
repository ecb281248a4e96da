import { html, nothing, type TemplateResult } from 'lit';
import type { ClipError } from '../client/clip-error.ts';
import { chooseSlot } from './events.ts';
import type { PageController } from './settings/page-controller.ts';

/** Draws why a list could not be read, in a box of these classes. */
export function drawReadError(
  page: PageController,
  error: ClipError,
  retry: () => void,
  box = '',
): TemplateResult {
  // The service's own words about a failed task are more exact than ours.
  const isOfService = !!error.cause && error.code === 'task-failed';
  const text = isOfService ? error.message : page.text(error.code, error.message);
  const language = isOfService ? nothing : page.textLanguage(error.code);
  const again = page.text('retry', 'Try again');
  // Not the slot itself: the direction of its own text does not count for it.
  return html`<div part="error" class=${box} role="alert">
    <slot name=${chooseSlot(error)}><p dir="auto" lang=${language}>${text}</p></slot>${
      error.retryable
        ? html`<button part="secondary" class="plain retry" @click=${retry}>${again}</button>`
        : null
    }
  </div>`;
}
