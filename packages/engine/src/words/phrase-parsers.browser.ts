import {
  loadDefaultJapaneseParser,
  loadDefaultSimplifiedChineseParser,
  loadDefaultThaiParser,
  loadDefaultTraditionalChineseParser,
} from 'budoux';
import type { PhraseModel, PhraseParser } from './phrase-parser.ts';

const load = {
  ja: loadDefaultJapaneseParser,
  th: loadDefaultThaiParser,
  'zh-hans': loadDefaultSimplifiedChineseParser,
  'zh-hant': loadDefaultTraditionalChineseParser,
};

const parsers = new Map<PhraseModel, PhraseParser>();

/** As `phrase-parsers.ts`, for browsers: they have the DOM that BudouX's entry needs. */
export function parserOf(model: PhraseModel): PhraseParser {
  const parser = parsers.get(model) ?? load[model]();
  parsers.set(model, parser);
  return parser;
}
