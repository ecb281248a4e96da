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

/** The present word for an older one; any other value as it is. */
export const presentStatus = (value: unknown): unknown =>
  typeof value === 'string' && Object.hasOwn(legacyStatuses, value) ? legacyStatuses[value] : value;

/** Names the value: a state that nobody knows must not pass for one that is known. */
export const unknownStatus = (value: unknown): string =>
  `unknown status ${JSON.stringify(value)}: expected one of ${[...statuses, ...Object.keys(legacyStatuses)].join(', ')}`;
