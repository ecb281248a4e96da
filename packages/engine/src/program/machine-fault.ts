import { ProcessError, ProgramError } from './process-error.ts';

/** A problem of the machine, not of the request or the video. `message` is for a person. */
export interface MachineFault {
  code: 'disk-full' | 'program-missing' | 'program-killed';
  message: string;
  /** Whether the same work may succeed later. */
  transient: boolean;
}

/** Error codes of Node. EFBIG: this process itself has a file size limit. */
const diskCodes: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

export const diskFull: MachineFault = {
  code: 'disk-full',
  message: 'The disk of the service is full. Ask its operator to free some space, then try again.',
  transient: false,
};

const saysDiskFull = (error: Error): boolean =>
  diskCodes.has((error as NodeJS.ErrnoException).code) ||
  (error instanceof ProcessError && error.end === 'disk-full');

/**
 * Finds a problem of the machine in an error or its causes.
 * @returns null if it is not one
 */
export function machineFault(error: unknown): MachineFault | null {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (saysDiskFull(at)) return diskFull;
    if (at instanceof ProgramError) {
      return {
        code: 'program-missing',
        message: 'A program that the service needs is missing. Ask its operator to check the log.',
        transient: false,
      };
    }
    if (at instanceof ProcessError && at.end === 'killed') {
      return {
        code: 'program-killed',
        message:
          'A program of the service was stopped by the machine, probably because it is short of memory. Try again later.',
        transient: true,
      };
    }
  }
  return null;
}
