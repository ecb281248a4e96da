import { parseArgs } from 'node:util';
import { readEnvironment } from '../../config/environment.ts';
import { withDatabase } from '../maintenance.ts';
import { formatColumns, type Command, CommandUsageError } from './command.ts';
import { linkKeys, privateClips } from './links.ts';
import { users } from './users.ts';
import { views } from './views.ts';
import { hostSecrets, keys, organizations, plans, tokenSecret, webhooks } from './organizations.ts';
import { listRunningWork, readQueueState } from '../../queue/queries.ts';
import { listFailedWork, retryWork } from '../queries.ts';
import { setDrained } from '../machine-health.ts';

export const jobs: Command = {
  forms: [
    ['jobs', 'counts waiting and running jobs by kind'],
    ['jobs running', 'lists running jobs'],
    ['jobs failed', 'lists the last 100 failed tasks and exports'],
  ],
  async run(db, { words: [verb, ...more] }) {
    if (more.length > 0) throw new CommandUsageError();
    if (verb === 'running') return listRunningWork(db);
    if (verb === 'failed') return listFailedWork(db);
    if (verb !== undefined) throw new CommandUsageError();
    return (await readQueueState(db)).map(({ kind, waiting, running, oldestSeconds }) => ({
      kind,
      waiting,
      running,
      oldest_seconds: Math.round(oldestSeconds),
    }));
  },
};

const outcomes = {
  retried: 'is retried within a minute',
  'not-failed': 'has not failed',
  'needs-new':
    'cannot be retried: its watermark or its clips belong to the first run. Start a new one',
} as const;

export const retry: Command = {
  forms: [['retry ID…', 'retries failed tasks and exports']],
  async run(db, { words }) {
    if (words.length === 0) throw new CommandUsageError();
    const rows = [];
    for (const id of words) rows.push({ id, outcome: outcomes[await retryWork(db, id)] });
    return rows;
  },
};

export const drain: Command = {
  forms: [
    ['drain', 'pauses all workers: running jobs finish, and no new ones start'],
    ['drain --end', 'resumes all workers'],
  ],
  options: { end: { type: 'boolean' } },
  async run(db, { words, options }) {
    if (words.length > 0) throw new CommandUsageError();
    const drained = options['end'] !== true;
    await setDrained(db, drained);
    return drained
      ? 'In 10 seconds, no worker takes new jobs. See running jobs with: clip-service jobs running'
      : 'In 10 seconds, all workers take jobs again.';
  },
};

const commands: Readonly<Record<string, Command>> = {
  organizations,
  users,
  keys,
  plans,
  webhooks,
  jobs,
  retry,
  drain,
  'token-secret': tokenSecret,
  views,
  'private-clips': privateClips,
  'link-keys': linkKeys,
  'host-secrets': hostSecrets,
};

const listForms = ({ forms }: Command): string =>
  forms.map(([form, does]) => `  clip-service ${form}\n      ${does}\n`).join('');

/** The forms of all commands. */
export const commandForms = `${Object.values(commands).map(listForms).join('')}
With --json, each prints JSON. They use the database of the environment
(DATABASE_URL, or DATA_DIR of a stopped service).
`;

export const commandNames: readonly string[] = Object.keys(commands);

/** Returns the command's output. Throws `CommandError`, and what `withDatabase` throws. */
export async function runCommand(
  name: string,
  args: string[],
  environment: NodeJS.ProcessEnv,
): Promise<string> {
  const command = commands[name]!;
  const usage = `usage:\n${listForms(command)}`;
  const given = parse(command, args, usage);
  if (given.options['help']) return usage.trimEnd();
  const config = readEnvironment(environment);
  const result = await withDatabase(config, { change: false }, ({ db }) =>
    command.run(db, given, config),
  ).catch((error: unknown) => {
    throw error instanceof CommandUsageError ? new CommandUsageError(usage.trimEnd()) : error;
  });
  if (typeof result === 'object' && 'json' in result) return JSON.stringify(result.json);
  if (given.options['json']) {
    return JSON.stringify(typeof result === 'string' ? { message: result } : result);
  }
  return typeof result === 'string' ? result : formatColumns(result).trimEnd();
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
    throw new CommandUsageError(`${(error as Error).message}\n${usage.trimEnd()}`);
  }
}
