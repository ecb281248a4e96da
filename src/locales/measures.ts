import { getNumberFormat } from './number-format.ts';

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
  return getNumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(value);
}

/** Formats a number of bytes, such as "82 MB" or "1.4 GB". */
export function formatBytes(bytes: number, language: string): string {
  const unit = bytes < 1e6 ? 'kilobyte' : bytes < 1e9 ? 'megabyte' : 'gigabyte';
  const value = bytes / { kilobyte: 1e3, megabyte: 1e6, gigabyte: 1e9 }[unit];
  return getNumberFormat(language, {
    style: 'unit',
    unit,
    maximumFractionDigits: value < 10 ? 1 : 0,
  }).format(value);
}

/** Formats the length of a video in two units, such as "6 hr 12 min" or "2 min 5 sec". */
export function formatLength(seconds: number, language: string): string {
  const whole = Math.round(seconds);
  const parts: [number, string][] =
    whole < 3600
      ? [
          [Math.floor(whole / 60), 'minute'],
          [whole % 60, 'second'],
        ]
      : [
          [Math.floor(whole / 3600), 'hour'],
          [Math.floor((whole % 3600) / 60), 'minute'],
        ];
  const shown = parts.filter(([value]) => value > 0);
  return (shown.length ? shown : [[0, 'second'] as const])
    .map(([value, unit]) => getNumberFormat(language, { style: 'unit', unit }).format(value))
    .join(' ');
}
