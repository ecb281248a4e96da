/** Puts texts into another language. */
export interface Translator {
  /**
   * The texts in the language `to` (BCP 47), as many and in the same order; `from` is null where it is not known.
   * Throws an error whose message is a sentence for the operator, without secrets, or the signal's reason.
   */
  translate(
    texts: readonly string[],
    options: {
      from: string | null;
      to: string;
      signal: AbortSignal;
      onProgress?: (share: number) => void;
    },
  ): Promise<string[]>;
  /** Codes of the languages that it translates to. Throws as `translate` does. */
  targets(signal: AbortSignal): Promise<string[]>;
}
