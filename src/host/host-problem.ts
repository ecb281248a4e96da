import type * as z from 'zod/mini';
import {
  fieldErrors,
  problemStatuses,
  type FieldError,
  type Problem,
  type ProblemCode,
} from '../contract/problem.ts';
import { answerHeaders } from './answer-headers.ts';

const titles: Readonly<Record<ProblemCode, string>> = {
  'invalid-request': 'Invalid request',
  unauthenticated: 'Not logged in',
  'export-limit': 'Export limit reached',
  forbidden: 'Not allowed',
  'clip-not-found': 'Clip not found',
  'export-not-found': 'Export not found',
  'not-found': 'Not found',
  'method-not-allowed': 'Method not allowed',
  'attempt-mismatch': 'Attempt key used for another request',
  'body-too-large': 'Body too large',
  'unsupported-media-type': 'Unsupported media type',
  unprocessable: 'The request cannot be carried out',
  'rate-limited': 'Too many requests',
  'internal-error': 'Internal error',
  'service-error': 'The clip service failed',
  'service-unavailable': 'The clip service cannot be reached',
  'service-timeout': 'The clip service did not answer in time',
};

interface Details {
  readonly detail?: string;
  readonly errors?: readonly FieldError[];
  readonly unknownOutcome?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/** A refusal or failure, answered as `application/problem+json`. */
export class HostProblem extends Error {
  readonly code: ProblemCode;
  readonly details: Details;

  constructor(code: ProblemCode, details: Details = {}) {
    super(details.detail ?? titles[code], { cause: details.cause });
    this.name = 'HostProblem';
    this.code = code;
    this.details = details;
  }

  get status(): number {
    return problemStatuses[this.code];
  }

  toResponse(): Response {
    const { detail, errors, unknownOutcome, headers } = this.details;
    const body: Problem = {
      type: 'about:blank',
      title: titles[this.code],
      status: this.status,
      code: this.code,
      ...(detail ? { detail } : {}),
      ...(errors?.length ? { errors: [...errors] } : {}),
      ...(unknownOutcome ? { unknown_outcome: true } : {}),
    };
    return new Response(JSON.stringify(body), {
      status: this.status,
      headers: { ...answerHeaders, ...headers, 'Content-Type': 'application/problem+json' },
    });
  }
}

/** The parsed value, or a 400 `invalid-request` that names every invalid field. */
export const parsedOrRefused = <T extends z.core.$ZodType>(
  schema: T & { safeParse(value: unknown): z.core.util.SafeParseResult<z.output<T>> },
  value: unknown,
): z.output<T> => {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const errors = fieldErrors(result.error);
  throw new HostProblem('invalid-request', {
    detail: errors.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join('; '),
    errors,
  });
};
