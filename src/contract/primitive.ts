import * as z from 'zod/mini';
import { legacyStatuses, presentStatus, statuses, toUtc } from './for-pages.ts';

/**
 * An opaque, non-empty id of the service. Percent-encode it in paths. `.` and `..` are refused
 * because a URL parser resolves them as path segments, even when they are encoded. Lone surrogates
 * are refused because no URL can contain them.
 */
export const idSchema = z.string().check(
  z.minLength(1, 'must not be empty'),
  z.regex(/^(?!\.{1,2}$)/, 'must not be "." or ".."'),
  z.refine((text) => !/\p{Cs}/u.test(text), 'must be well-formed Unicode'),
);

/**
 * An ISO 8601 date and time, normalised to UTC with milliseconds (`2026-01-31T10:00:00.000Z`). No
 * offset means UTC (section 2.1). A space may replace the `T`; a date without a time is midnight.
 */
export const dateTimeSchema = z.string().check(
  z.refine((text) => !Number.isNaN(toUtc(text)), {
    error: 'must be an ISO 8601 date and time',
    abort: true,
  }),
  z.overwrite((text) => new Date(toUtc(text)).toISOString()),
);

/** Makes an optional or nullable field always present; null if omitted. */
export const makeNullable = <T extends z.core.$ZodType>(schema: T) =>
  z._default(z.nullable(schema), null);

/** A field beside the specification: one that does not fit is dropped, and the rest is kept. */
export const ignoreMisfit = <T extends z.core.$ZodType>(schema: T) =>
  z.catch(z.optional(schema), undefined);

/**
 * A list that is sent bare or wrapped as `{[key]: [...]}`, as some deployments do. The result is
 * always the bare list.
 */
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
 * An http or https URL without a user name or password. This schema does not decide whether the URL
 * may be fetched.
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

/** The message includes the value, so that an unknown status cannot be mistaken for a known one. */
const describeUnknownStatus = (value: unknown): string =>
  `unknown status ${JSON.stringify(value)}: expected one of ${[...statuses, ...Object.keys(legacyStatuses)].join(', ')}`;

/**
 * Accepts current and legacy status words and returns the current word. The issue for any other
 * value includes that value.
 */
export const statusSchema = z.pipe(
  z.transform(presentStatus),
  z.enum(statuses, { error: (issue) => describeUnknownStatus(issue.input) }),
);
