/** The states of a task or an export (specification, section 3). */
export const statuses = ['processing', 'ready', 'error'] as const;

export type Status = (typeof statuses)[number];

/** The legacy status words of section 3.3 and their current words. */
const legacyStatuses: Readonly<Record<string, Status>> = {
  pending: 'processing',
  in_progress: 'processing',
  completed: 'ready',
  failed: 'error',
};

/** Replaces a legacy status word with the current one; returns any other value unchanged. */
export const presentStatus = (value: unknown): unknown =>
  typeof value === 'string' && Object.hasOwn(legacyStatuses, value) ? legacyStatuses[value] : value;

/** The message includes the value, so that an unknown status cannot be mistaken for a known one. */
export const unknownStatus = (value: unknown): string =>
  `unknown status ${JSON.stringify(value)}: expected one of ${[...statuses, ...Object.keys(legacyStatuses)].join(', ')}`;
