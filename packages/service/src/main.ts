#!/usr/bin/env node
import { writeSync } from 'node:fs';
import { hostname } from 'node:os';
import { PresetError, SpeechModelError } from 'clip-engine';
import manifest from '../package.json' with { type: 'json' };
import { CommandError } from './operations/commands/command.ts';
import { commandForms, commandNames, runCommand } from './operations/commands/run.ts';
import { EnvironmentError, findNearestName, readEnvironment } from './config/environment.ts';
import { SchemaMismatch } from './db/migrate.ts';
import { isDatabaseGone } from './db/connections.ts';
import { logLines } from './telemetry/log-lines.ts';
import { storeApiKey } from './operations/api-key-file.ts';
import type { Orphan } from './operations/garbage-collection.ts';
import { migrateTables, sweepStorage } from './operations/maintenance.ts';
import { type RunningService, startService, startWorker } from './service.ts';
import { DataDirectoryInUse } from './storage/data-lock.ts';
import { StorageMismatch } from './storage/open.ts';
import { StorageRefused, StorageUnavailable } from './storage/storage.ts';

const usage = `usage:
  clip-service [api|worker|all]
      runs the service, or a part of it
  clip-service migrate [--check] [--json]
      upgrades the database schema, or only checks it
  clip-service sweep [--dry-run] [--json]
      removes files that the database does not reference, or only lists them
${commandForms}`;

const roles = ['api', 'worker', 'all'];

/** Only this file knows that it is a process: environment, output, signals, exit code. */
function fail(message: string): never {
  // An exit would cut off what is still on its way into a pipe.
  writeSync(2, `${message}\n`);
  process.exit(1);
}

/** Why, by the innermost cause: the system's or the database server's own words. */
function findReason(error: unknown): string {
  let at = error as NodeJS.ErrnoException;
  while (at.cause instanceof Error) at = at.cause;
  return at.message || at.code || at.name;
}

/**
 * Finds the right that the database refuses to the role, in the server's words; null if there is
 * none.
 */
function findRefusedRight(error: unknown): string | null {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ((at as NodeJS.ErrnoException).code === '42501') return at.message;
  }
  return null;
}

/** Errors whose message says what to do. */
const saying = [
  ...[EnvironmentError, DataDirectoryInUse, StorageMismatch, StorageRefused, SchemaMismatch],
  ...[PresetError, CommandError, SpeechModelError],
];

function explain(error: unknown): string {
  if (saying.some((one) => error instanceof one)) return (error as Error).message;
  if (error instanceof StorageUnavailable) {
    return `${error.message} Start it, or check S3_ENDPOINT.`;
  }
  const refused = findRefusedRight(error);
  if (refused !== null) {
    return `The database refuses: ${refused}. The role of DATABASE_URL must own the database, or have the rights that docs/service-database.md names (Rights in Postgres).`;
  }
  if (isDatabaseGone(error)) {
    return `The database cannot be reached: ${findReason(error)}. Start it, or check DATABASE_URL.`;
  }
  const { code, port, address, message } = error as NodeJS.ErrnoException & {
    port?: number;
    address?: string;
  };
  if (code === 'EADDRNOTAVAIL') {
    return `${address} is not an address of this machine. Set HOST and METRICS_HOST to one of its own.`;
  }
  if (code === 'EADDRINUSE') {
    return `Port ${port} is taken by another program. Stop it, or set PORT to another number.`;
  }
  return error instanceof Error ? (error.stack ?? message) : String(error);
}

/** Ends the process with what goes wrong. */
async function exitOnFailure<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    return fail(explain(error));
  }
}

/** Returns the given flags. Exits with the usage for any other argument. */
function readFlags(given: readonly string[], known: readonly string[]): ReadonlySet<string> {
  if (given.includes('--help')) {
    process.stdout.write(usage);
    process.exit(0);
  }
  const unknown = given.find((word) => !known.includes(word));
  if (unknown !== undefined) fail(`${unknown} is not one of ${known.join(', ')}.\n${usage}`);
  return new Set(given);
}

/** `clip-service sweep [--dry-run] [--json]` */
async function runSweep(given: readonly string[]): Promise<never> {
  const flags = readFlags(given, ['--dry-run', '--json']);
  const dryRun = flags.has('--dry-run');
  const orphans: Orphan[] = [];
  const onOrphan = (orphan: Orphan): void => {
    orphans.push(orphan);
    if (!flags.has('--json')) process.stdout.write(`${orphan.bytes}\t${orphan.key}\n`);
  };
  await exitOnFailure(async () => sweepStorage(readEnvironment(process.env), { dryRun, onOrphan }));
  const bytes = orphans.reduce((sum, orphan) => sum + orphan.bytes, 0);
  const done = dryRun ? 'would be removed' : 'removed';
  return print(
    flags.has('--json')
      ? JSON.stringify(orphans)
      : `${orphans.length} files with ${bytes} bytes ${done}.`,
  );
}

/** `clip-service migrate [--check] [--json]` */
async function migrate(given: readonly string[]): Promise<never> {
  const flags = readFlags(given, ['--check', '--json']);
  const options = { check: flags.has('--check'), log };
  await exitOnFailure(async () => migrateTables(readEnvironment(process.env), options));
  const message = 'The tables of the database are up to date.';
  return print(flags.has('--json') ? JSON.stringify({ message }) : message);
}

/** Ends when all of it has been read. */
async function print(output: string): Promise<never> {
  await new Promise((resolve) => process.stdout.write(`${output}\n`, resolve));
  process.exit(0);
}

/** `clip-service api` is `ROLE=api clip-service`. */
function readCommandEnvironment(): NodeJS.ProcessEnv {
  const [role, ...more] = process.argv.slice(2);
  if (role !== undefined && !roles.includes(role)) {
    const nearest = findNearestName(role, [...roles, 'migrate', 'sweep', ...commandNames]);
    fail(
      `There is no command ${role}. Did you mean ${nearest}? See them with: clip-service --help`,
    );
  }
  if (more.length > 0) fail(usage);
  return role === undefined ? process.env : { ...process.env, ROLE: role };
}

/** The process, for logs that several processes share. */
const who = { host: hostname(), version: manifest.version };
let log = logLines('info', who);
const { isTTY } = process.stdout;

/** For a person at a terminal; otherwise there are only lines of the log. */
const printLines = (...lines: string[]) => isTTY && process.stdout.write(`${lines.join('\n')}\n`);

function exitWithError(event: string, error: unknown): never {
  if (isTTY) fail(explain(error));
  log({ event, level: 'error', message: explain(error) });
  process.exit(1);
}

async function start(): Promise<Pick<RunningService, 'drain' | 'close'>> {
  try {
    const config = readEnvironment(readCommandEnvironment());
    log = logLines(config.logLevel ?? 'info', who);
    printLines(
      'Starting the clip service (the first start sets up its database and takes some seconds).',
    );
    const run = config.role === 'worker' ? startWorker : startService;
    const running: Pick<RunningService, 'drain' | 'close'> & Partial<RunningService> = await run({
      ...config,
      log,
    });
    const { url, apiKey } = running;
    if (typeof apiKey === 'string') {
      const path = await storeApiKey(config.dataDir, apiKey);
      log({ event: 'api-key-made', path });
      printLines(`API key: in ${path} (just created; there is no other copy)`);
    }
    log({ event: 'started', role: config.role, url });
    if (url === undefined) printLines('A worker: it takes jobs and opens no port.');
    else
      printLines(
        `API:     ${url}/v2  (its description: ${url}/v2/openapi.json)`,
        `Player:  ${url}/player/{project_id}`,
        `Embed:   ${url}/embed/{project_id}#external_access_token=...`,
        `Health:  ${url}/healthz`,
      );
    printLines('Ready. Stop it with Ctrl-C.');
    return running;
  } catch (error) {
    return exitWithError('not-started', error);
  }
}

const [verb = '', ...words] = process.argv.slice(2);
if (/^(?:--help|-h|help)$/.test(verb)) {
  process.stdout.write(usage);
  process.exit(0);
}
if (commandNames.includes(verb)) {
  await print(await exitOnFailure(() => runCommand(verb, words, process.env)));
}
if (verb === 'sweep') await runSweep(words);
if (verb === 'migrate') await migrate(words);
// Nothing is lost by an end while it starts. Without a handler, the first process of a container
// does not hear of signals at all.
const exit = () => process.exit(0);
process.once('SIGINT', exit);
process.once('SIGTERM', exit);
const service = await start();
process.removeAllListeners('SIGINT');
process.removeAllListeners('SIGTERM');
/** A second signal ends the drain. */
const hurry = new AbortController();
let stopping = false;
process.on('SIGINT', stop);
process.on('SIGTERM', stop);

async function stop(): Promise<void> {
  if (stopping) return hurry.abort();
  stopping = true;
  log({ event: 'stopping' });
  try {
    await service.drain(hurry.signal);
    await service.close();
    process.exit(0);
  } catch (error) {
    exitWithError('not-stopped', error);
  }
}
