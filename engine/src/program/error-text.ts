import { withoutPaths } from './ffmpeg-process.ts';

/** What the log and reasons say of an error: no directory, no file's name that nobody may guess. */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return withoutPaths(String(error));
  // Errors of the file system name the path in their message.
  const { code, syscall } = error as NodeJS.ErrnoException;
  return code !== undefined && syscall !== undefined
    ? `${code} (${syscall})`
    : withoutPaths(error.message);
}
