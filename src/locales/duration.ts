import { numberFormat } from './number-format.ts';

/**
 * The steps of a remaining time: the unit, its length, the step in units, and the last value that
 * uses it.
 */
const steps = [
  { unit: 'second', lengthMs: 1000, step: 10, maxUnits: 90 },
  { unit: 'minute', lengthMs: 60_000, step: 1, maxUnits: 90 },
  { unit: 'hour', lengthMs: 3_600_000, step: 0.5, maxUnits: Infinity },
] as const;

/**
 * Formats a remaining time, coarse enough that it does not change all the time: up to 90 seconds in
 * tens of seconds, rounded up, at least ten; up to 90 minutes in whole minutes; then in half hours.
 * Plurals and numerals follow the language.
 *
 * @param milliseconds The time left; negative numbers and NaN count as zero.
 * @param language BCP 47; English if it is not a language, or one that the browser does not know.
 *   Never throws.
 */
export function formatDuration(milliseconds: number, language: string): string {
  const left = Number.isFinite(milliseconds) ? Math.max(milliseconds, 1) : 1;
  const { unit, lengthMs, step } = steps.find(
    (candidate) => left <= candidate.maxUnits * candidate.lengthMs,
  )!;
  const round = unit === 'second' ? Math.ceil : Math.round;
  const value = round(left / lengthMs / step) * step;
  return numberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(value);
}
