import type { StartedTask, TaskPlace } from './store.ts';
import { storedId } from './stored-id.ts';

/** A task as the databases keep it. */
export interface TaskRow {
  readonly started_at: number;
  readonly task: string;
}

/** What a column of text can hold of any id and name. */
export const taskText = ({ id, name }: StartedTask): string => JSON.stringify([id, name]);

export function startedTaskOf(hostUser: string, { started_at, task }: TaskRow): StartedTask {
  const [id, name] = JSON.parse(task) as [string, string];
  return { hostUser, id, name, startedAt: started_at };
}

/** The start and the stored id that all later rows are below; without a place, above all rows. */
export const afterPlace = async (place: TaskPlace | null): Promise<[number, string]> =>
  place ? [place.startedAt, await storedId(place.id)] : [Number.MAX_SAFE_INTEGER, ''];
