import { loadFailed } from '../client/clip-error.ts';

/** The module of an `import()`; rejects with a `ClipError` if it cannot be fetched. */
export const loadPart = <T>(part: Promise<T>): Promise<T> =>
  part.catch((cause: unknown) => {
    throw loadFailed(cause);
  });
