const isoDateTime =
  /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(?:[Zz]|([+-]\d\d):?(\d\d)?)?)?$/;

/**
 * Parses an ISO 8601 date and time to milliseconds since 1970. Anything else gives NaN, because
 * `Date.parse` by itself accepts much more and reads it as local time. No offset means UTC, a space
 * may replace the `T`, and a date without a time is midnight.
 */
export function toUtc(text: string): number {
  const [found, date, time = '00:00', hours = '+00', minutes = '00'] = isoDateTime.exec(text) ?? [];
  return found === undefined ? NaN : Date.parse(`${date}T${time}${hours}:${minutes}`);
}
