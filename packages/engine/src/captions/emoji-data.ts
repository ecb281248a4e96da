import { createRequire } from 'node:module';
import { getBaseLanguage } from '../words/language-code.ts';

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
export function loadEmojiNames(code: string): ReadonlyMap<string, string> {
  const base = getBaseLanguage(code);
  const traditional = /^zh-(?:.*\b)?(?:hant|tw|hk|mo)\b/i.test(code);
  const directory = traditional ? 'zh-hant' : (directories[base] ?? base);
  const found = loaded.get(directory);
  if (found) return found;
  // File names are only made from the list above.
  if (!traditional && !languages.includes(directory)) return none;
  const list = load(`emojibase-data/${directory}/compact.json`) as NamedEmoji[];
  const names = indexEmojis(list, base);
  loaded.set(directory, names);
  return names;
}

/** An emoji in the data set: its name in a language, the number of its group, and the emoji. */
export interface NamedEmoji {
  label: string;
  group?: number | undefined;
  unicode: string;
}

/**
 * Groups of emoji that stand for one thing: animals and plants, food, travel and places,
 * activities, objects. Not faces, people, signs and flags.
 */
const concrete: ReadonlySet<number> = new Set([3, 4, 5, 6, 7]);

/** Emoji whose name has another meaning in some language, or that is unwanted beside a face. */
const unfit = new Set(
  (
    '🦥 🦡 🐀 🐏 🦨 🪳 🪶 🪸 🌿 🌼 🏵 🍑 🍆 🔫 🚬 ⚰ 🪦 ⚱ 💣 🗡 🩸 🧿 🪬 🕋 🗿 🏩 🏗 🚧 🛑 🪧 🔗 🥅 🎯 💺 🛞 🪢 🪝 ⛓ 🧵 🧶 🪵 🧱 🪨 🏷 ' +
    '🔖 📑 📄 📃 📜 📁 📂 🗂 📏 📐 📌 📍 📎 🖇 📇 📒 📓 🎬 ⚙ 🗜 ⚖ 🪜 ✨ 🌀 💧 🌊 🐚 🐛 ♠ ♥ ♦ ♣ ♟ 🃏 🀄 🎩 🎼 🎵 🎶 🎚 🎛 🖱 🖲 💽 📤 📥 🔒 🔓 🔑 ⛏ ' +
    '💈 🌁 🔇 🔈 🔉 🔊 🧴 🥃 🫙 🥛 ☁ ⏲ 🔲 🩲 👙 🩱 🚨 🏪 🚉 🚏 🪠 🚽 🍢 🧉 🫔 🍶 📟 🛟 🥿 🎀 🪪 🪣 🪡 🧷 📿 🎳 🛢 🌬 🌫 🫧 🔌 🎏'
  ).split(' '),
);

/** Names that much more often mean something else, by language. */
const ambiguous: Readonly<Record<string, ReadonlySet<string>>> = Object.fromEntries(
  Object.entries({
    en: 'bat seal turkey fly bug cricket watch ring ship train bear rose bell duck mouse chair window door coat glasses desert purse beans pie ice mirror stadium camping bus crown star chicken shower bed package landslide wing shield memo salt anchor',
    de: 'krebs grille kapsel creme bus tor beleg urne slip paprika rosette skyline flieder spritze auto bank kleid schloss zug hahn football leiter',
    fr: 'avocat baguettes batterie rose montre tasse pile réveil pendule souris tarte casque micro carnet robe fil short castor pêche ours ampoule porte règle pièce glace château ail lard serpent punaise ascenseur marmite tong crosse basket étoile vélo élan lit stade chope scie trinquer granité',
    es: 'llama sobre dado rosa mono pasta cometa cubo vela bolos cerdo rata banco pastel flan zorro perro mate diana piña pico pez sal obras sol luna entradas busca regla clip fuente burro desprendimiento ala oca coco pera ajo vaina pala casas cesta',
    pt: 'cobra presente rosa dado manga banco pena mala bala barata vela pilha lula link porta cachorro peru pipa tacha van polvo corrente copo grilo galinha burro meias sapo sal roda sol macaco veado mala patas fonte chamas deslizamento cruzeiro asa pera vagem barraca bonde comprimido casas',
    it: 'dado rosa riso vela banco sale ancora letto sole case ala alba stella america coppa pera verme tenda borsa busta nastro camice topo frana porta cestino pesca decollo atterraggio brindisi',
    nl: 'bank kater bij vlieg bad deken noot bus das bel ring step motor knol schop munt boeken pet vla pen slak lift kamperen koken',
    ru: 'лук час чек диск замок кит мишень вилка кресло душ ключ',
    da: 'bord bar bil is',
    sv: 'bi bil is val sol',
    pl: 'bar lis zamek',
  }).map(([language, words]) => [language, new Set(words.split(' '))]),
);

/** Shorter names are too often other words. Scripts without an alphabet need fewer letters. */
const isLongEnough = (name: string): boolean =>
  [...name].length >= (/^[\p{sc=Han}\p{sc=Hangul}\p{sc=Hira}\p{sc=Kana}]+$/u.test(name) ? 2 : 3);

const stripVariant = (emoji: string): string => emoji.replaceAll('\ufe0f', '');

/**
 * The emoji of a language by name: names of one word that no other emoji has. German names keep
 * their capital, because only nouns have one; other names are in small letters.
 */
export function indexEmojis(
  list: readonly NamedEmoji[],
  language: string,
): ReadonlyMap<string, string> {
  const names = new Map<string, string | null>();
  for (const { label, group, unicode } of list) {
    if (group === undefined || !concrete.has(group) || unfit.has(stripVariant(unicode))) continue;
    // Pictures in the font are found by a single code point.
    if ([...stripVariant(unicode)].length !== 1 || !/^\p{L}[\p{L}\p{M}]*$/u.test(label)) continue;
    if (language === 'de' && !/^\p{Lu}/u.test(label)) continue;
    const name = language === 'de' ? label : label.toLocaleLowerCase(language);
    if (!isLongEnough(name) || ambiguous[language]?.has(name.toLowerCase())) continue;
    names.set(name, names.has(name) ? null : unicode);
  }
  return new Map([...names].filter((entry): entry is [string, string] => entry[1] !== null));
}
