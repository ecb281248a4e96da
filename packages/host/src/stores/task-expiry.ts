/** The age at which a store may forget a task: longer than services keep videos. */
export const taskKeptMs = 366 * 24 * 60 * 60 * 1000;

/** Maximum number of expired tasks that one new task removes. */
export const maxSweptTasks = 100;
