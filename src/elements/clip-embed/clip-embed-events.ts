import type { ClipError } from '../../client/clip-error.ts';
import { ClipEvent } from '../events.ts';
import type { MediaElement } from '../media/media-element.ts';

/** The embed's frame has loaded. */
export class ClipEmbedReadyEvent extends ClipEvent {
  constructor(element: MediaElement) {
    super('clip-embed-ready', element);
  }
}

/** The embed could not be shown, or its token could not be renewed. */
export class ClipEmbedErrorEvent extends ClipEvent {
  readonly error: ClipError;

  constructor(element: MediaElement, error: ClipError) {
    super('clip-embed-error', element);
    this.error = error;
  }
}

/** A new token was passed to the frame. */
export class ClipTokenRenewedEvent extends ClipEvent {
  /** When the new token ends; null if not known. */
  readonly expiresAt: Date | null;

  constructor(element: MediaElement, expiresAt: Date | null) {
    super('clip-token-renewed', element);
    this.expiresAt = expiresAt;
  }
}

declare global {
  interface HTMLElementEventMap {
    'clip-embed-ready': ClipEmbedReadyEvent;
    'clip-embed-error': ClipEmbedErrorEvent;
    'clip-token-renewed': ClipTokenRenewedEvent;
  }
}
