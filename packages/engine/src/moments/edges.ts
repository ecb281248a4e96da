/** Where a clip may begin and end: how well a unit opens one, and how well it closes one. */
import { isGoingOnInEnglish, isTagQuestion, isTurningInEnglish } from '../words/english-words.ts';
import { capitalize } from './title.ts';
import { withoutLead } from './title-words.ts';
import { listSubjectWords, rateFreshness } from './subject-words.ts';
import type { Unit } from './units.ts';
import type { ScoreSettings } from './settings.ts';
import type { SpeakerTurns } from './speaker-turns.ts';
import {
  asksQuestion,
  isWholeAtEnd,
  measureHousekeeping,
  needsWordsBefore,
  clearStart,
  rateSubstance,
  isTrailingOff,
} from './word-features.ts';
import { median, toUnitInterval } from '../scan/scan-measures.ts';

/**
 * Returns the probability that a unit begins another subject, 0 to 1: its words say so, or the
 * pause before it is over 0.9 s and more than twice the pauses around it.
 */
export function rateSubjectBreak(units: readonly Unit[], index: number, language: string): number {
  if (index === 0) return 0;
  const says = language === 'en' && isTurningInEnglish(units[index]?.text ?? '');
  const gap = (at: number) => (units[at]?.start ?? Infinity) - (units[at - 1]?.end ?? -Infinity);
  const around = [-3, -2, -1, 1, 2, 3].map((step) => gap(index + step)).filter(Number.isFinite);
  const long = gap(index) > 0.9 && gap(index) > 2 * median(around);
  return says ? 1 : long ? 0.8 : 0;
}

/** A first sentence of fewer words, such as “Really?”, needs the context. */
const minOpeningWords = 6;

/** A question that asks something, as “right?” after a statement does not. */
const minQuestionWords = 3;

/** A sentence of up to this many words between a question and its answer is a “Yes, sure.” */
const maxNodWords = 3;

/**
 * Marks the borders between units that stand inside a quotation: “border n” is before unit n. A
 * mark that is never closed ends with the few units that a quotation may have.
 */
function findQuotedBorders(units: readonly Unit[]): boolean[] {
  const maxQuotedUnits = 5;
  const inside = [false];
  let since = 0;
  let open = '';
  for (const { text } of units) {
    for (const [mark] of text.matchAll(/["“”„«]|»\p{L}?/gu)) {
      // „German“ and »German« quotations end with marks that begin others.
      const ends = mark === '"' ? open !== '' : ['„“', '»«'].includes(open + mark);
      open = ends || mark === '”' || mark === '»' ? '' : mark[0]!;
    }
    since = open ? since + 1 : 0;
    if (since > maxQuotedUnits) [open, since] = ['', 0];
    inside.push(open !== '');
  }
  return inside;
}

/** Whether a unit asks something that the next words answer. “…, right?” only wants a nod. */
function isAnswered(unit: Unit | undefined, language: string): boolean {
  if (!unit || unit.words < minQuestionWords || !asksQuestion(unit.text, language)) return false;
  return language !== 'en' || !isTagQuestion(unit.text);
}

/** Whether a clip that begins with unit `index` begins with the answer to a question before it. */
const isAnswerFirst = (units: readonly Unit[], index: number, language: string): boolean =>
  isAnswered(units[index - 1], language) ||
  ((units[index - 1]?.words ?? Infinity) <= maxNodWords && isAnswered(units[index - 2], language));

/** Rates the words of a unit as the first of a clip, 0 to 1. */
function rateOpeningWords({ text, words }: Unit, language: string): number {
  const asks = asksQuestion(text, language);
  // “So what did you learn?” needs less before it than “So I learned it.”
  const said = asks && language === 'en' ? capitalize(withoutLead(text, language), 'en') : text;
  if (needsWordsBefore(said, language)) return 0.05;
  const needed = asks ? minOpeningWords - 2 : minOpeningWords;
  const enough = words >= needed ? 1 : words >= needed - 2 ? 0.6 : 0.3;
  const led = said === text ? 1 : 0.3;
  return enough * led * (isTrailingOff(text) ? 0.5 : 1) * clearStart(said, language);
}

/** Rates each unit as the first and as the last of a clip, 0 to 1. */
export function rateEdges(
  units: readonly Unit[],
  turns: SpeakerTurns,
  language: string,
  { withinTurn, edgeDoubt }: ScoreSettings,
): { opening: Float64Array; ending: Float64Array } {
  const worth = units.map(({ text }) => (text ? rateSubstance(text, language) : 0));
  const within = turns.marked ? withinTurn.marked : withinTurn.likely;
  const breaks = units.map((_, index) => rateSubjectBreak(units, index, language));
  const quoted = findQuotedBorders(units);
  const subjects = listSubjectWords(units);
  const fresh = rateFreshness(subjects);
  const gap = (at: number) => units[at]!.start - units[at - 1]!.end;
  /** The probability that a sentence ends with a unit: text without stops does not show it. */
  const sureEnd = (unit: Unit | undefined) => (unit?.endLikelihood ?? 1) ** edgeDoubt;

  /**
   * The independence of a clip from its neighbour, which comes after or before the break: 1 if that
   * is about something else, 0 if it is more of the same.
   */
  const apart = (neighbour: number, at: number): number =>
    neighbour < 0 || neighbour >= units.length
      ? 1
      : toUnitInterval(
          Math.max(breaks[at]!, 1 - 1.4 * worth[neighbour]! + 0.25 * Math.min(1, gap(at))),
        );

  const opening = (index: number): number => {
    const alone = turns.known
      ? within + (1 - within) * turns.opens(index)
      : 0.5 + 0.5 * apart(index - 1, index);
    return (
      alone *
      sureEnd(units[index - 1]) *
      rateOpeningWords(units[index]!, language) *
      (isAnswerFirst(units, index, language) ? 0.2 : 1) *
      (quoted[index] ? 0.1 : 1) *
      fresh[index]! *
      (subjects[index]!.length > 0 ? 1 : 0.6) *
      (1 - 0.5 * measureHousekeeping(units[index]!.text, language))
    );
  };
  const ending = (index: number): number => {
    const { text, words } = units[index]!;
    if (asksQuestion(text, language)) return 0;
    const whole = isTrailingOff(text) ? 0.25 : isWholeAtEnd(text) ? 1 : 0.15;
    const alone = turns.known
      ? within + (1 - within) * turns.closes(index)
      : 0.5 + 0.5 * (index + 1 < units.length ? apart(index + 1, index + 1) : 1);
    const next = units[index + 1];
    // “…, because …”: the speaker goes on.
    const goesOn = next !== undefined && language === 'en' && isGoingOnInEnglish(next.text);
    return (
      alone *
      sureEnd(units[index]) *
      whole *
      (words <= maxNodWords ? 0.7 : 1) *
      (goesOn ? 0.6 : 1) *
      (quoted[index + 1] ? 0.3 : 1) *
      Math.sqrt(fresh[index + 1] ?? 1) *
      (1 - 0.5 * measureHousekeeping(text, language))
    );
  };
  const rate = (worthOf: (index: number) => number) =>
    Float64Array.from(units, (_, index) => worthOf(index));
  return { opening: rate(opening), ending: rate(ending) };
}
