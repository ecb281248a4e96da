import type { ClipError } from '../client/clip-error.ts';

/** The clip of an event, as properties of its element. */
interface Subject {
  readonly project: string | null;
  readonly folder?: unknown;
}

/** Base class of the elements' events: they bubble, also out of shadow roots. */
export abstract class ClipEvent extends Event {
  /** The clip's project id, if the element has one. */
  readonly project: string | null;
  /** Id of the folder, if the element has one. */
  readonly folder: string | null;

  constructor(type: string, { project, folder }: Subject, cancelable = false) {
    super(type, { bubbles: true, composed: true, cancelable });
    this.project = project || null;
    this.folder = typeof folder === 'string' && folder ? folder : null;
  }
}

/** No user is signed in to the site. The element goes on automatically once one is. */
export class ClipSignedOutEvent extends ClipEvent {
  constructor(element: Element & { readonly project?: string | null; readonly folder?: unknown }) {
    super('clip-signed-out', { folder: element.folder, project: element.project ?? null });
  }
}

/** Whether an error is the state `signed-out`, which is not an error to the page. */
export const isSignedOut = (error: ClipError | null): boolean => error?.code === 'signed-out';

/** The slot of an error's text, and the state of an element that can do nothing else. */
export const chooseSlot = (error: ClipError): 'signed-out' | 'error' =>
  isSignedOut(error) ? 'signed-out' : 'error';

/** The event of an error, or that no user is signed in. */
export const makeErrorEvent = (host: Element, error: ClipError, event: Event): Event =>
  isSignedOut(error) ? new ClipSignedOutEvent(host) : event;

declare global {
  interface GlobalEventHandlersEventMap {
    'clip-signed-out': ClipSignedOutEvent;
  }
}
