/** Base of the elements' events: bubbling, and seen outside shadow roots. */
export abstract class ClipEvent extends Event {
  constructor(type: string, cancelable = false) {
    super(type, { bubbles: true, composed: true, cancelable });
  }
}
