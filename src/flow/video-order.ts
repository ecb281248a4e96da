import type { Task } from '../contract/task.ts';

/**
 * The videos after the newest page was read again. What comes after that page stays; what belongs
 * into it and is not there is gone. `hasMore`: there are others after the page.
 */
export function mergedVideos(
  page: readonly Task[],
  known: readonly Task[],
  hasMore: boolean,
): Task[] {
  const last = page.at(-1);
  if (!hasMore || !last) return [...page];
  const read = new Set(page.map(({ id }) => id));
  return [
    ...page,
    ...known.filter(({ id, created_at: at }) => !read.has(id) && at <= last.created_at),
  ];
}
