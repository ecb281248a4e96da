/** Base class of the elements' events: they bubble, also out of shadow roots. */
export abstract class ClipEvent extends Event {
  constructor(type: string, cancelable = false) {
    super(type, { bubbles: true, composed: true, cancelable });
  }
}
