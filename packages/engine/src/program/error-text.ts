import { withoutPaths } from './ffmpeg-process.ts';

/**
 * The text of an error for logs and messages, without paths: they would show names that must stay
 * private.
 */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return withoutPaths(String(error));
  // The messages of file system errors contain the path.
  const { code, syscall } = error as NodeJS.ErrnoException;
  return code !== undefined && syscall !== undefined
    ? `${code} (${syscall})`
    : withoutPaths(error.message);
}
