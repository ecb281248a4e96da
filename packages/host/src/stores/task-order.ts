import type { TaskPlace } from './store.ts';

/** Newest first; of the same moment, by id. */
export const inOrder = (a: TaskPlace, b: TaskPlace): number =>
  b.startedAt - a.startedAt || (a.id < b.id ? 1 : -1);

/** Whether a task comes after this place; always for none. */
export const isAfter = (task: TaskPlace, place: TaskPlace | null): boolean =>
  place === null || inOrder(task, place) > 0;
