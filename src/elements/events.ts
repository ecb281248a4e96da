/** What an event is about, as properties of its element. */
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
