import type { Upload } from '../contract/upload.ts';
import { type CallName, HttpError } from './errors.ts';
import {
  dateTime,
  id,
  jsonOf,
  list,
  object,
  optional,
  readAnswer,
  type Reader,
  retryAfterOf,
  text,
} from './host-answers.ts';
import { count, httpUrl, oneOf, positiveInteger } from './clip-answers.ts';
import type { ClipError } from './clip-error.ts';
import type { HostClient } from './host-client.ts';

/*
 * Readers of uploads. In a file of their own, because only who sends a file needs them.
 */

export const upload = object<Upload>({
  id,
  status: oneOf('open', 'finished'),
  protocol: oneOf('tus', 's3'),
  url: httpUrl,
  name: text,
  size: positiveInteger,
  offset: count,
  part_size: optional(positiveInteger),
  created_at: dateTime,
  expires_at: dateTime,
});

/** A part that has arrived (`GET /uploads/{id}/parts`). */
export interface ArrivedPart {
  readonly number: number;
  readonly size: number;
}

/** Where a part goes (`POST /uploads/{id}/parts`). */
export interface PartAddress {
  readonly number: number;
  readonly url: string;
}

const parts =
  (part: Reader): Reader =>
  (value, ...rest) =>
    list(part)((value as { parts?: unknown } | null)?.parts, ...rest);

export const arrivedParts = parts(object<ArrivedPart>({ number: positiveInteger, size: count }));
export const partAddresses = parts(object<PartAddress>({ number: positiveInteger, url: httpUrl }));

/** A file on its way. */
export interface Sending {
  readonly host: HostClient;
  readonly upload: Upload;
  readonly file: File;
  readonly signal: AbortSignal;
  /** `arrived`: the other side has said so. */
  readonly onSent: (bytes: number, arrived: boolean) => void;
  /** Several tries have failed (an error), or one works again (null). Sending goes on. */
  readonly onStalled: (error: ClipError | null) => void;
}

/** The longest time without progress: a computer has slept, or the connection is dead. */
export const silenceMs = 60_000;

/** The error of an answer that is not 2xx. */
export function answerError(
  call: CallName,
  status: number,
  body: string,
  retryAfter: string | null,
): HttpError {
  const problem = readAnswer('problem', jsonOf(body));
  return new HttpError(
    call,
    status,
    'value' in problem ? problem.value : null,
    retryAfterOf(retryAfter, Date.now()),
  );
}
