import type { ParseArgsOptionsConfig } from 'node:util';
import type { ServiceConfig } from '../../config/config.ts';
import type { Db } from '../../db/schema.ts';
import { findOrganization, findFirstOrganizationId } from '../../users/queries.ts';

/** A line of a command's output; the names are those of `--json`. */
export type Row = Readonly<Record<string, string | number | boolean | Date | null>>;

export interface Given {
  /** The words after the command, without options. */
  words: readonly string[];
  options: Readonly<Record<string, string | boolean | undefined>>;
}

/** A command of the operator on the database. */
export interface Command {
  /** The forms of the command, without the name of the program, each with its effect. */
  forms: readonly (readonly [form: string, does: string])[];
  options?: ParseArgsOptionsConfig;
  /** Returns rows, a sentence, or a value to print as JSON. Throws {@link CommandError}. */
  run(
    db: Db,
    given: Given,
    config: Pick<ServiceConfig, 'privateClips' | 's3'>,
  ): Promise<readonly Row[] | string | { json: object }>;
}

/** The error of a command that cannot be carried out; the message says what to do. */
export class CommandError extends Error {
  override name = 'CommandError';
}

/** The error of a command that has none of the forms. */
export class CommandUsageError extends CommandError {}

/** The organization that is named, or the first one. */
export async function chooseOrganization(db: Db, id: string | undefined): Promise<string> {
  if (id === undefined) {
    const first = await findFirstOrganizationId(db);
    if (first !== undefined) return first;
    throw new CommandError('There is no organization. Start the service once, or create one.');
  }
  if (await findOrganization(db, id)) return id;
  throw new CommandError(
    `There is no organization ${id}. See them with: clip-service organizations`,
  );
}

function formatCell(value: Row[string] | undefined): string {
  if (value instanceof Date) return value.toISOString();
  return value === null || value === undefined ? '-' : String(value);
}

/** Rows in columns. */
export function formatColumns(rows: readonly Row[]): string {
  const [first] = rows;
  if (!first) return 'Nothing.\n';
  const names = Object.keys(first);
  const lines = [names, ...rows.map((row) => names.map((name) => formatCell(row[name])))];
  const widths = names.map((_, at) => Math.max(...lines.map((line) => line[at]!.length)));
  return lines
    .map(
      (line) =>
        `${line
          .map((text, at) => text.padEnd(widths[at]!))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}
