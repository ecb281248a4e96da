/** What a clip is about, in its own words: what comes back in it and is rare in the rest. */

import { splitWords } from '../words/word-text.ts';
import { nounPhrases, endsWithNoun } from './english-clause.ts';
import type { Unit } from './units.ts';

/** At most this many topics are named. */
const maxTopics = 2;

/** Longer phrases come from a sentence that was read wrongly. */
const maxTopicWords = 3;

/** A longer text is not a sentence. */
const maxReadCharacters = 2000;

/** Words in languages without a parser must be this long to name something. */
const minWordCharacters = 6;

const bare = (word: string): string => word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');

/** One key for “plugin”, “plugins” and “Plugin’s”. */
const keyOf = (word: string): string =>
  bare(word)
    .toLowerCase()
    .replace(/['’]s$/u, '')
    .replace(/(?<=\p{L}{3})s$/u, '');

const keysOf = (text: string): string[] => splitWords(text).map(keyOf).filter(Boolean);

/** “OHC” stays as it is. */
const lowerFirst = (text: string): string =>
  text.replace(/^\p{Lu}(?!\p{Lu})/u, (letter) => letter.toLowerCase());

/** Keys that can be found in one another: each has its own two spaces. */
const asKeys = (texts: readonly string[]): string => ` ${texts.flatMap(keysOf).join('  ')} `;

/**
 * The longest end of a phrase that comes back in the clip, or a name in it: one that does, or else
 * any. Null if there is none. “A normal speed” and “the speed” are about speed. “Socket Security”
 * is not about security.
 */
function returning(
  phrase: string,
  said: string,
  isNoun: (phrase: string) => boolean,
): string | null {
  const words = splitWords(phrase);
  const ends = words
    .map((_, from) => words.slice(from).join(' '))
    .filter(
      (end, from) => from === 0 || !/^\p{Lu}/u.test(words[from - 1]!) || /^\P{Lu}/u.test(end),
    );
  const comesBack = (part: string) => said.split(asKeys([part])).length > 2;
  const names = phrase.match(/\p{Lu}\S*(?: \p{Lu}\S*)*/gu) ?? [];
  const topic = [...ends, ...names].find(comesBack) ?? names[0];
  return topic !== undefined && isNoun(topic) ? topic : null;
}

/**
 * Words that may name something, in a language without a parser here: names, and in German all
 * nouns, have a capital inside a sentence; elsewhere long words.
 */
function namingWords(text: string): string[] {
  return splitWords(text)
    .map((word, index, all) => {
      const inside = index > 0 && !/[.!?…。？！]["”’»)]*$/u.test(all[index - 1]!);
      const plain = bare(word);
      const capital = inside && /^\p{Lu}\p{L}{2}/u.test(plain);
      return capital || [...plain].length >= minWordCharacters ? plain : '';
    })
    .filter(Boolean);
}

/** Said twice, by words of one in a hundred sentences. */
const minWorth = 7;

interface Topic {
  text: string;
  keys: string[];
  worth: number;
}

/**
 * Makes a function that names the topics of the clip from unit `first` to unit `last`: none if
 * nothing in it stands out.
 */
export function topicFinder(
  units: readonly Unit[],
  language: string,
): (first: number, last: number) => string[] {
  const spread = new Map<string, number>();
  const capital = new Set<string>();
  for (const { text } of units) {
    for (const word of splitWords(text).slice(1)) {
      if (/^\p{Lu}/u.test(bare(word))) capital.add(bare(word));
    }
    for (const key of new Set(keysOf(text))) spread.set(key, (spread.get(key) ?? 0) + 1);
  }
  const rarity = (key: string) => Math.log(units.length / (spread.get(key) ?? 1));

  return (first, last) => {
    const texts = units.slice(first, last + 1).map(({ text }) => text.slice(0, maxReadCharacters));
    const times = new Map<string, number>();
    for (const key of texts.flatMap(keysOf)) times.set(key, (times.get(key) ?? 0) + 1);
    const said = asKeys(texts);
    const isNoun = (phrase: string) => endsWithNoun(phrase, texts);
    const phrases =
      language === 'en'
        ? texts
            .flatMap(nounPhrases)
            .map((phrase) => returning(phrase, said, isNoun))
            .filter((phrase) => phrase !== null)
        : texts.flatMap(namingWords);
    const topics = new Map<string, Topic>();
    for (const phrase of phrases) {
      const keys = keysOf(phrase);
      if (keys.length === 0 || keys.length > maxTopicWords) continue;
      // The start of a sentence gives a capital to any word, and German to all nouns.
      const common = language === 'de' || !capital.has(splitWords(phrase)[0]!);
      const isName = /\p{Lu}/u.test(common ? phrase.slice(1) : phrase);
      const back = Math.max(...keys.map((key) => times.get(key) ?? 0));
      // Once said, a plain word says nothing of what a clip is about.
      if (back < 2 && !isName && keys.length < 2) continue;
      const worth =
        Math.min(back, 4) *
        Math.max(...keys.map(rarity)) *
        (isName ? 1.5 : 1) *
        (keys.length > 1 ? 1.3 : 1);
      const known = topics.get(keys.join(' '));
      if (known && known.worth >= worth) continue;
      const name = common && language !== 'de' ? lowerFirst(phrase) : phrase;
      topics.set(keys.join(' '), { text: name, keys, worth });
    }
    const chosen: Topic[] = [];
    for (const topic of [...topics.values()].toSorted((a, b) => b.worth - a.worth)) {
      if (chosen.length === maxTopics) break;
      const other = chosen.some(({ keys }) => keys.some((key) => topic.keys.includes(key)));
      if (!other && topic.worth >= minWorth) chosen.push(topic);
    }
    return chosen.map((topic) => topic.text);
  };
}
