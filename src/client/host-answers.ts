import { presentStatus, statuses, toUtc } from '../contract/for-pages.ts';
import type { Export } from '../contract/export.ts';
import type { TokenAnswer } from '../contract/host.ts';
import type { FieldError, Problem } from '../contract/problem.ts';
import type { Failure, Progress } from '../contract/task.ts';

/** Returns the value to use; adds what does not fit to `errors`. Undefined: omits the field. */
export type Reader = (value: unknown, path: string, errors: FieldError[]) => unknown;

/** Reads a value of a JavaScript type that fits. */
export const plain =
  (type: string, fits: (value: never) => boolean = () => true): Reader =>
  (value, path, errors) => {
    if (typeof value !== type || !fits(value as never)) {
      errors.push({ path, message: `must be a valid ${type}` });
    }
    return value;
  };

/** A field that may be missing, and then has the preset or stays missing. */
export const optional =
  (reader: Reader, preset?: unknown): Reader =>
  (value, ...rest) =>
    value === undefined ? preset : reader(value, ...rest);

export const nullable =
  (reader: Reader): Reader =>
  (value, ...rest) =>
    value === null ? null : reader(value, ...rest);

/** A field that may be missing or null, and is null then. */
export const orNull = (reader: Reader): Reader => optional(nullable(reader), null);

/** An object of type `T`: a reader for every field, also for the optional ones. Drops others. */
export const object =
  <T extends object>(fields: Readonly<Record<keyof T, Reader>>): Reader =>
  (value, path, errors) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      errors.push({ path, message: 'must be an object' });
      return value;
    }
    const read: Record<string, unknown> = {};
    for (const [name, reader] of Object.entries<Reader>(fields)) {
      const field = reader(
        (value as Record<string, unknown>)[name],
        path ? `${path}.${name}` : name,
        errors,
      );
      if (field !== undefined) read[name] = field;
    }
    return read;
  };

export const list =
  (reader: Reader): Reader =>
  (value, path, errors) => {
    if (Array.isArray(value)) {
      return value.map((item, at) => reader(item, path ? `${path}.${at}` : String(at), errors));
    }
    errors.push({ path, message: 'must be an array' });
    return value;
  };

/** The value of a JSON text; undefined, which fits no schema, for any other text. */
export function jsonOf(text: string): unknown {
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
export function retryAfterOf(header: string | null, now: number): number | null {
  if (!header) return null;
  const delay = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return delay >= 0 ? delay : null;
}

/** The `cursor` in the address of a list's next page (`Link`, `rel="next"`); null without one. */
export function nextCursor(link: string | null): string | null {
  const [, address] = /<([^>]*)>\s*;\s*rel="?next"?/.exec(link ?? '') ?? [];
  return address ? new URL(address, 'http://localhost').searchParams.get('cursor') : null;
}

/*
 * Readers of the answers that the elements need: zod would add 8 kB to a page. The compiler finds
 * missing fields, `test/client/host-answers.test.ts` finds what differs from the schemas.
 */

export const text = plain('string');
const flag = plain('boolean');
/** Not `.` or `..`, and well-formed Unicode. */
export const id = plain('string', (value: string) => /^(?!\.{0,2}$)\P{Cs}+$/u.test(value));
const readDateTime = plain('string', (value: string) => !Number.isNaN(toUtc(value)));
export const dateTime: Reader = (value, path, errors) => {
  const before = errors.length;
  readDateTime(value, path, errors);
  return errors.length > before ? value : new Date(toUtc(value as string)).toISOString();
};
const readStatus = plain('string', (value: never) => statuses.includes(value));
export const status: Reader = (value, ...rest) => readStatus(presentStatus(value), ...rest);
export const share = plain('number', (value: number) => value >= 0 && value <= 1);
const notNegative = plain('number', (value: number) => value >= 0);
const integer = plain('number', Number.isSafeInteger);

/** A page puts it into a link, so anything but http and https is null. */
const webAddress: Reader = (value, path, errors) => {
  text(value, path, errors);
  return /^https?:\/\//i.test(String(value)) ? value : null;
};

/** A failure, or a note, which has the same fields. */
export const codeAndMessage = object<Failure>({ code: text, message: text });

export const progress = object<Progress>({
  stage: text,
  share,
  seconds_left: optional(nullable(notNegative)),
});

const exportObject = object<Export>({
  id,
  status,
  src_url: orNull(webAddress),
  estimated_ready_at: orNull(dateTime),
  project_id: id,
  created_at: dateTime,
  finished_at: orNull(dateTime),
  name: text,
  author_id: text,
  folder_id: orNull(id),
  descriptions: orNull(text),
  watermarked: orNull(flag),
  progress: optional(nullable(progress)),
  failure: optional(nullable(codeAndMessage)),
  notes: optional(list(codeAndMessage)),
  revision: optional(integer),
});

const exportList: Reader = (value, ...rest) =>
  list(exportObject)(
    typeof value === 'object' && value !== null && 'exports' in value ? value.exports : value,
    ...rest,
  );

export const readers = {
  export: exportObject,
  exportList,
  grant: object<{ url: string }>({
    url: plain('string', (url: string) => /^https?:\/\//.test(url)),
  }),
  token: object<TokenAnswer>({ external_access_token: id, expires_at: orNull(dateTime) }),
  problem: object<Problem>({
    type: optional(text, 'about:blank'),
    title: optional(text, ''),
    status: optional(integer),
    code: optional(text),
    detail: optional(text),
    errors: optional(list(object<FieldError>({ path: text, message: text }))),
    unknown_outcome: optional(flag),
  }),
} satisfies Record<keyof Answers | 'grant', Reader>;

/** The answers by name. */
export interface Answers {
  export: Export;
  exportList: Export[];
  token: TokenAnswer;
  problem: Problem;
}

/** What a reader makes of an answer, or what about it does not fit. */
export function readWith<T>(
  reader: Reader,
  body: unknown,
): { value: T } | { errors: FieldError[] } {
  const errors: FieldError[] = [];
  const value = reader(body, '', errors);
  return errors.length ? { errors } : { value: value as T };
}

/** An answer in its contract's shape, or what about it does not fit. */
export const readAnswer = <K extends keyof Answers>(kind: K, body: unknown) =>
  readWith<Answers[K]>(readers[kind], body);
