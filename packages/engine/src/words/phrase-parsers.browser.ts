import {
  loadDefaultJapaneseParser,
  loadDefaultSimplifiedChineseParser,
  loadDefaultThaiParser,
  loadDefaultTraditionalChineseParser,
} from 'budoux';

const load = {
  ja: loadDefaultJapaneseParser,
  th: loadDefaultThaiParser,
  'zh-hans': loadDefaultSimplifiedChineseParser,
  'zh-hant': loadDefaultTraditionalChineseParser,
};

const parsers = new Map<PhraseModel, PhraseParser>();

/** The same as `phrase-parsers.ts`, for browsers: they have the DOM that BudouX's entry needs. */
export function getParser(model: PhraseModel): PhraseParser {
  const parser = parsers.get(model) ?? load[model]();
  parsers.set(model, parser);
  return parser;
}

/** Languages and scripts of BudouX's models. */
export type PhraseModel = 'ja' | 'th' | 'zh-hans' | 'zh-hant';

export interface PhraseParser {
  /** Positions in the text at which phrases begin, without 0. */
  parseBoundaries(text: string): number[];
}
