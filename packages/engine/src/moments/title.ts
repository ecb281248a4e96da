import { titleSeconds } from '../edit.ts';
import { isMostlyEnglish, isTagQuestion } from '../words/english-words.ts';
import { getBaseLanguage } from '../words/language-code.ts';
import { readWholeClause } from './english-clause.ts';
import { getExplanationTexts } from './explanation-texts.ts';
import { needsNextWord, withoutLead } from './title-words.ts';
import {
  clearStart,
  isTrailingOff,
  isWholeAtEnd,
  needsWordsBefore,
  rateHook,
} from './word-features.ts';
import { joinWords, splitWords, measureTextWidth } from '../words/word-text.ts';

/** Maximum width of a title in letters of usual width, including the dots of a shortened one. */
export const maxTitleWidth = 56;

/** A spoken sentence and its source seconds. */
export interface Said {
  text: string;
  start: number;
  end: number;
  /** The probability that a sentence ends with it, 0 to 1, if the text has no stops. */
  endLikelihood?: number;
}

/** The maximum number of characters that are read: a longer text is not a sentence. */
const maxReadCharacters = 2000;

export const joinLines = (text: string): string =>
  text.slice(0, maxReadCharacters).toWellFormed().replace(/\s+/gu, ' ').trim();

const isFitting = (text: string): boolean => measureTextWidth(text) <= maxTitleWidth;

export const capitalize = (text: string, language: string): string =>
  text.replace(/^[^\p{L}\p{N}]*\p{L}/u, (start) => start.toLocaleUpperCase(language || undefined));

/** Lower case for text in capitals only, as in some subtitles. */
export function lowerShouted(text: string, language: string): string {
  const shouted = () => text.split(/\s+/u).filter((word) => /\p{Lu}{2}/u.test(word)).length > 1;
  const loud = text === text.toLocaleUpperCase() && shouted();
  return loud ? text.toLocaleLowerCase(language || undefined) : text;
}

/** Removes quotation marks and brackets that are not in pairs. */
export function removeUnpairedMarks(text: string): string {
  const count = (mark: string) => text.split(mark).length - 1;
  const odd = count('"') % 2 > 0;
  const open = count('“') !== count('”') || count('(') !== count(')') || count('«') !== count('»');
  return odd || open ? text.replace(/["“”„()«»]/g, '') : text;
}

/** Returns as many letters as fit with dots after them, but at least one. */
function shortenLetters(text: string): string {
  const kept: string[] = [];
  let width = measureTextWidth('…');
  for (const letter of text) {
    width += measureTextWidth(letter);
    if (kept.length > 0 && width > maxTitleWidth) break;
    kept.push(letter);
  }
  return kept.join('');
}

/**
 * Returns as many words as fit, with dots if something is missing. A word is only cut if not even
 * one fits.
 */
function shortenTitle(text: string, language: string): string {
  if (isFitting(text)) return text;
  const words = splitWords(text);
  let count = 0;
  while (count < words.length && isFitting(`${joinWords(words.slice(0, count + 1))}…`)) count += 1;
  if (count === 0) return `${shortenLetters(text)}…`;
  // A complete clause reads better than a full line.
  for (let end = count; end > 2; end -= 1) {
    const clause = joinWords(words.slice(0, end));
    if (!/[,;:—、，]["”’)]*$/u.test(clause) || measureTextWidth(clause) < 18) continue;
    return `${clause.replace(/(?<![,;:—、，])[,;:—、，]+(["”’)]*)$/u, '$1')}…`;
  }
  while (count > 2 && needsNextWord(words[count - 1]!, language)) count -= 1;
  return `${joinWords(words.slice(0, count)).replace(/(?<![,;:—、，])[,;:—、，]+$/u, '')}…`;
}

/**
 * Makes a title of a text: short enough, without a full stop, quotation marks in pairs. Empty if
 * nothing is left.
 */
export const fitTitle = (text: string, language = ''): string =>
  removeUnpairedMarks(shortenTitle(joinLines(text), language))
    .trim()
    .replace(/(?<![.,;:。،])[.,;:。،]+$/u, '');

/** A title of a clip's sentence, without fillers at its start. */
function asTitle(text: string, language: string): string {
  const plain = lowerShouted(joinLines(text), language);
  const free = withoutLead(plain, language);
  return capitalize(fitTitle(splitWords(free).length >= 2 ? free : plain, language), language);
}

interface Choice {
  title: string;
  worth: number;
}

/** At most this many titles are offered for a clip. */
const maxTitles = 3;

const collectWords = (text: string): Set<string> =>
  new Set(splitWords(text.toLowerCase().replace(/[^\p{L}\p{M}\p{N}\s]+/gu, '')));

/** Whether most of the words of the shorter title are in the other one. */
function isAlike(one: string, other: string): boolean {
  const [short, long] = [collectWords(one), collectWords(other)].toSorted(
    (a, b) => a.size - b.size,
  );
  return [...short!].filter((word) => long!.has(word)).length * 2 > short!.size;
}

/** The first few of the titles that differ by more than a word or two. */
export const keepDistinct = (titles: readonly string[]): string[] =>
  titles
    .reduce<string[]>(
      (kept, title) => (kept.some((other) => isAlike(title, other)) ? kept : [...kept, title]),
      [],
    )
    .slice(0, maxTitles);

/** The titles of choices, best first. */
const rankChoices = (choices: readonly Choice[]): string[] =>
  keepDistinct(choices.toSorted((a, b) => b.worth - a.worth).map(({ title }) => title));

/** A clause off the topic must have this much of a hook. */
const minHook = 0.6;

/** The best whole sentences that fit and that a stranger understands. */
function findClauseTitles(
  sentences: readonly Said[],
  start: number,
  topics: readonly string[],
): string[] {
  // In text without stops, three of five clauses that seem whole are not.
  if (sentences.some(({ endLikelihood }) => endLikelihood !== undefined)) return [];
  const choices: Choice[] = [];
  const about = topics.map((topic) => topic.toLowerCase());
  sentences.slice(0, 24).forEach((sentence, index) => {
    const plain = withoutLead(lowerShouted(joinLines(sentence.text), 'en'), 'en');
    // Of the beginnings and ends of sentences that seem whole, half are not.
    if (!isFitting(plain) || !isWholeAtEnd(plain)) return;
    const clause = readWholeClause(plain);
    if (!clause?.clear) return;
    const { names } = clause;
    const said = plain.toLowerCase();
    const onTopic = about.some((topic) => said.includes(topic));
    const hook = rateHook(plain, 'en');
    // Any sentence may name something. A title names what the clip is about, or is strong.
    if (about.length > 0 && !onTopic && hook < minHook) return;
    const onCaption = sentence.start < start + titleSeconds ? 0.15 : 0;
    const length = Math.min(1, splitWords(plain).length / 6);
    const worth =
      hook + (onTopic ? 0.4 : 0) + 0.2 * (Math.min(2, names) + length) - onCaption - index * 0.02;
    choices.push({ title: capitalize(fitTitle(plain, 'en'), 'en'), worth });
  });
  return rankChoices(choices);
}

/**
 * Makes titles from a clip's own words, best first, at most three. In English: the sentences with
 * the strongest hooks that a stranger understands. Otherwise: the sentences with the strongest
 * hooks, shortened if they must be. Earlier sentences are preferred, but not one that the captions
 * show at the same time as the title.
 * @param options.start start of the clip in source seconds
 * @param options.topics what the clip is about, as `createTopicFinder` names it
 * @returns none if there are no words, or none that would make a good title
 */
export function makeTitles(
  sentences: readonly Said[],
  {
    language,
    start,
    topics = [],
  }: { language: string | null; start: number; topics?: readonly string[] | undefined },
): string[] {
  const words = sentences.flatMap(({ text }) => splitWords(text));
  const english = language
    ? getBaseLanguage(language) === 'en'
    : isMostlyEnglish(words.map((text) => ({ text })));
  if (english) return findClauseTitles(sentences, start, topics);
  const base = getBaseLanguage(language ?? '');
  const choices: Choice[] = [];
  sentences.slice(0, 8).forEach((sentence, index) => {
    const title = asTitle(sentence.text, base);
    if (!title) return;
    const count = splitWords(title).length;
    const whole = title.endsWith('…') ? 0 : 0.5;
    const bare = count < 4 && measureTextWidth(title) < 16 ? 0.6 : 0;
    const onCaption = sentence.start < start + titleSeconds ? 0.3 : 0;
    const worth = rateHook(sentence.text, base) + whole - bare - onCaption - index * 0.08;
    choices.push({ title, worth });
  });
  return rankChoices(choices);
}

/** The best of `makeTitles`; null if there is none. */
export const makeTitle = (...of: Parameters<typeof makeTitles>): string | null =>
  makeTitles(...of)[0] ?? null;

/** In text without stops, a line is taken for whole from this likelihood of its end on. */
const minWholeLikelihood = 0.8;

/** A line of fewer words does not tell a clip from others. */
const minNameWords = 5;
/** The width of such a line in scripts without spaces, in letters of usual width. */
const minNameWidth = 20;

/** “Johan, …”, “…, Dave”: said to someone in the room. */
const calls = /^\p{Lu}\p{Ll}+, |, \p{Lu}\p{Ll}+[.?!]*$/u;

const canName = (line: string): boolean =>
  splitWords(line).length >= minNameWords ||
  (!/\s/u.test(line) && measureTextWidth(line) >= minNameWidth);

/**
 * Names a clip without a title: by its best line, in quotation marks. A whole sentence is better
 * than a part of one, which gets dots.
 * @param sentences what is said in the clip
 * @param options.language BCP 47, or null if it is not known
 * @param options.topics what the clip is about, as `createTopicFinder` names it
 * @returns null if nothing is said
 */
export function quoteBestLine(
  sentences: readonly Pick<Said, 'text' | 'endLikelihood'>[],
  { language, topics = [] }: { language: string | null; topics?: readonly string[] },
): string | null {
  const base = getBaseLanguage(language ?? '');
  const about = topics.map((topic) => topic.toLowerCase());
  const choices = sentences.flatMap(({ text, endLikelihood = 1 }, index) => {
    const said = lowerShouted(joinLines(text), base).replace(/["“”„«»]|^(?:\.{2,}|…)\s*/gu, '');
    if (!canName(said)) return [];
    const bare = withoutLead(said, base);
    const line = canName(bare) ? bare : said;
    const title = capitalize(fitTitle(line, base), base);
    const isCut = title.endsWith('…') || endLikelihood < minWholeLikelihood;
    const worth =
      rateHook(line, base) +
      (isCut ? 0 : 0.5) +
      (about.some((topic) => line.toLowerCase().includes(topic)) ? 0.5 : 0) +
      (base === 'en' && readWholeClause(line)?.clear ? 0.5 : 0) -
      (needsWordsBefore(line, base) ? 0.7 : 0) -
      (1 - clearStart(line, base)) -
      (isTrailingOff(line) ? 0.3 : 0) -
      (base === 'en' && (isTagQuestion(line) || calls.test(line)) ? 0.5 : 0) -
      index * 0.02;
    return { title: isCut && !title.endsWith('…') ? `${title}…` : title, worth };
  });
  const [best] = choices.toSorted((a, b) => b.worth - a.worth);
  const first = () => joinLines(joinWords(sentences.slice(0, 3).map(({ text }) => text)));
  const name = best?.title ?? capitalize(fitTitle(lowerShouted(first(), base), base), base);
  const [{ quote }] = getExplanationTexts(base);
  return name ? quote.replace('{text}', () => name) : null;
}
