import type { ClipError } from '../../client/clip-error.ts';
import { ClipEvent } from '../events.ts';
import type { MediaElement } from '../media/media-element.ts';

/** The preview is about to load because somebody activated it. */
export class ClipPreviewActivateEvent extends ClipEvent {
  constructor(element: MediaElement) {
    super('clip-preview-activate', element);
  }
}

/** The preview's frame has loaded. */
export class ClipPreviewReadyEvent extends ClipEvent {
  constructor(element: MediaElement) {
    super('clip-preview-ready', element);
  }
}

/** The preview could not be shown. */
export class ClipPreviewErrorEvent extends ClipEvent {
  readonly error: ClipError;

  constructor(element: MediaElement, error: ClipError) {
    super('clip-preview-error', element);
    this.error = error;
  }
}

declare global {
  interface HTMLElementEventMap {
    'clip-preview-activate': ClipPreviewActivateEvent;
    'clip-preview-ready': ClipPreviewReadyEvent;
    'clip-preview-error': ClipPreviewErrorEvent;
  }
}
