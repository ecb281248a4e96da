import { HttpError, SchemaError, TransportError } from 'clip-kit/client';
import {
  type FieldError,
  listFieldErrors,
  type Problem,
  type ProblemCode,
  problemStatuses,
  problemTitles,
} from 'clip-kit/contract';
import type * as z from 'zod/mini';

/**
 * The headers of every answer: it is for one user, must not be stored, and has the type that it
 * declares. A plain object, because servers send it without the cost of a `Headers`.
 */
export const answerHeaders = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  Vary: 'Authorization, Cookie, Origin',
} as const;

interface Details {
  readonly detail?: string | undefined;
  readonly errors?: readonly FieldError[];
  /** Whether a start may have been carried out; only if the problem is about a start. */
  readonly unknownOutcome?: boolean | undefined;
  /** When a start of unknown outcome was last sent; ISO 8601. */
  readonly startedAt?: string | undefined;
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
    const { detail, errors, unknownOutcome, startedAt, headers } = this.details;
    const body: Problem = {
      type: 'about:blank',
      title: problemTitles[this.code],
      status: this.status,
      code: this.code,
      ...(detail ? { detail } : {}),
      ...(errors?.length ? { errors: [...errors] } : {}),
      ...(unknownOutcome === undefined ? {} : { unknown_outcome: unknownOutcome }),
      ...(startedAt === undefined ? {} : { started_at: startedAt }),
    };
    return new Response(JSON.stringify(body), {
      status: this.status,
      headers: { ...answerHeaders, ...headers, 'Content-Type': 'application/problem+json' },
    });
  }
}

/** The parsed value, or a 400 `invalid-request` that names every invalid field. */
export function parseOrRefuse<T extends z.core.$ZodType>(
  schema: T & { safeParse(value: unknown): z.core.util.SafeParseResult<z.output<T>> },
  value: unknown,
): z.output<T> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const errors = listFieldErrors(result.error);
  throw new HostProblem('invalid-request', {
    detail: errors.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join('; '),
    errors,
  });
}

/** The subject of a call to the service; decides what a 404 means. */
export type Subject = 'clip' | 'export' | 'task' | 'upload' | 'user';

const missing: Readonly<Record<Subject, ProblemCode>> = {
  clip: 'clip-not-found',
  export: 'export-not-found',
  task: 'not-found',
  upload: 'upload-not-found',
  user: 'service-error',
};

/**
 * The problem to report to the browser for a failed call to the service. Of the service's own text,
 * only the field errors of a refused request are passed on, and why it refuses a file. `paid` marks
 * a start: unless the failure proves that the start was not carried out, its outcome is unknown.
 */
export function makeUpstreamProblem(cause: unknown, subject: Subject, paid = false): HostProblem {
  if (cause instanceof HostProblem) return cause;
  const unknownOutcome = paid || undefined;
  if (cause instanceof TransportError) {
    return new HostProblem(cause.timedOut ? 'service-timeout' : 'service-unavailable', {
      unknownOutcome,
      cause,
    });
  }
  if (cause instanceof SchemaError) {
    return new HostProblem('service-error', { unknownOutcome, cause });
  }
  if (!(cause instanceof HttpError)) return new HostProblem('internal-error', { cause });
  const { status, problem, retryAfter } = cause;
  const errors = problem?.errors ?? [];
  if (status === 402) return new HostProblem('export-limit', { cause });
  // 405: what the page sent as an id is a word in an address of the service.
  const isNoId = status === 404 || status === 405;
  if (isNoId || (status === 400 && subject === 'clip' && !errors.length)) {
    return new HostProblem(missing[subject], { cause });
  }
  const isUpload = subject === 'upload';
  const detail = (isUpload && problem?.detail) || undefined;
  if (isUpload && status === 413) {
    return new HostProblem('upload-too-large', { detail, errors, cause });
  }
  if (isUpload && status === 409) return new HostProblem('attempt-mismatch', { detail, cause });
  if (status === 507 && (isUpload || subject === 'task')) {
    return new HostProblem('storage-full', { detail, unknownOutcome, cause });
  }
  // Somebody else was faster: the page reads the edit again.
  if (status === 412) return new HostProblem('revision-changed', { cause });
  if (status === 400 || status === 422) {
    return new HostProblem(status === 400 ? 'invalid-request' : 'unprocessable', {
      detail: detail ?? errors.map(({ message }) => message).join(' '),
      errors,
      cause,
    });
  }
  if (status === 429) {
    return new HostProblem('rate-limited', {
      detail,
      headers: { 'Retry-After': String(Math.ceil((retryAfter ?? 5000) / 1000)) },
      cause,
    });
  }
  if (status === 503) {
    return new HostProblem('service-unavailable', { unknownOutcome, cause });
  }
  if (status === 504) return new HostProblem('service-timeout', { unknownOutcome, cause });
  // 408: a proxy may have given up on a call that succeeded. 409: the attempt's key is known, with
  // other options: an earlier call with it has succeeded.
  const isUnknown = status >= 500 || status === 408 || status === 409;
  return new HostProblem('service-error', {
    detail: status === 401 ? 'The service rejected the API key of this host.' : undefined,
    unknownOutcome: isUnknown ? unknownOutcome : undefined,
    cause,
  });
}
