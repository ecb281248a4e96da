import * as z from 'zod/mini';
import { toUtc } from './date-time.ts';

/**
 * An id of the service: opaque, not empty; percent-encode it into paths. `.` and `..` are refused, because a URL with
 * them as a path segment, however encoded, is another path; half a surrogate pair is, because no URL can hold it.
 */
export const idSchema = z.string().check(
  z.minLength(1, 'must not be empty'),
  z.regex(/^(?!\.{1,2}$)/, 'must not be "." or ".."'),
  z.refine((text) => !/\p{Cs}/u.test(text), 'must be well-formed Unicode'),
);

/**
 * An ISO 8601 date and time, normalised to UTC with milliseconds (`2026-01-31T10:00:00.000Z`).
 * One without an offset is taken as UTC, as section 2.1 has it. A blank may stand for the `T`; a date alone is midnight.
 */
export const dateTimeSchema = z.string().check(
  z.refine((text) => !Number.isNaN(toUtc(text)), {
    error: 'must be an ISO 8601 date and time',
    abort: true,
  }),
  z.overwrite((text) => new Date(toUtc(text)).toISOString()),
);

/** Makes a field that an answer may leave out or set to null into one that is always there. */
export const orNull = <T extends z.core.$ZodType>(schema: T) =>
  z._default(z.nullable(schema), null);

/** A list that comes bare, or wrapped as `{[key]: [...]}` (seen in the field). Gives the bare list. */
export const listSchema = <T extends z.core.$ZodType>(key: string, item: T) =>
  z.pipe(
    z.transform((value: unknown) =>
      typeof value === 'object' && value !== null && !Array.isArray(value) && key in value
        ? (value as Record<string, unknown>)[key]
        : value,
    ),
    z.array(item),
  );

/**
 * An address with the scheme http or https and no user name or password in it.
 * Whether the address may be visited is not decided here.
 */
export const httpUrlSchema = z.string().check(
  z.maxLength(8192, 'must be at most 8192 characters'),
  z.refine(
    (text) => {
      if (!URL.canParse(text)) return false;
      const url = new URL(text);
      return /^https?:$/.test(url.protocol) && !url.username && !url.password;
    },
    { error: 'must be an absolute http or https URL without a user name or password' },
  ),
);
