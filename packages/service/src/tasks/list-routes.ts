import { taskPageSchema } from 'clip-kit/contract';
import type { Handler } from 'hono';
import * as z from 'zod/mini';
import type { ServiceContext } from '../context.ts';
import { readPreviewWork } from '../exports/estimate-queries.ts';
import type { ShownTask } from './shown-queries.ts';
import { listTasks } from './list-queries.ts';
import { exportAddress } from '../storage/export-address.ts';
import { taskObject } from './task-object.ts';
import { fit, readQuery } from '../http/body.ts';
import { holdOf } from '../http/hold.ts';
import { json } from '../http/json.ts';
import type { AppEnv } from '../http/methods.ts';
import { cursorSchema, nextPage } from '../http/page-cursor.ts';
import { Pacer } from '../http/pacer.ts';

export type TaskListNeeds = Pick<
  ServiceContext,
  'changes' | 'closing' | 'db' | 'estimates' | 'files' | 'publicUrl'
>;

const defaultLimit = 20;

const querySchema = z.extend(taskPageSchema, { cursor: z.optional(cursorSchema) });

/**
 * When a task will be ready. Before its clips are known, nobody knows how long a task will take.
 */
export async function estimateOf(
  service: Pick<ServiceContext, 'db' | 'estimates'>,
  { id, status, stage }: ShownTask,
): Promise<Date | undefined> {
  if (status !== 'processing' || stage !== 'preview') return undefined;
  return (await service.estimates.current()).taskReady(await readPreviewWork(service.db, id));
}

/** The user's tasks: an extension of the specification. */
export function taskList(service: TaskListNeeds): Handler<AppEnv> {
  const answers = new Pacer();
  return async (c) => {
    const { limit = defaultLimit, cursor: after } = fit(querySchema, readQuery(c), 'query');
    const userId = c.get('user').id;
    const hold = holdOf(c, service);
    await service.changes.taskListChanged(userId, hold);
    // A change may end thousands of holds at once.
    if (hold.ms > 0) await answers.next();
    const rows = await listTasks(service.db, userId, { limit: limit + 1, after });
    const shown = rows.slice(0, limit);
    const last = rows.length > limit ? shown.at(-1) : undefined;
    const tasks = await Promise.all(
      shown.map(async (row) =>
        taskObject(row, exportAddress(service), await estimateOf(service, row)),
      ),
    );
    return json(tasks, 200, {
      ...hold.headers,
      ...(last && { Link: nextPage(service, c, 'tasks', last) }),
    });
  };
}
