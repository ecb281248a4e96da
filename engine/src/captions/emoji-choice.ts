import { createRequire } from 'node:module';
import { namedEmojis, type NamedEmoji } from './emoji-names.ts';
import { curatedEmoji } from './emoji-words.ts';
import { baseLanguage } from '../words/language-code.ts';

const load = createRequire(import.meta.url);

/** Directories of the data set, where they are not simply the language's code. */
const directories: Readonly<Record<string, string>> = { no: 'nb', nn: 'nb' };
const languages =
  'bn da de en es et fi fr hi hu it ja ko lt ms nb nl pl pt ru sv th uk vi zh'.split(' ');

const loaded = new Map<string, ReadonlyMap<string, string>>();

function named(code: string): ReadonlyMap<string, string> {
  const base = baseLanguage(code);
  const traditional = /^zh-(?:.*\b)?(?:hant|tw|hk|mo)\b/i.test(code);
  const directory = traditional ? 'zh-hant' : (directories[base] ?? base);
  const found = loaded.get(directory);
  if (found) return found;
  // Names of files are made of the list above alone.
  const known = traditional || languages.includes(directory);
  const data = known ? (load(`emojibase-data/${directory}/compact.json`) as NamedEmoji[]) : [];
  const names = namedEmojis(data, base);
  loaded.set(directory, names);
  return names;
}

/** What a word may end in beside its name: plurals, as far as plain rules find them. */
const endings: Readonly<Record<string, readonly RegExp[]>> = {
  en: [/s$/, /es$/, /ing$/],
  de: [/n$/, /e$/, /en$/, /s$/],
  fr: [/s$/, /x$/],
  es: [/s$/, /es$/],
  pt: [/s$/, /es$/],
};

/** Longest word that is looked up, in letters. */
const longestWord = 200;

/**
 * The emoji of a word as it stands in a caption, from the curated list of its language, else from the names of emoji in
 * it; null where it has none.
 */
export function emojiOf(word: string, language: string): string | null {
  if (word.length > longestWord) return null;
  const base = baseLanguage(language);
  const told = word.normalize('NFC').replace(/^[^\p{L}]+|[^\p{L}\p{M}]+$/gu, '');
  if (!told) return null;
  const small = told.toLocaleLowerCase(base);
  // Nouns of German have a capital, and what has none is no noun; elsewhere a letter's size says nothing here.
  const forms = base === 'de' ? [told] : [small];
  // A capital all through is a name (`WHO`, `US`).
  if (told.length < 5 && told === told.toUpperCase() && told !== small) return null;
  const names = named(language);
  const stems = [...forms, ...forms.flatMap((form) => stemsOf(form, base))];
  for (const stem of stems) {
    const emoji = curatedEmoji(stem, base);
    if (emoji) return emoji;
  }
  for (const stem of stems) {
    const emoji = names.get(stem);
    if (emoji) return emoji;
  }
  return null;
}

const stemsOf = (form: string, language: string): string[] =>
  (endings[language] ?? []).flatMap((ending) => {
    const stem = form.replace(ending, '');
    return stem !== form && stem.length >= 3 ? [stem] : [];
  });
