#!/usr/bin/env node
import { errorText, ffmpegAbilities, PresetError } from 'clip-engine';
import { EnvironmentError, readEnvironment } from './config/environment.ts';
import { SchemaMismatch } from './db/migrate.ts';
import { isDatabaseGone } from './db/unavailable.ts';
import { logLines } from './log-lines.ts';
import { sweepStorage } from './sweep.ts';
import { startService, startWorker, type RunningService } from './service.ts';
import { DataDirectoryInUse } from './storage/data-lock.ts';
import { StorageMismatch } from './storage/identity.ts';
import { StorageRefused, StorageUnavailable } from './storage/unavailable.ts';

const usage = 'usage: clip-service [api|worker|all], or clip-service sweep [--dry-run]';

/** Only this file knows that it is a process: environment, output, signals, exit code. */
function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

/** Why, by the innermost cause: the system's or the database server's own words. */
function reasonOf(error: unknown): string {
  let at = error as NodeJS.ErrnoException;
  while (at.cause instanceof Error) at = at.cause;
  return at.message || at.code || at.name;
}

function explain(error: unknown): string {
  if (
    error instanceof EnvironmentError ||
    error instanceof DataDirectoryInUse ||
    error instanceof StorageMismatch ||
    error instanceof StorageRefused ||
    error instanceof SchemaMismatch ||
    error instanceof PresetError
  )
    return error.message;
  if (error instanceof StorageUnavailable) {
    return `${error.message} Start it, or check S3_ENDPOINT.`;
  }
  if (isDatabaseGone(error)) {
    return `The database cannot be reached: ${reasonOf(error)}. Start it, or check DATABASE_URL.`;
  }
  const { code, port, message } = error as NodeJS.ErrnoException & { port?: number };
  if (code === 'EADDRINUSE') {
    return `Port ${port} is taken by another program. Stop it, or set PORT to another number.`;
  }
  return error instanceof Error ? (error.stack ?? message) : String(error);
}

/** `clip-service sweep [--dry-run]` */
async function sweep(flags: readonly string[]): Promise<never> {
  const dryRun = flags[0] === '--dry-run';
  if (flags.length > (dryRun ? 1 : 0)) fail(usage);
  let [files, bytes] = [0, 0];
  try {
    await sweepStorage(readEnvironment(process.env), {
      dryRun,
      onOrphan: (orphan) => {
        files += 1;
        bytes += orphan.bytes;
        process.stdout.write(`${orphan.bytes}\t${orphan.key}\n`);
      },
    });
  } catch (error) {
    return fail(explain(error));
  }
  const done = dryRun ? 'would be removed' : 'removed';
  process.stdout.write(`${files} files with ${bytes} bytes ${done}.\n`);
  process.exit(0);
}

/** `clip-service api` is `ROLE=api clip-service`. */
function environment(): NodeJS.ProcessEnv {
  const [role, ...more] = process.argv.slice(2);
  if (more.length > 0) fail(usage);
  return role === undefined ? process.env : { ...process.env, ROLE: role };
}

async function start(): Promise<RunningService | Pick<RunningService, 'close'>> {
  try {
    const read = readEnvironment(environment());
    const config = { ...read, log: logLines(read.logLevel ?? 'info') };
    process.stdout.write(
      'Starting the clip service (the first start sets up its database and takes some seconds).\n',
    );
    // Without it the service still answers, and each task says that a program is missing.
    await ffmpegAbilities().catch((error: unknown) => {
      process.stderr.write(`Clips cannot be made: ${errorText(error)}\n`);
    });
    return await (config.role === 'worker' ? startWorker(config) : startService(config));
  } catch (error) {
    return fail(explain(error));
  }
}

const addresses = (service: RunningService): string[] => [
  `API:     ${service.url}/v2  (its description: ${service.url}/v2/openapi.json)`,
  `Player:  ${service.url}/player/{project_id}`,
  `Embed:   ${service.url}/embed/{project_id}#external_access_token=...`,
  `Health:  ${service.url}/healthz`,
  ...(service.apiKey === null
    ? []
    : [`API key: ${service.apiKey}  (made now and shown this once: keep it)`]),
];

if (process.argv[2] === 'sweep') await sweep(process.argv.slice(3));
// Nothing is lost by an end while it starts. Without a handler, the first process of a container
// does not hear of signals at all.
const exit = () => process.exit(0);
process.once('SIGINT', exit);
process.once('SIGTERM', exit);
const service = await start();
process.off('SIGINT', exit);
process.off('SIGTERM', exit);
process.once('SIGINT', stop);
process.once('SIGTERM', stop);
process.stdout.write(
  [
    ...('url' in service ? addresses(service) : ['A worker: it takes jobs and opens no port.']),
    'Ready. Stop it with Ctrl-C.',
    '',
  ].join('\n'),
);

async function stop(): Promise<void> {
  try {
    await service.close();
    process.exit(0);
  } catch (error) {
    fail(explain(error));
  }
}
