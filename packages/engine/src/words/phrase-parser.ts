/** What BudouX has a model for. */
export type PhraseModel = 'ja' | 'th' | 'zh-hans' | 'zh-hant';

export interface PhraseParser {
  /** Positions in the text at which phrases begin, without 0. */
  parseBoundaries(text: string): number[];
}
