import { presentStatus, statuses, toUtc } from '../contract/for-pages.ts';
import type { Export } from '../contract/export.ts';
import type { TokenAnswer } from '../contract/host.ts';
import type { FieldError, Problem } from '../contract/problem.ts';
import type { Failure, Progress } from '../contract/task.ts';
import { type CallName, HttpError } from './errors.ts';

/** Returns the value to use; undefined omits the field. Throws a {@link Misfit}. */
export type Reader = (value: unknown, path: string) => unknown;

/** The first field that does not fit. */
class Misfit extends Error {
  readonly path: string;

  constructor(path: string, message: string) {
    super(message);
    this.path = path;
  }
}

/** Returns a reader of values that have the type and pass the test. */
export const readPlain =
  (type: string, fits: (value: never) => boolean = () => true): Reader =>
  (value, path) => {
    if (typeof value === type && fits(value as never)) return value;
    throw new Misfit(path, `must be a valid ${type}`);
  };

/** Returns a reader of an optional field, which has the preset if it is missing. */
export const makeOptional =
  (reader: Reader, preset?: unknown): Reader =>
  (value, path) =>
    value === undefined ? preset : reader(value, path);

export const makeNullable =
  (reader: Reader): Reader =>
  (value, path) =>
    value === null ? null : reader(value, path);

/** Returns a reader of a field that may be missing or null; both are read as null. */
export const makeOptionalOrNull = (reader: Reader): Reader =>
  makeOptional(makeNullable(reader), null);

/** Reads a misfit as undefined: for fields outside the specification, and clips of a list. */
export const ignoreMisfit =
  (reader: Reader): Reader =>
  (value, path) => {
    // Many fields are missing in most clips, and an error is not free.
    const read = value !== undefined && readWith(reader, value, path);
    return read && 'value' in read ? read.value : undefined;
  };

const anObject = readPlain('object', (value) => value && !Array.isArray(value));

/** An object of type `T`: a reader for every field, also for the optional ones. Drops others. */
export const readObject =
  <T extends object>(fields: Readonly<Record<keyof T, Reader>>): Reader =>
  (value, path) => {
    const from = anObject(value, path) as Record<string, unknown>;
    const read = Object.entries<Reader>(fields).map(([name, reader]) => [
      name,
      reader(from[name], path ? `${path}.${name}` : name),
    ]);
    return Object.fromEntries(read.filter(([, field]) => field !== undefined));
  };

const anArray = readPlain('object', Array.isArray);

export const list =
  (reader: Reader): Reader =>
  (value, path) =>
    (anArray(value, path) as unknown[]).map((item, at) =>
      reader(item, path ? `${path}.${at}` : String(at)),
    );

/** A list, as it is or in an object with this name. */
export const listIn =
  (name: string, reader: Reader): Reader =>
  (value, path) =>
    list(reader)(Object(value)[name] ?? value, path);

/** The value of a JSON text; undefined, which fits no schema, for any other text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * The milliseconds that a `Retry-After` header asks for, in seconds or as an HTTP date. Null if it
 * is missing or has passed.
 */
export function parseRetryAfter(header: string | null, now: number): number | null {
  if (!header) return null;
  const delay = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return delay >= 0 ? delay : null;
}

/** The `cursor` in the address of a list's next page (`Link`, `rel="next"`); null without one. */
export function nextCursor(link: string | null): string | null {
  const [, address] = /<([^<>]*)>\s*;\s*rel="?next"?/.exec(link ?? '') ?? [];
  return address ? new URL(address, 'http://localhost').searchParams.get('cursor') : null;
}

/*
 * Readers of the answers that the elements need: zod would add 8 kB to a page. The compiler finds
 * missing fields, `test/client/host-answers.test.ts` finds what differs from the schemas.
 */

export const text = readPlain('string');
const flag = readPlain('boolean');
/** Not `.` or `..`, and well-formed Unicode. */
export const id = readPlain('string', (value: string) => /^(?!\.{0,2}$)\P{Cs}+$/u.test(value));
const readDateTime = readPlain('string', (value: string) => !Number.isNaN(toUtc(value)));
export const readDateText: Reader = (value, path) =>
  new Date(toUtc(readDateTime(value, path) as string)).toISOString();
const readStatus = readPlain('string', (value: never) => statuses.includes(value));
export const readStatusText: Reader = (value, path) => readStatus(presentStatus(value), path);
export const share = readPlain('number', (value: number) => value >= 0 && value <= 1);
const notNegative = readPlain('number', (value: number) => value >= 0);
const integer = readPlain('number', Number.isSafeInteger);

/** A link address. Anything but http and https is read as null. */
const readWebAddress: Reader = (value, path) =>
  /^https?:\/\//i.test(text(value, path) as string) ? value : null;

/** The reader that accepts the same URLs as `httpUrlSchema`. */
export const httpUrl = readPlain('string', (value: string) => {
  const url = value.length <= 8192 && URL.canParse(value) ? new URL(value) : null;
  return !!url && /^https?:$/.test(url.protocol) && !url.username && !url.password;
});

/** A failure, or a note, which has the same fields. */
export const codeAndMessage = readObject<Failure>({ code: text, message: text });

export const progress = readObject<Progress>({
  stage: text,
  share,
  seconds_left: makeOptional(makeNullable(notNegative)),
  stage_seconds_left: ignoreMisfit(notNegative),
  bytes: ignoreMisfit(notNegative),
  total_bytes: ignoreMisfit(notNegative),
});

const exportObject = readObject<Export>({
  id,
  status: readStatusText,
  src_url: makeOptionalOrNull(readWebAddress),
  estimated_ready_at: makeOptionalOrNull(readDateText),
  project_id: id,
  created_at: readDateText,
  finished_at: makeOptionalOrNull(readDateText),
  name: text,
  author_id: text,
  folder_id: makeOptionalOrNull(id),
  descriptions: makeOptionalOrNull(text),
  watermarked: makeOptionalOrNull(flag),
  progress: makeOptional(makeNullable(progress)),
  failure: makeOptional(makeNullable(codeAndMessage)),
  notes: makeOptional(list(codeAndMessage)),
  revision: makeOptional(integer),
  description: ignoreMisfit(text),
  tags: ignoreMisfit(list(text)),
  cover_url: ignoreMisfit(httpUrl),
});

export const readers = {
  export: exportObject,
  exportList: listIn('exports', exportObject),
  grant: readObject<{ url: string }>({
    url: readPlain('string', (url: string) => /^https?:\/\//.test(url)),
  }),
  token: readObject<TokenAnswer>({
    external_access_token: id,
    expires_at: makeOptionalOrNull(readDateText),
  }),
  problem: readObject<Problem>({
    type: makeOptional(text, 'about:blank'),
    title: makeOptional(text, ''),
    status: makeOptional(integer),
    code: makeOptional(text),
    detail: makeOptional(text),
    errors: makeOptional(list(readObject<FieldError>({ path: text, message: text }))),
    unknown_outcome: makeOptional(flag),
    started_at: makeOptional(text),
  }),
} satisfies Record<keyof Answers | 'grant', Reader>;

/** The answers by name. */
export interface Answers {
  export: Export;
  exportList: Export[];
  token: TokenAnswer;
  problem: Problem;
}

/** Returns the value that a reader makes of an answer, or the field that does not fit. */
export function readWith<T>(
  reader: Reader,
  body: unknown,
  path = '',
): { value: T } | { error: FieldError } {
  try {
    return { value: reader(body, path) as T };
  } catch (error) {
    return { error: error as Misfit };
  }
}

/** Returns the error of an answer that is not 2xx. `now`: for the date in its `Retry-After`. */
export function readFailure(
  call: CallName,
  status: number,
  body: unknown,
  retryAfter: string | null,
  now = Date.now(),
): HttpError {
  const problem = readWith<Problem>(readers.problem, body);
  const known = 'value' in problem ? problem.value : null;
  return new HttpError(call, status, known, parseRetryAfter(retryAfter, now));
}
