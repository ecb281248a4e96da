import { diskFull, machineFault as engineFault, type MachineFault } from 'clip-engine';

/** Postgres' code for a full disk. */
const diskFullCode = '53100';

/**
 * Finds a problem of the machine in an error or its causes: of the engine, or of the database.
 * @returns null if it is not one
 */
export function machineFault(error: unknown): MachineFault | null {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ((at as NodeJS.ErrnoException).code === diskFullCode) return diskFull;
  }
  return engineFault(error);
}
