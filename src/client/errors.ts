import type { FieldError, Problem } from '../contract/problem.ts';

/** A call in messages: the method and the path, never a header, a body or a query. */
export interface CallName {
  readonly method: string;
  readonly path: string;
}

const named = (call: CallName): string => `${call.method} ${call.path}`;

/** Base class of the errors of a call. None of them holds a header, a key or a token. */
export abstract class CallError extends Error {
  readonly call: CallName;

  constructor(call: CallName, message: string, options?: ErrorOptions) {
    super(`${named(call)}: ${message}`, options);
    this.call = call;
    this.name = new.target.name;
  }
}

/**
 * No answer came: no connection, a lost connection, or a timeout. Whether the call was carried out
 * is not known.
 */
export class TransportError extends CallError {
  /** True after a timeout. */
  readonly timedOut: boolean;

  constructor(call: CallName, timedOut: boolean, options?: ErrorOptions) {
    super(
      call,
      timedOut ? 'no answer in the time given' : 'no answer (connection failed)',
      options,
    );
    this.timedOut = timedOut;
  }
}

/** An answer with a status other than 2xx. */
export class HttpError extends CallError {
  readonly status: number;
  /** The problem body, or null if there was none. */
  readonly problem: Problem | null;
  /** Milliseconds of the `Retry-After` header, or null. */
  readonly retryAfter: number | null;

  constructor(
    call: CallName,
    status: number,
    problem: Problem | null,
    retryAfter: number | null,
    options?: ErrorOptions,
  ) {
    super(call, `answered ${status}${problem?.code ? ` (${problem.code})` : ''}`, options);
    this.status = status;
    this.problem = problem;
    this.retryAfter = retryAfter;
  }
}

/** A 2xx answer whose body does not have the specified shape. */
export class SchemaError extends CallError {
  readonly errors: readonly FieldError[];

  constructor(call: CallName, errors: readonly FieldError[], options?: ErrorOptions) {
    const [first] = errors;
    const where = first ? ` (${first.path || 'body'}: ${first.message})` : '';
    super(call, `answered with an unexpected body${where}`, options);
    this.errors = errors;
  }
}
