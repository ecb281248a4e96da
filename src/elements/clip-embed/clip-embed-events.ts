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

/** A person has changed the clip in the editor of the frame. */
export class ClipEditEvent extends ClipEvent {
  /** The revision of the clip's edit: it goes up by one with each change that is saved. */
  readonly revision: number;
  /** False while a change is not saved yet. */
  readonly saved: boolean;

  constructor(element: MediaElement, revision: number, saved: boolean) {
    super('clip-edit', element);
    this.revision = revision;
    this.saved = saved;
  }
}

/** A change could not be saved; `error.message` has the words of the page in the frame. */
export class ClipEditErrorEvent extends ClipEvent {
  readonly error: ClipError;

  constructor(element: MediaElement, error: ClipError) {
    super('clip-edit-error', element);
    this.error = error;
  }
}

declare global {
  interface WindowEventMap {
    'clip-edit': ClipEditEvent;
  }
  interface HTMLElementEventMap {
    'clip-edit': ClipEditEvent;
    'clip-edit-error': ClipEditErrorEvent;
    'clip-embed-ready': ClipEmbedReadyEvent;
    'clip-embed-error': ClipEmbedErrorEvent;
    'clip-token-renewed': ClipTokenRenewedEvent;
  }
}
