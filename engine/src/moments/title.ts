import { looksEnglish } from '../words/english-words.ts';
import { baseLanguage } from '../words/language-code.ts';
import { leansOnNext, withoutLead } from './title-words.ts';
import { hookStrength } from './word-features.ts';
import { joinWords, splitWords, textWidth } from '../words/word-text.ts';

/** Longest title in letters of usual width, the dots of a cut one among them. */
export const longestTitle = 56;

/** Seconds for which the hook title is shown. */
export const titleSeconds = 3;

/** A spoken sentence with its time in the source. */
interface Said {
  text: string;
  start: number;
  end: number;
}

/** Most letters of a text that are read for a title: what is longer is no sentence. */
const longestRead = 2000;

const inOneLine = (text: string): string =>
  text.slice(0, longestRead).toWellFormed().replace(/\s+/gu, ' ').trim();

const fits = (text: string): boolean => textWidth(text) <= longestTitle;

const capitalised = (text: string, language: string): string =>
  text.replace(/^\P{L}*\p{L}/u, (start) => start.toLocaleUpperCase(language || undefined));

/** Sentence case for what is in capitals throughout, as some subtitles are. */
const calmed = (text: string, language: string): string => {
  const shouted = () => text.split(/\s+/u).filter((word) => /\p{Lu}{2}/u.test(word)).length > 1;
  const loud = text === text.toLocaleUpperCase() && shouted();
  return loud ? text.toLocaleLowerCase(language || undefined) : text;
};

/** Marks of quotation stay only where each has its other one. */
const balanced = (text: string): string => {
  const count = (mark: string) => text.split(mark).length - 1;
  const odd = count('"') % 2 > 0;
  const open = count('“') !== count('”') || count('(') !== count(')') || count('«') !== count('»');
  return odd || open ? text.replace(/["“”„()«»]/g, '') : text;
};

/** Clauses that are no whole thought without the next one. */
const waiting =
  /^(?:when|if|because|although|though|while|as|since|before|after|once|unless|until)\b/i;

/** As many letters of a text as fit with dots behind them, one at the least. */
function fittingLetters(text: string): string {
  const kept: string[] = [];
  let width = textWidth('…');
  for (const letter of text) {
    width += textWidth(letter);
    if (kept.length > 0 && width > longestTitle) break;
    kept.push(letter);
  }
  return kept.join('');
}

/** As many words of a text as fit, with dots where something is missing; never a part of a word where there are several. */
function shortened(text: string, language: string): string {
  if (fits(text)) return text;
  const words = splitWords(text);
  let count = 0;
  while (count < words.length && fits(`${joinWords(words.slice(0, count + 1))}…`)) count += 1;
  if (count === 0) return `${fittingLetters(text)}…`;
  // A clause that is whole reads better than a line that is full.
  for (let end = count; end > 2; end -= 1) {
    const clause = joinWords(words.slice(0, end));
    if (!/[,;:—、，]["”’)]*$/u.test(clause) || textWidth(clause) < 18) continue;
    const open = /[?？؟]\s*$/u.test(text) || waiting.test(text);
    return clause.replace(/[,;:—、，]+(["”’)]*)$/u, '$1') + (open ? '…' : '');
  }
  while (count > 2 && leansOnNext(words[count - 1]!, language)) count -= 1;
  return `${joinWords(words.slice(0, count)).replace(/[,;:—、，]+$/u, '')}…`;
}

/** A text as a title: at most one title long, no full stop, marks of quotation in pairs. Empty where nothing is left. */
export const fitTitle = (text: string, language = ''): string =>
  balanced(shortened(inOneLine(text), language))
    .trim()
    .replace(/[.,;:。،]+$/u, '');

/** A sentence of a clip as its title. */
function asTitle(text: string, language: string): string {
  const told = calmed(inOneLine(text), language);
  const free = withoutLead(told, language);
  return capitalised(fitTitle(splitWords(free).length >= 2 ? free : told, language), language);
}

/**
 * A title of a clip's own words: the sentence that hooks most, earlier ones first, and rather not the one that the captions show
 * while the title stands. `start` is when the clip begins. Null where there are no words.
 */
export function titleOf(
  sentences: readonly Said[],
  { language, start }: { language: string | null; start: number },
): string | null {
  const words = sentences.flatMap(({ text }) => splitWords(text));
  const english = language
    ? baseLanguage(language) === 'en'
    : looksEnglish(words.map((text) => ({ text })));
  const base = english ? 'en' : baseLanguage(language ?? '');
  let best: { title: string; worth: number } | null = null;
  sentences.slice(0, 8).forEach((sentence, index) => {
    const title = asTitle(sentence.text, base);
    if (!title) return;
    const count = splitWords(title).length;
    const whole = title.endsWith('…') ? 0 : 0.25;
    const bare = count < 3 && textWidth(title) < 12 ? 0.6 : 0;
    const onCaption = sentence.start < start + titleSeconds ? 0.3 : 0;
    const worth = hookStrength(sentence.text, english) + whole - bare - onCaption - index * 0.08;
    if (!best || worth > best.worth) best = { title, worth };
  });
  return (best as { title: string } | null)?.title ?? null;
}
