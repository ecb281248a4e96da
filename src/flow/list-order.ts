import type { Project } from '../contract/project.ts';
import type { Task } from '../contract/task.ts';

/** Clips that were watched most first. Those that were watched alike stay in their order. */
export const sortByViews = (clips: readonly Project[]): Project[] =>
  clips.toSorted((a, b) => (b.views ?? 0) - (a.views ?? 0));

/**
 * Returns the order of a list after it was read again. Shown items stay in place, so that nothing
 * moves under a pointer; a new id follows the same neighbour as in `read`.
 */
export function mergeOrder(shown: readonly string[], read: readonly string[]): string[] {
  const wanted = new Set(read);
  const order = shown.filter((id) => wanted.has(id));
  const known = new Set(order);
  read.forEach((id, at) => {
    if (known.has(id)) return;
    known.add(id);
    order.splice(at ? order.indexOf(read[at - 1]!) + 1 : 0, 0, id);
  });
  return order;
}

/**
 * Returns the videos after the newest page was read again. Later videos stay; videos that are
 * missing from the page were deleted. `hasMore`: there are others after the page.
 */
export function mergeVideos(
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
