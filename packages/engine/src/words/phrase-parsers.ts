import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { PhraseModel, PhraseParser } from './phrase-parsers.browser.ts';

interface Budoux {
  Parser: new (model: object) => PhraseParser;
  model: object;
}

const require = createRequire(import.meta.url);

/** The parts of BudouX that are needed. Its entry would load a DOM. */
const loadBudoux = (file: string) =>
  require(join(dirname(require.resolve('budoux')), file)) as Budoux;

const parsers = new Map<PhraseModel, PhraseParser>();

export function getParser(model: PhraseModel): PhraseParser {
  const known = parsers.get(model);
  if (known) return known;
  const { Parser } = loadBudoux('parser.js');
  const parser = new Parser(loadBudoux(`data/models/${model}.js`).model);
  parsers.set(model, parser);
  return parser;
}
