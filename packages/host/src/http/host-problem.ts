import type * as z from 'zod/mini';
import {
  type FieldError,
  fieldErrors,
  type Problem,
  type ProblemCode,
  problemStatuses,
  problemTitles,
} from 'clip-kit/contract';
import { answerHeaders } from './answer-headers.ts';

interface Details {
  readonly detail?: string | undefined;
  readonly errors?: readonly FieldError[];
  /** Whether a start may have been carried out; only if the problem is about a start. */
  readonly unknownOutcome?: boolean | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/** A refusal or failure, answered as `application/problem+json`. */
export class HostProblem extends Error {
  readonly code: ProblemCode;
  readonly details: Details;

  constructor(code: ProblemCode, details: Details = {}) {
    super(details.detail ?? problemTitles[code], { cause: details.cause });
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
      title: problemTitles[this.code],
      status: this.status,
      code: this.code,
      ...(detail ? { detail } : {}),
      ...(errors?.length ? { errors: [...errors] } : {}),
      ...(unknownOutcome === undefined ? {} : { unknown_outcome: unknownOutcome }),
    };
    return new Response(JSON.stringify(body), {
      status: this.status,
      headers: { ...answerHeaders, ...headers, 'Content-Type': 'application/problem+json' },
    });
  }
}

/** The parsed value, or a 400 `invalid-request` that names every invalid field. */
export function parsedOrRefused<T extends z.core.$ZodType>(
  schema: T & { safeParse(value: unknown): z.core.util.SafeParseResult<z.output<T>> },
  value: unknown,
): z.output<T> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const errors = fieldErrors(result.error);
  throw new HostProblem('invalid-request', {
    detail: errors.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join('; '),
    errors,
  });
}
