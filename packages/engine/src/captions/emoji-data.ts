import { createRequire } from 'node:module';
import { namedEmojis, type NamedEmoji } from './emoji-names.ts';
import { baseLanguage } from '../words/language-code.ts';

const load = createRequire(import.meta.url);

/** Directories of the data set that differ from the language code. */
const directories: Readonly<Record<string, string>> = { no: 'nb', nn: 'nb' };
const languages =
  'bn da de en es et fi fr hi hu it ja ko lt ms nb nl pl pt ru sv th uk vi zh'.split(' ');

const loaded = new Map<string, ReadonlyMap<string, string>>();
const none: ReadonlyMap<string, string> = new Map();

/**
 * The emoji of a language by name; without any if the data set does not have the language.
 * @param code ISO 639, also with a script or region
 */
export function emojiNames(code: string): ReadonlyMap<string, string> {
  const base = baseLanguage(code);
  const traditional = /^zh-(?:.*\b)?(?:hant|tw|hk|mo)\b/i.test(code);
  const directory = traditional ? 'zh-hant' : (directories[base] ?? base);
  const found = loaded.get(directory);
  if (found) return found;
  // File names are only made from the list above.
  if (!traditional && !languages.includes(directory)) return none;
  const list = load(`emojibase-data/${directory}/compact.json`) as NamedEmoji[];
  const names = namedEmojis(list, base);
  loaded.set(directory, names);
  return names;
}
