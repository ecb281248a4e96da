/** Every code of {@link ClipError}. Each has a section in `docs/elements/errors.md`. */
export type ClipErrorCode =
  | 'account-changed'
  | 'attempt-mismatch'
  | 'clip-not-found'
  | 'edit-failed'
  | 'endpoint-not-found'
  | 'export-failed'
  | 'export-limit'
  | 'export-not-found'
  | 'export-outcome-unknown'
  | 'export-outcome-unresolved'
  | 'file-changed'
  | 'file-empty'
  | 'file-not-video'
  | 'file-too-large'
  | 'file-too-long'
  | 'file-unreadable'
  | 'forbidden'
  | 'frame-blank'
  | 'frame-blocked'
  | 'frame-timeout'
  | 'invalid-answer'
  | 'invalid-config'
  | 'invalid-option'
  | 'invalid-project'
  | 'invalid-request'
  | 'invalid-url'
  | 'invalid-watermark'
  | 'link-invalid'
  | 'load-failed'
  | 'missing-app-url'
  | 'missing-endpoint'
  | 'missing-folder'
  | 'missing-player-url'
  | 'missing-project'
  | 'network'
  | 'player-detached'
  | 'player-interrupted'
  | 'player-refused'
  | 'player-silent'
  | 'rate-limited'
  | 'service-error'
  | 'session-failed'
  | 'session-refused'
  | 'signed-out'
  | 'storage-full'
  | 'task-failed'
  | 'task-limit'
  | 'task-not-deleted'
  | 'task-outcome-unknown'
  | 'task-outcome-unresolved'
  | 'task-refused'
  | 'timeout'
  | 'token-failed'
  | 'unauthenticated'
  | 'upload-gone'
  | 'upload-refused';

/** Address of the documentation: the build sets it from `tools/publication.ts`. */
declare const DOCS_HOMEPAGE: string | null;

/** An error of an element. Holds no token, header or URL fragment. */
export class ClipError extends Error {
  readonly code: ClipErrorCode;
  /** HTTP status of the answer that caused it, or null. */
  readonly status: number | null;
  /** Whether trying again may help. */
  readonly retryable: boolean;

  constructor(
    code: ClipErrorCode,
    message: string,
    options: { status?: number | null; retryable?: boolean; cause?: unknown } = {},
  ) {
    super(message, options);
    this.name = 'ClipError';
    this.code = code;
    this.status = options.status ?? null;
    this.retryable = !!options.retryable;
  }

  /** The address of the section that explains the code; null if no documentation is published. */
  get help(): string | null {
    return typeof DOCS_HOMEPAGE === 'string'
      ? `${DOCS_HOMEPAGE}elements/errors#${this.code}`
      : null;
  }
}

/** A part of the kit, or of the page's own code, could not be fetched or run. */
export const loadFailed = (cause: unknown): ClipError =>
  new ClipError('load-failed', 'A part of this page could not be loaded. Reload the page.', {
    cause,
    retryable: true,
  });

/** Whether it is a {@link ClipError}, also one of another copy of the kit on the page. */
export const isClipError = (value: unknown): value is ClipError =>
  value instanceof Error && value.name === 'ClipError';

/** Returns a thrown value as an error that can be shown. */
export const asClipError = (cause: unknown): ClipError =>
  isClipError(cause) ? cause : loadFailed(cause);

/** The module of an `import()`; rejects with a `ClipError` if it cannot be fetched. */
export const loadPart = <T>(part: Promise<T>): Promise<T> =>
  part.catch((cause: unknown) => {
    throw loadFailed(cause);
  });
