/** The topics of a clip, in its own words: those that come back in it and are rare in the rest. */

import { joinWords, splitWords } from '../words/word-text.ts';
import { isEndingWithNoun, isCompound, isFirstName, findNounPhrases } from './english-clause.ts';
import { isConnecting } from './title-words.ts';
import type { Unit } from './units.ts';

/** At most this many topics are named. */
const maxTopics = 2;

/** At most this many tags are offered. */
export const maxTags = 8;

/** Longer phrases come from a sentence that was read wrongly. */
const maxTopicWords = 3;

/** A longer text is not a sentence. */
const maxReadCharacters = 2000;

/** Words in languages without a parser must be this long to name something. */
const minWordCharacters = 6;

const stripMarks = (word: string): string =>
  word.replace(/^[^\p{L}\p{N}]+|(?<=[\p{L}\p{N}])[^\p{L}\p{N}]+$/gu, '');

/** A Korean noun without what marks its case. */
const withoutParticle = (word: string): string =>
  word.replace(
    /(?<=\p{Script=Hangul}{2})(?:에서|으로|에게|은|는|이|가|을|를|의|에|로|와|과|도)$/u,
    '',
  );

/** One key for “plugin”, “plugins” and “Plugin’s”. */
const makeTopicKey = (word: string): string =>
  withoutParticle(stripMarks(word))
    .toLowerCase()
    .replace(/['’]s$/u, '')
    .replace(/(?<=\p{L}{3})s$/u, '');

const listTopicKeys = (text: string): string[] =>
  splitWords(text).map(makeTopicKey).filter(Boolean);

/** “OHC” stays as it is. */
const lowerFirst = (text: string): string =>
  text.replace(/^\p{Lu}(?!\p{Lu})/u, (letter) => letter.toLowerCase());

/** Keys that can be found in one another: each has its own two spaces. */
const asKeys = (texts: readonly string[]): string => ` ${texts.flatMap(listTopicKeys).join('  ')} `;

/**
 * The longest end of a phrase that comes back in the clip, or a name in it: one that does, or else
 * any. Null if there is none. “A normal speed” and “the speed” are about speed. “Socket Security”
 * is not about security.
 */
function findReturningPart(
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

/** Scripts without capitals that write a word with few letters. */
const compact = /^[\p{Script=Han}\p{Script=Katakana}\p{Script=Hangul}ー]+$/u;

/** Chinese words of one letter that connect others. */
const particle = /^[的了是在我你他她它们们不这那也就都和与或把被让给对从到很更最会能要有没个]$/u;

/**
 * Words that may name something, in a language without a parser here, and pairs of them. Names, and
 * in German all nouns, have a capital inside a sentence; several in a row are one. Elsewhere long
 * words, and words of scripts that write a word with few letters.
 */
function findNamingWords(text: string, language: string): { words: string[]; pairs: string[] } {
  const words: string[] = [];
  const pairs: string[] = [];
  let before: { word: string; isName: boolean; isPart: boolean } | null = null;
  splitWords(text).forEach((word, index, all) => {
    const inside = index > 0 && !/[.!?…。？！]["”’»)]*$/u.test(all[index - 1]!);
    const plain = withoutParticle(stripMarks(word));
    const isName = inside && /^\p{Lu}\p{L}{2}/u.test(plain);
    const isCompact = compact.test(plain) && !particle.test(plain);
    const isLong = [...plain].length >= minWordCharacters && !isConnecting(plain, language);
    const names = isName || isLong || (isCompact && plain.length > 1);
    const isPart = names || isCompact;
    if (isName && before?.isName) {
      const joined: string = `${before.word} ${plain}`;
      words[words.length - 1] = joined;
      before = { word: joined, isName, isPart };
    } else {
      if (names) words.push(plain);
      if (before?.isPart && isPart) pairs.push(joinWords([before.word, plain]));
      before = { word: plain, isName, isPart };
    }
    // What stands after a mark or an ending is another phrase.
    if (/[^\p{L}\p{N}’']$/u.test(word) || plain !== stripMarks(word)) before = null;
  });
  return { words, pairs };
}

/** A phrase that may name what a clip is about. */
interface Topic {
  text: string;
  keys: string[];
  worth: number;
}

/** Returns the phrases of a clip that may name what it is about; `forTags`: compounds whole. */
function findPhrases(texts: readonly string[], language: string, forTags: boolean): string[] {
  const said = asKeys(texts);
  if (language !== 'en') {
    return texts
      .map((text) => findNamingWords(text, language))
      .flatMap(({ words, pairs }) => [
        ...words,
        ...pairs.filter((pair) => said.split(asKeys([pair])).length > 2),
      ]);
  }
  const isNoun = (phrase: string) => isEndingWithNoun(phrase, texts);
  return texts
    .flatMap(findNounPhrases)
    .map((phrase) =>
      forTags && isCompound(phrase) ? phrase : findReturningPart(phrase, said, isNoun),
    )
    .filter((phrase) => phrase !== null);
}

/** Names what a clip is about. Units `first` to `last` are the clip. */
export interface TopicFinder {
  /** At most two phrases as they are said; none if nothing stands out. */
  topics: (first: number, last: number) => string[];
  /** At most eight tags: words or phrases of the clip in small letters, the best first. */
  tags: (first: number, last: number) => string[];
}

/** Makes the functions that name the topics of a source's clips. Build it once per source. */
export function createTopicFinder(
  units: readonly Pick<Unit, 'text'>[],
  language: string,
): TopicFinder {
  const spread = new Map<string, number>();
  const capital = new Set<string>();
  for (const { text } of units) {
    for (const word of splitWords(text).slice(1)) {
      if (/^\p{Lu}/u.test(stripMarks(word))) capital.add(stripMarks(word));
    }
    for (const key of new Set(listTopicKeys(text))) spread.set(key, (spread.get(key) ?? 0) + 1);
  }

  /** Everything that the clip names, the best first. */
  const ranked = (first: number, last: number, forTags = false): Topic[] => {
    const count = forTags ? Math.max(units.length, minUnits) : units.length;
    const rarity = (key: string) => Math.log(count / (spread.get(key) ?? 1));
    const texts = units.slice(first, last + 1).map(({ text }) => text.slice(0, maxReadCharacters));
    const times = new Map<string, number>();
    for (const key of texts.flatMap(listTopicKeys)) times.set(key, (times.get(key) ?? 0) + 1);
    const topics = new Map<string, Topic>();
    for (const phrase of findPhrases(texts, language, forTags)) {
      const keys = listTopicKeys(phrase);
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
    return [...topics.values()].toSorted((a, b) => b.worth - a.worth);
  };

  const addressed = language === 'en' ? findAddressed(units) : new Set<string>();
  const isTag = ({ text, keys, worth }: Topic): boolean =>
    language !== 'en' ||
    (!isFirstName(text) &&
      !keys.some((key) => addressed.has(key)) &&
      (keys.length > 1 || /\p{Lu}/u.test(text) || worth >= minPlainTagWorth));
  return {
    topics: (first, last) =>
      chooseTopics(ranked(first, last), { count: maxTopics, minWorth: minTopicWorth }),
    tags: (first, last) =>
      chooseTopics(ranked(first, last, true).filter(isTag), {
        count: maxTags,
        minWorth: minTagWorth,
      }).map((tag) => tag.toLocaleLowerCase(language || undefined)),
  };
}

/** Said twice, by words of one in a hundred sentences. */
const minTopicWorth = 7;

/** A tag is one of several, and may say less. */
const minTagWorth = 5;

/** A single plain word in English, such as “job”, must come back more often to be worth a tag. */
const minPlainTagWorth = 14;

/** From this share of its mentions on, a name set off by a comma is that of an addressee. */
const minAddressedShare = 0.15;

/** Finds the keys of people who are addressed: “Thanks, Jerod.” No clip is about them. */
function findAddressed(units: readonly Pick<Unit, 'text'>[]): Set<string> {
  const said = new Map<string, { all: number; addressed: number }>();
  for (const { text } of units) {
    const words = splitWords(text);
    for (const [at, word] of words.entries()) {
      if (!/^\p{Lu}\p{Ll}+[.,!?…]*$/u.test(word)) continue;
      const key = makeTopicKey(word);
      const count = said.get(key) ?? { all: 0, addressed: 0 };
      const isLast = at === words.length - 1;
      const isCalled =
        (isLast && at > 0 && words[at - 1]!.endsWith(',')) || (at === 0 && word.endsWith(','));
      said.set(key, { all: count.all + 1, addressed: count.addressed + (isCalled ? 1 : 0) });
    }
  }
  return new Set(
    [...said]
      .filter(([, { all, addressed }]) => addressed >= 2 && addressed >= minAddressedShare * all)
      .map(([key]) => key),
  );
}

/** A source that says little else does not make the words of a clip common. */
const minUnits = 200;

/** The best of ranked topics that share no word. */
function chooseTopics(
  ranked: readonly Topic[],
  { count, minWorth }: { count: number; minWorth: number },
): string[] {
  const chosen: Topic[] = [];
  for (const topic of ranked) {
    if (chosen.length === count) break;
    const other = chosen.some(({ keys }) => keys.some((key) => topic.keys.includes(key)));
    if (!other && topic.worth >= minWorth) chosen.push(topic);
  }
  return chosen.map((topic) => topic.text);
}
