import * as z from 'zod/mini';

/** The states of a task or an export (specification, section 3). */
export const statuses = ['processing', 'ready', 'error'] as const;

export type Status = (typeof statuses)[number];

/** The older words of section 3.3, each with the state that it stands for. */
const legacyStatuses: Readonly<Record<string, Status>> = {
  pending: 'processing',
  in_progress: 'processing',
  completed: 'ready',
  failed: 'error',
};

/**
 * Reads a status in either vocabulary and gives the present one.
 * Any other value is an issue that names the value: a state that nobody knows must not pass for one that is known.
 */
export const statusSchema = z.pipe(
  z.transform((value: unknown) =>
    typeof value === 'string' && Object.hasOwn(legacyStatuses, value)
      ? legacyStatuses[value]
      : value,
  ),
  z.enum(statuses, {
    error: (issue) =>
      `unknown status ${JSON.stringify(issue.input)}: expected one of ${[...statuses, ...Object.keys(legacyStatuses)].join(', ')}`,
  }),
);
