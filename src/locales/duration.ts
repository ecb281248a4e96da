import { numberFormat } from './number-format.ts';

/** The steps of a time left: the unit, its length in milliseconds, the step in units, and up to where it is used. */
const steps = [
  { unit: 'second', length: 1000, step: 10, until: 90 },
  { unit: 'minute', length: 60_000, step: 1, until: 90 },
  { unit: 'hour', length: 3_600_000, step: 0.5, until: Infinity },
] as const;

/**
 * A time left as people say it, coarse enough to stay calm: up to 90 seconds in tens of seconds, rounded up, at least ten;
 * up to 90 minutes in whole minutes; then in half hours. Plural and numerals are the language's own.
 *
 * @param milliseconds What is left; a number below zero, or none at all, counts as zero.
 * @param language BCP 47; English where it is none, or one that the browser does not know. Never throws.
 */
export const formatDuration = (milliseconds: number, language: string): string => {
  const left = Number.isFinite(milliseconds) ? Math.max(milliseconds, 1) : 1;
  const { unit, length, step } = steps.find((one) => left <= one.until * one.length)!;
  const round = unit === 'second' ? Math.ceil : Math.round;
  const value = round(left / length / step) * step;
  return numberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(value);
};
