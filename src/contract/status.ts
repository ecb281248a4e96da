import * as z from 'zod/mini';
import { presentStatus, statuses, unknownStatus } from './status-words.ts';

export { statuses, type Status } from './status-words.ts';

/** Reads a status in either vocabulary and gives the present one. Any other value is an issue that names the value. */
export const statusSchema = z.pipe(
  z.transform(presentStatus),
  z.enum(statuses, { error: (issue) => unknownStatus(issue.input) }),
);
