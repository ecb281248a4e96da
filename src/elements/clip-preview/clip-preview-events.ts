import type { ClipError } from '../../client/clip-error.ts';
import { ClipEvent } from '../events.ts';

/** The preview is about to load because somebody activated it. */
export class ClipPreviewActivateEvent extends ClipEvent {
  constructor() {
    super('clip-preview-activate');
  }
}

/** The preview's frame has loaded. */
export class ClipPreviewReadyEvent extends ClipEvent {
  constructor() {
    super('clip-preview-ready');
  }
}

/** The preview could not be shown. */
export class ClipPreviewErrorEvent extends ClipEvent {
  readonly error: ClipError;

  constructor(error: ClipError) {
    super('clip-preview-error');
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
