import type { Span } from '../facts.ts';
import { getExplanationTexts } from './explanation-texts.ts';
import type { Features } from './score.ts';
import type { SoundMeasures } from './sound-meter.ts';
import { needsNextWord } from './title-words.ts';
import type { Unit } from './units.ts';
import { asksQuestion } from './word-features.ts';

/** A smaller difference of loudness is not named, in dB. */
const minNamedDb = 3;

/** Pauses of more than this share of a clip are named. */
const minNamedPauses = 0.4;

/** The maximum number of strengths that are named. */
const maxStrengths = 2;

/** A clip of which an explanation is made. */
export interface ExplainedClip {
  span: Span;
  /** The sentences of the clip, or its parts if nothing is said. */
  units: readonly Unit[];
  /** The topics of the clip, in its own words. */
  topics: readonly string[];
  features: Features;
  sound: SoundMeasures;
  cuts: number;
  /** Whether it is known who speaks when, rather than guessed. */
  turnsMarked: boolean;
}

/**
 * Lower features are named as weaknesses. Where turns are only likely, low ones are usual, and tell
 * nothing of where a thought begins.
 */
const weakEdges = {
  marked: { opening: 0.5, ending: 0.6 },
  likely: { opening: 0.1, ending: 0.3 },
};

function formatClock(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

const fill = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));

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

/**
 * Explains a clip's score: its strengths and its weakness as a creator would say them, then its
 * topics. It claims only what the words, the subtitles' marks, the sound and the pictures show.
 * @param options.language base code of the language of the words; English if it has no texts
 * @param options.chosenByModel whether a language model chose this part too
 */
export function explainClip(
  clip: ExplainedClip,
  { language, chosenByModel = false }: { language: string; chosenByModel?: boolean },
): string {
  const [texts, locale] = getExplanationTexts(language);
  const list = (items: readonly string[]) => new Intl.ListFormat(locale).format(items);
  const about = clip.topics.length > 0 ? fill(texts.about, { topics: list(clip.topics) }) : null;
  const strengths = findStrengths(clip, language).slice(0, maxStrengths);
  const reasons = [...strengths, findWeakness(clip, language)].filter((one) => one !== null);
  const [first, ...rest] = [
    reasons.join('; '),
    about ?? '',
    chosenByModel ? texts.model : '',
  ].filter(Boolean);
  return [first ?? texts.plain, ...rest]
    .map((text) => `${text[0]!.toLocaleUpperCase(locale)}${text.slice(1)}.`)
    .join(' ');
}

/**
 * Lists what draws people to a clip, the most telling first. Of the clips that are chosen from real
 * conversations, a feature passes its bound in one of four or fewer.
 */
function findStrengths(
  { span, units, features, sound, cuts }: ExplainedClip,
  language: string,
): string[] {
  const [texts, locale] = getExplanationTexts(language);
  const said = units.filter(({ words }) => words > 0);
  const has = (name: string, bound: number): boolean => (features[name] ?? 0) >= bound;
  const reaction = sound.reactions.findLast((time) => time > 0.5);
  const numbers = [...new Set(said.flatMap(({ text }) => findNumbers(text, language)))]
    .slice(0, 2)
    .map((text) => fill(texts.quote, { text }));
  const reactionTime = formatClock(Math.min(reaction ?? 0, span.end - span.start));
  const opensWithQuestion = said[0] !== undefined && asksQuestion(said[0].text, language);
  const isWhole = has('opening', 0.7) && has('ending', 0.85) && has('thought', 0.9);
  const strengths: readonly (readonly [isStrong: boolean, text: string])[] = [
    [reaction !== undefined, fill(texts.reaction, { time: reactionTime })],
    [opensWithQuestion, texts.question],
    [!opensWithQuestion && has('hook', 0.55), texts.opening],
    [has('exchange', 0.7), texts.exchange],
    [has('substance', 0.68), texts.point],
    [
      numbers.length > 0,
      fill(texts.numbers, { numbers: new Intl.ListFormat(locale).format(numbers) }),
    ],
    [sound.louder >= minNamedDb, texts.energy],
    [has('density', 0.55), texts.detail],
    [has('brevity', 0.6), texts.pace],
    [said.length === 0 && cuts > 1, fill(texts.cuts, { count: cuts })],
    [said.length === 0 && has('movement', 0.6), texts.movement],
    [said.length > 0 && isWhole, texts.whole],
  ];
  const found = strengths.filter(([isStrong]) => isStrong).map(([, text]) => text);
  return found.length === 0 && has('focus', 0.95) ? [texts.focus] : found;
}

/** Returns the greatest weakness of a clip that a person should know; null if it has none. */
function findWeakness(
  { span, units, features, sound, turnsMarked }: ExplainedClip,
  language: string,
): string | null {
  const weak = weakEdges[turnsMarked ? 'marked' : 'likely'];
  const [texts] = getExplanationTexts(language);
  const said = units.filter(({ words }) => words > 0);
  const spoken = said.reduce((sum, { start, end }) => sum + end - start, 0);
  if (said.length > 0 && (features['opening'] ?? 1) < weak.opening) return texts.midThought;
  if (said.length > 0 && (features['ending'] ?? 1) < weak.ending) return texts.abrupt;
  if (-sound.louder >= minNamedDb) return texts.quiet;
  const silent = 1 - spoken / (span.end - span.start);
  return said.length > 0 && silent >= minNamedPauses ? texts.pauses : null;
}
