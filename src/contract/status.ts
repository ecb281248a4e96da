import * as z from 'zod/mini';
import { presentStatus, statuses, unknownStatus } from './status-words.ts';

export { statuses, type Status } from './status-words.ts';

/**
 * Accepts current and legacy status words and returns the current word. The issue for any other
 * value includes that value.
 */
export const statusSchema = z.pipe(
  z.transform(presentStatus),
  z.enum(statuses, { error: (issue) => unknownStatus(issue.input) }),
);
