/** Translates texts. */
export interface Translator {
  /**
   * Translates to the language `to` (BCP 47). Returns one text per input, in the same order. `from`
   * is null if it is not known.
   * Throws an error with a message for the operator, without secrets, or the signal's reason.
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
  /** Codes of the languages that it can translate to. Throws the same errors as `translate`. */
  targets(signal: AbortSignal): Promise<string[]>;
}
