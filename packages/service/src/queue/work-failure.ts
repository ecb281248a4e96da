/** Work that cannot succeed by being repeated; `message` is a sentence for a person. */
export class WorkFailure extends Error {
  override name = 'WorkFailure';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}
