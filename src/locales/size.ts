import { numberFormat } from './number-format.ts';

/** Formats a number of bytes, such as "82 MB" or "1.4 GB". */
export function formatBytes(bytes: number, language: string): string {
  const unit = bytes < 1e6 ? 'kilobyte' : bytes < 1e9 ? 'megabyte' : 'gigabyte';
  const value = bytes / { kilobyte: 1e3, megabyte: 1e6, gigabyte: 1e9 }[unit];
  return numberFormat(language, {
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
    .map(([value, unit]) => numberFormat(language, { style: 'unit', unit }).format(value))
    .join(' ');
}
