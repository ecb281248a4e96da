import { toUtc } from '../contract/date-time.ts';
import type { Export } from '../contract/export.ts';
import type { TokenAnswer } from '../contract/host.ts';
import type { FieldError, Problem } from '../contract/problem.ts';
import type { Failure, Progress } from '../contract/task.ts';
import { presentStatus, statuses, unknownStatus } from '../contract/status-words.ts';
import { list, nullable, object, optional, orNull, plain, type Reader } from './answer-reader.ts';

/*
 * Readers of the answers that the elements need: zod would add 8 kB to a page. The compiler finds
 * missing fields, `test/client/host-answers.test.ts` finds what differs from the schemas.
 */

export const text = plain('string');
const flag = plain('boolean');
export const id = plain('string', (value: string) => {
  if (!value) return 'must not be empty';
  if (/^\.\.?$/.test(value)) return 'must not be "." or ".."';
  return /\p{Cs}/u.test(value) ? 'must be well-formed Unicode' : null;
});
export const dateTime: Reader = (value, path, errors) => {
  const before = errors.length;
  plain('string', (string: string) =>
    Number.isNaN(toUtc(string)) ? 'must be an ISO 8601 date and time' : null,
  )(value, path, errors);
  return errors.length > before ? value : new Date(toUtc(value as string)).toISOString();
};
export const status: Reader = (value, path, errors) => {
  const current = presentStatus(value);
  if (!statuses.includes(current as never)) errors.push({ path, message: unknownStatus(current) });
  return current;
};
export const share = plain('number', (value: number) =>
  value >= 0 && value <= 1 ? null : 'must be 0 to 1',
);
const notNegative = plain('number', (value: number) => (value >= 0 ? null : 'must be 0 or more'));
const integer = plain('number', (value: number) =>
  Number.isSafeInteger(value) ? null : 'expected an integer',
);

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
    url: plain('string', (url: string) =>
      /^https?:\/\//.test(url) ? null : 'must be an http or https URL',
    ),
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
