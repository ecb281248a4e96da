import * as z from 'zod/mini';

/** The codes of the host contract, each with the HTTP status that carries it. */
export const problemStatuses = {
  'invalid-request': 400,
  unauthenticated: 401,
  'session-expired': 401,
  'session-refused': 401,
  'export-limit': 402,
  forbidden: 403,
  'clip-not-found': 404,
  'export-not-found': 404,
  'upload-not-found': 404,
  'endpoint-not-found': 404,
  'not-found': 404,
  'method-not-allowed': 405,
  'account-changed': 409,
  'attempt-mismatch': 409,
  'in-progress': 409,
  'outcome-unknown': 409,
  'revision-changed': 412,
  'body-too-large': 413,
  'upload-too-large': 413,
  'unsupported-media-type': 415,
  unprocessable: 422,
  'revision-missing': 428,
  'rate-limited': 429,
  'internal-error': 500,
  'not-supported': 501,
  'service-error': 502,
  'service-unavailable': 503,
  'service-timeout': 504,
  'storage-full': 507,
} as const;

export type ProblemCode = keyof typeof problemStatuses;

/** The `title` of each code, for a person. */
export const problemTitles: Readonly<Record<ProblemCode, string>> = {
  'invalid-request': 'Invalid request',
  unauthenticated: 'Not logged in',
  'session-expired': 'The session has ended',
  'session-refused': 'The session cannot be accepted',
  'export-limit': 'Export limit reached',
  forbidden: 'Not allowed',
  'clip-not-found': 'Clip not found',
  'export-not-found': 'Export not found',
  'upload-not-found': 'Upload not found',
  'endpoint-not-found': 'No such address',
  'not-found': 'Not found',
  'method-not-allowed': 'Method not allowed',
  'account-changed': 'Another account is signed in',
  'attempt-mismatch': 'Attempt key used for another request',
  'in-progress': 'The start is still being carried out',
  'outcome-unknown': 'It is not known whether the start was carried out',
  'revision-changed': 'Changed by another user',
  'body-too-large': 'Body too large',
  'upload-too-large': 'File too large',
  'unsupported-media-type': 'Unsupported media type',
  unprocessable: 'The request cannot be carried out',
  'revision-missing': 'No revision given',
  'rate-limited': 'Too many requests',
  'internal-error': 'Internal error',
  'not-supported': 'The clip service cannot do this',
  'service-error': 'The clip service failed',
  'service-unavailable': 'The clip service cannot be reached',
  'service-timeout': 'The clip service did not answer in time',
  'storage-full': 'No space left for files',
};

/** One invalid field: its path, and why it is invalid. */
export const fieldErrorSchema = z.object({
  /**
   * Dotted path in the body or query, such as `editing_options.captions`; empty for the whole body.
   */
  path: z.string(),
  message: z.string(),
});

export type FieldError = z.output<typeof fieldErrorSchema>;

/** An error body, `application/problem+json` (RFC 9457) with a `code`. */
export const problemSchema = z.object({
  type: z._default(z.string(), 'about:blank'),
  title: z._default(z.string(), ''),
  status: z.optional(z.int()),
  /**
   * A {@link ProblemCode} if it comes from this project's host or service. Another host may send
   * its own codes.
   */
  code: z.optional(z.string()),
  detail: z.optional(z.string()),
  errors: z.optional(z.array(fieldErrorSchema)),
  /** False if a start failed before anything was started. True if it may have succeeded. */
  unknown_outcome: z.optional(z.boolean()),
  /** The time of the start, in `outcome-unknown`. Send it back to have the start sent again. */
  started_at: z.optional(z.string()),
});

export type Problem = z.output<typeof problemSchema>;

/**
 * Turns the issues of a failed parse into the `errors` of a problem, with one entry per unknown
 * field.
 */
export const listFieldErrors = (error: Pick<z.core.$ZodError, 'issues'>): FieldError[] =>
  error.issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({
        path: [...issue.path, key].join('.'),
        message: 'unknown field',
      }));
    }
    return [{ path: issue.path.join('.'), message: makeMessage(issue) }];
  });

/** zod/mini has no built-in messages. */
function makeMessage(issue: z.core.$ZodIssue): string {
  if (issue.message !== 'Invalid input') return issue.message;
  if (issue.code === 'invalid_type') return `expected ${issue.expected}`;
  return issue.code === 'invalid_value'
    ? `expected one of ${issue.values.map(String).join(', ')}`
    : issue.message;
}
