import { ClipError } from '../client/clip-error.ts';

/** The module of an `import()`; rejects with a {@link ClipError} if it cannot be fetched. */
export async function loadPart<T>(part: Promise<T>): Promise<T> {
  try {
    return await part;
  } catch (cause) {
    throw new ClipError(
      'load-failed',
      'A part of this page could not be loaded. Reload the page.',
      {
        cause,
        retryable: true,
      },
    );
  }
}
