import { ProcessError, ProgramError } from './process-error.ts';

/** What the machine lacks, which is neither the request's fault nor the video's. `message` is for a person. */
export interface MachineFault {
  code: 'disk-full' | 'program-missing' | 'program-killed';
  message: string;
  /** Whether the same may go well in a moment. */
  transient: boolean;
}

/** Of Node (EFBIG: the service itself is under a limit) and of Postgres (53100). */
const diskCodes: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', '53100']);

const saysDiskFull = (error: Error): boolean =>
  diskCodes.has((error as NodeJS.ErrnoException).code) ||
  (error instanceof ProcessError && error.end === 'disk-full');

/** The machine's fault behind an error, or behind what caused it; null where there is none. */
export function machineFault(error: unknown): MachineFault | null {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (saysDiskFull(at)) {
      return {
        code: 'disk-full',
        message:
          'There is not enough room on the disk of the service. Ask its operator to make some, then try again.',
        transient: false,
      };
    }
    if (at instanceof ProgramError) {
      return {
        code: 'program-missing',
        message: 'A program that the service needs is missing. Ask its operator to read the log.',
        transient: false,
      };
    }
    if (at instanceof ProcessError && at.end === 'killed') {
      return {
        code: 'program-killed',
        message:
          'A program of the service was stopped from outside, which machines do that are short of memory. Try again later.',
        transient: true,
      };
    }
  }
  return null;
}
