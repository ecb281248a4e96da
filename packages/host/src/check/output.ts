/** Where the check writes. */
export interface Output {
  out(text: string): void;
  error(text: string): void;
  readonly colour: boolean;
}
