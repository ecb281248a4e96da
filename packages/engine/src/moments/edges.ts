/** Where a clip may begin and end: how well a unit opens one, and how well it closes one. */
import { isTurningInEnglish } from '../words/english-words.ts';
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

/** The minimum words of a first sentence: a shorter one, such as “Really?”, needs the context. */
const minOpeningWords = 4;

/** Rates each unit as the first and as the last of a clip, 0 to 1. */
export function rateEdges(
  units: readonly Unit[],
  turns: SpeakerTurns,
  language: string,
  { withinTurn, edgeDoubt, writtenShare }: ScoreSettings,
): { opening: Float64Array; ending: Float64Array } {
  const worth = units.map(({ text }) => (text ? rateSubstance(text, language) : 0));
  const within = turns.marked ? withinTurn.marked : withinTurn.likely;
  const breaks = units.map((_, index) => rateSubjectBreak(units, index, language));
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
    const { text, words } = units[index]!;
    if (needsWordsBefore(text, language)) return 0.05;
    const enough = words >= minOpeningWords - (asksQuestion(text, language) ? 1 : 0);
    const clear = enough && !isTrailingOff(text);
    const alone = turns.known
      ? within + (1 - within) * turns.opens(index)
      : 0.5 + 0.5 * apart(index - 1, index);
    return (
      alone *
      sureEnd(units[index - 1]) *
      (clear ? 1 : 0.5) *
      clearStart(text, language) *
      (1 - 0.9 * measureHousekeeping(text, language))
    );
  };
  const ending = (index: number): number => {
    const { text } = units[index]!;
    if (asksQuestion(text, language)) return 0;
    const whole = isTrailingOff(text) ? 0.25 : isWholeAtEnd(text) ? 1 : 0.15;
    const alone = turns.known
      ? within + (1 - within) * turns.closes(index)
      : 0.5 + 0.5 * (index + 1 < units.length ? apart(index + 1, index + 1) : 1);
    return alone * sureEnd(units[index]) * whole * (1 - 0.9 * measureHousekeeping(text, language));
  };
  const restored = units.some(({ endLikelihood }) => endLikelihood !== undefined);
  const counted = (worthOf: (index: number) => number) =>
    Float64Array.from(units, (_, index) =>
      restored ? worthOf(index) : 1 - writtenShare * (1 - worthOf(index)),
    );
  return { opening: counted(opening), ending: counted(ending) };
}
