import type { ClipError } from '../../client/clip-error.ts';
import { ClipEvent } from '../events.ts';

/** The embed's frame has loaded. */
export class ClipEmbedReadyEvent extends ClipEvent {
  constructor() {
    super('clip-embed-ready');
  }
}

/** The embed could not be shown, or its token could not be renewed. */
export class ClipEmbedErrorEvent extends ClipEvent {
  readonly error: ClipError;

  constructor(error: ClipError) {
    super('clip-embed-error');
    this.error = error;
  }
}

/** A new token was passed to the frame. */
export class ClipTokenRenewedEvent extends ClipEvent {
  /** When the new token ends; null if not known. */
  readonly expiresAt: Date | null;

  constructor(expiresAt: Date | null) {
    super('clip-token-renewed');
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
