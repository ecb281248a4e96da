import { splitWords } from '../words/word-text.ts';
import type { Unit } from './units.ts';

/** The match of a clip with its strongest topic. */
export interface TopicMatch {
  /** The topic as it was requested. */
  topic: string;
  /** Above 0, up to 1. */
  relevance: number;
}

/** A clip with one mention in this time is as much about a topic as one can be. */
const fullSeconds = 15;
/** A clip that is less about a topic is about something else. */
const minRelevance = 0.25;
/** Words of a phrase that are shorter do not name anything, unless all of them are. */
const minWordCharacters = 4;
/** Words with a common beginning of this length, and of this share of the longer one, are kin. */
const [minStemCharacters, minStemShare] = [4, 0.6];
/** A word with an ending of this length is kin to the word without, also without its last vowel. */
const maxEndingCharacters = 5;
const lostEndings = ['', 'e', 'y'];
/** Scripts without spaces between words. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

const makeKey = (text: string): string =>
  text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
const makeKeys = (text: string): string[] => splitWords(text).map(makeKey).filter(Boolean);

/** Whether two words are forms of one, such as “invest” and “investing”, “save” and “saving”. */
function isKin(one: string, other: string): boolean {
  if (one === other) return true;
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  if (short.length < minWordCharacters) return false;
  let common = 0;
  while (common < short.length && short[common] === long[common]) common++;
  return (
    (common >= minStemCharacters && common >= minStemShare * long.length) ||
    (lostEndings.includes(short.slice(common)) && long.length - common <= maxEndingCharacters)
  );
}

/** The words that name something in a phrase. */
function listContentKeys(phrase: string): string[] {
  const keys = makeKeys(phrase);
  const content = keys.filter((key) => key.length >= minWordCharacters);
  return content.length > 0 ? content : keys;
}

/** Measures the mentions of a topic in a text, 0 to 1: fully if it has all words of the phrase. */
function createMentionMeter(topic: string): (keys: readonly string[], text: string) => number {
  if (unspaced.test(topic)) {
    const wanted = makeKey(topic);
    return (_, text) => (makeKey(text).includes(wanted) ? 1 : 0);
  }
  const wanted = listContentKeys(topic);
  if (wanted.length === 0) return () => 0;
  return (keys) => {
    const said = wanted.filter((word) => keys.some((key) => isKin(key, word))).length;
    // Half of a phrase may be half of another one.
    return (said / wanted.length) ** 2;
  };
}

/**
 * Measures by words how much clips are about topics. Words are compared by their beginnings, which
 * needs no dictionary; other words for the same thing are not found. A table of English words that
 * are close in meaning (1.1 MB, from GloVe) found 8 % more in 16 talks, a third of that wrongly.
 * @param units the parts of the source, with their texts
 * @param topics words or phrases in the language of the texts
 * @returns a function that takes the first and the last unit of a clip; null: it is about none
 */
export function createTopicMatcher(
  units: readonly Unit[],
  topics: readonly string[],
): (first: number, last: number) => TopicMatch | null {
  const texts = units.map(({ text }) => ({ text, keys: makeKeys(text) }));
  /** For each topic: the mentions before each unit. */
  const sums = topics.map((topic) => {
    const measure = createMentionMeter(topic);
    const sum = new Float64Array(units.length + 1);
    for (const [index, { text, keys }] of texts.entries()) {
      sum[index + 1] = sum[index]! + measure(keys, text);
    }
    return { topic, sum };
  });
  return (first, last) => {
    const seconds = units[last]!.end - units[first]!.start;
    let best: TopicMatch | null = null;
    for (const { topic, sum } of sums) {
      const mentions = sum[last + 1]! - sum[first]!;
      const relevance = Math.min(1, (mentions * fullSeconds) / Math.max(fullSeconds, seconds));
      const isAbout = mentions > 0.99 && relevance >= minRelevance;
      if (isAbout && relevance > (best?.relevance ?? 0)) best = { topic, relevance };
    }
    return best;
  };
}
