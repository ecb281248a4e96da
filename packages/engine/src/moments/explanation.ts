import type { Span } from '../facts.ts';
import { splitWords, measureTextWidth } from '../words/word-text.ts';
import { getExplanationTexts } from './explanation-texts.ts';
import type { SoundMeasures } from './sound-meter.ts';
import type { Unit } from './units.ts';
import { needsNextWord } from './title-words.ts';
import { asksQuestion, isWholeAtEnd, rateHook, needsWordsBefore } from './word-features.ts';

/** A longer sentence is not quoted. */
const maxQuoteWidth = 90;

/** A shorter sentence says nothing. */
const minQuoteWords = 4;

/** The minimum number of named turns; fewer are a question and its answer. */
const minNamedTurns = 7;

/** A smaller difference of loudness is not named, in dB. */
const minNamedDb = 3;

/** Pauses of more than this share of a clip are named. */
const minNamedPauses = 0.4;

/** A clip of which an explanation is made. */
export interface ExplainedClip {
  span: Span;
  /** The sentences of the clip, or its parts if nothing is said. */
  units: readonly Unit[];
  /** The topics of the clip, in its own words. */
  topics: readonly string[];
  /** The name of the clip: its line is not quoted again. */
  name: string | null;
  sound: SoundMeasures;
  cuts: number;
}

function formatClock(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

const fill = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));

/** The share of the shorter line's words in common from which two lines say the same. */
const sameShare = 0.8;

const collectWords = (text: string): Set<string> =>
  new Set(splitWords(text.toLowerCase()).map((word) => word.replace(/[^\p{L}\p{M}\p{N}]/gu, '')));

function isRepeating(text: string, name: string): boolean {
  const [one, other] = [collectWords(text), collectWords(name)];
  const shared = [...one].filter((word) => other.has(word)).length;
  return shared >= sameShare * Math.min(one.size, other.size);
}

/** Whether a sentence can be quoted: not too long, and not a part of another quotation. */
const isQuotable = ({ text }: Unit): boolean =>
  measureTextWidth(text) <= maxQuoteWidth &&
  splitWords(text).length >= minQuoteWords &&
  !/["“”„«»]/u.test(text);

const pluralOrUnit = /(?:s|%|percent|people|men|women|children|feet|million|billion|thousand)$/;

/** Numbers with what they count, as they are said: “30 minutes”, “$4.5 million”. */
function findNumbers(text: string, language: string): string[] {
  const found = text.matchAll(
    /(?<![\p{L}\p{Nd}.,:/-])(?:[$€£]\s?)?\p{Nd}+(?:[.,]\p{Nd}+)*(?:\s?(?:%|percent|million|billion|thousand)(?!\p{L}))?(?:\s[\p{Ll}\p{Lo}]{3,})?/gu,
  );
  const counted = [...found]
    .map(([number]) => number)
    // “15 would” counts nothing, and in English “8 nick” neither.
    .filter((number) => /\P{Nd}$/u.test(number) && !needsNextWord(number.split(/\s/).at(-1)!, 'en'))
    .filter((number) => language !== 'en' || pluralOrUnit.test(number));
  return [...new Set(counted)].slice(0, 2);
}

const isMarkedQuestion = ({ text }: Unit): boolean => /[?？؟]["”’»)]*$/u.test(text);

/** The question near the beginning, and another person's answer if there is one; otherwise null. */
function findExchange(said: readonly Unit[], isNew: (unit: Unit) => boolean): Unit[] | null {
  const at = said.slice(0, 2).findIndex(isMarkedQuestion);
  const question = said[at];
  if (!question || !isNew(question)) return null;
  const later = said.slice(at + 1);
  // Without marks, four in ten of the sentences that follow are the asker's own.
  const [from = later.length, to] = later.flatMap(({ opensTurn }, at) => (opensTurn ? [at] : []));
  const answer = later.slice(from, to).find((unit) => isNew(unit) && !isMarkedQuestion(unit));
  return answer ? [question, answer] : [question];
}

/** The line that draws most and is understood alone; undefined if all are questions. */
function findBestLine(
  lines: readonly Unit[],
  topics: readonly string[],
  language: string,
): Unit | undefined {
  const rateLine = (text: string): number =>
    rateHook(text, language) +
    (topics.some((topic) => text.toLowerCase().includes(topic.toLowerCase())) ? 0.6 : 0) +
    (needsWordsBefore(text, language) ? -0.3 : 0) +
    (isWholeAtEnd(text) ? 0.3 : 0);
  return lines
    .filter(({ text }) => !asksQuestion(text, language))
    .map((line) => ({ line, worth: rateLine(line.text) }))
    .toSorted((a, b) => b.worth - a.worth)[0]?.line;
}

/**
 * Says what a clip is about, quotes it, and gives one reason to watch it. It claims only what the
 * words, the subtitles' marks and the sound show.
 * @param options.language base code of the language of the words; English if it has no texts
 * @param options.chosenByModel whether a language model chose this part too
 */
export function explainClip(
  { span, units, topics, name, sound, cuts }: ExplainedClip,
  { language, chosenByModel = false }: { language: string; chosenByModel?: boolean },
): string {
  const [texts, locale] = getExplanationTexts(language);
  const quote = (text: string) =>
    fill(texts.quote, { text: text.replace(/^[.…\s]+|(?<![.,;:。،…\s])[.,;:。،…\s]+$/gu, '') });
  const list = (items: readonly string[]) => new Intl.ListFormat(locale).format(items);
  const at = (time: number) => formatClock(Math.min(time, span.end - span.start));
  const said = units.filter(({ words }) => words > 0);

  /** The question that the clip begins with and what another person says, or its best line. */
  const happens = (): string | null => {
    const isNew = (unit: Unit) => isQuotable(unit) && !(name && isRepeating(unit.text, name));
    const exchange = findExchange(said, isNew);
    if (exchange) return exchange.map(({ text }) => quote(text)).join(' – ');
    const line = findBestLine(said.filter(isNew), topics, language);
    return line ? `${quote(line.text)} (${at(line.start - span.start)})` : null;
  };

  const reason = (): string | null => {
    const reaction = sound.reactions.findLast((time) => time > 0.5);
    if (reaction !== undefined) return fill(texts.reaction, { time: at(reaction) });
    const numbers = [...new Set(said.flatMap(({ text }) => findNumbers(text, language)))].slice(
      0,
      2,
    );
    if (numbers.length > 0) return fill(texts.numbers, { numbers: list(numbers.map(quote)) });
    const changes = said.filter(({ opensTurn }, index) => index > 0 && opensTurn).length;
    if (changes >= minNamedTurns) return fill(texts.turns, { count: changes });
    const louder = Math.round(sound.louder);
    if (louder >= minNamedDb) return fill(texts.louder, { count: louder });
    return said.length === 0 && cuts > 1 ? fill(texts.cuts, { count: cuts }) : null;
  };

  const weakness = (): string | null => {
    const quieter = Math.round(-sound.louder);
    if (quieter >= minNamedDb) return fill(texts.quieter, { count: quieter });
    const spoken = said.reduce((sum, { start, end }) => sum + end - start, 0);
    const silent = 1 - spoken / (span.end - span.start);
    if (said.length === 0 || silent < minNamedPauses) return null;
    return fill(texts.wordless, { percent: Math.round(100 * silent) });
  };

  const about = topics.length > 0 ? fill(texts.about, { topics: list(topics) }) : null;
  const [first, ...rest] = [
    [about],
    [happens(), reason(), weakness()],
    [chosenByModel ? texts.model : null],
  ]
    .map((parts) => parts.filter((part) => part !== null).join('; '))
    .filter(Boolean);
  return [first ?? texts.plain, ...rest]
    .map((text) => `${text[0]!.toLocaleUpperCase(locale)}${text.slice(1)}`)
    .map((text) => (/[?!？！؟]\s?[”“’»」』]$/u.test(text) ? text : `${text}.`))
    .join(' ');
}
