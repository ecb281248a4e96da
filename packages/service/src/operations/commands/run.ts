import { parseArgs } from 'node:util';
import { readEnvironment } from '../../config/environment.ts';
import { withDatabase } from '../maintenance.ts';
import { columns, type Command, UsageError } from './command.ts';
import { drain, jobs, retry } from './work.ts';
import { hostSecrets, tokenSecret } from './secrets.ts';
import { keys, organizations, plans } from './organizations.ts';
import { webhooks } from './webhooks.ts';

const commands: Readonly<Record<string, Command>> = {
  organizations,
  keys,
  plans,
  webhooks,
  jobs,
  retry,
  drain,
  'token-secret': tokenSecret,
  'host-secrets': hostSecrets,
};

const formsOf = ({ forms }: Command): string =>
  forms.map(([form, does]) => `  clip-service ${form}\n      ${does}\n`).join('');

/** The forms of all commands. */
export const commandForms = `${Object.values(commands).map(formsOf).join('')}
With --json each prints JSON, for programs. They work on the database of the environment
(DATABASE_URL, or DATA_DIR of a service that does not run).
`;

export const isCommand = (name: string | undefined): boolean =>
  name !== undefined && Object.hasOwn(commands, name);

/** Returns the command's output. Throws `CommandError`, and what `withDatabase` throws. */
export async function runCommand(
  name: string,
  args: string[],
  environment: NodeJS.ProcessEnv,
): Promise<string> {
  const command = commands[name]!;
  const usage = `usage:\n${formsOf(command)}`;
  const given = parse(command, args, usage);
  if (given.options['help']) return usage;
  const config = readEnvironment(environment);
  const result = await withDatabase(config, { change: false }, ({ db }) =>
    command.run(db, given),
  ).catch((error: unknown) => {
    throw error instanceof UsageError ? new UsageError(usage.trimEnd()) : error;
  });
  if (given.options['json']) {
    return `${JSON.stringify(typeof result === 'string' ? { message: result } : result)}\n`;
  }
  return typeof result === 'string' ? `${result}\n` : columns(result);
}

function parse(command: Command, args: string[], usage: string) {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        ...command.options,
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    return { words: positionals, options: values as Record<string, string | boolean | undefined> };
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n${usage.trimEnd()}`);
  }
}
