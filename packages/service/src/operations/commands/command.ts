import type { ParseArgsOptionsConfig } from 'node:util';
import type { Db } from '../../db/schema.ts';

/** A line of what a command tells; the names are those of `--json`. */
export type Row = Readonly<Record<string, string | number | boolean | Date | null>>;

export interface Given {
  /** The words after the command, without options. */
  words: readonly string[];
  options: Readonly<Record<string, string | boolean | undefined>>;
}

/** A command of the operator on the database. */
export interface Command {
  /** Its forms, without the name of the program, each with what it does. */
  forms: readonly (readonly [form: string, does: string])[];
  options?: ParseArgsOptionsConfig;
  /** Gives rows, or a sentence. Throws {@link CommandError}. */
  run(db: Db, given: Given): Promise<readonly Row[] | string>;
}

/** What the operator asks for cannot be done; the message says what to do. */
export class CommandError extends Error {
  override name = 'CommandError';
}

/** It is not one of the forms. */
export class UsageError extends CommandError {}
