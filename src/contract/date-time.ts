const isoDateTime =
  /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(?:[Zz]|([+-]\d\d):?(\d\d)?)?)?$/;

/**
 * Milliseconds since 1970 of an ISO 8601 date and time, NaN for anything else: `Date.parse` alone takes much more, and in
 * local time. One without an offset is taken as UTC; a blank may stand for the `T`; a date alone is midnight.
 */
export const toUtc = (text: string): number => {
  const [found, date, time = '00:00', hours = '+00', minutes = '00'] = isoDateTime.exec(text) ?? [];
  return found === undefined ? NaN : Date.parse(`${date}T${time}${hours}:${minutes}`);
};
