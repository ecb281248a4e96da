/**
 * Runs the service's Postgres tests against a server of their own: a new cluster in a temporary directory, on a free port
 * of loopback, stopped and removed at the end. Closes with `N passed, M failed`.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from './free-port.ts';
import { installPackages } from './install-packages.mjs';
import { countTests } from './test-count.ts';

const suite = 'service/test/postgres/postgres.suite.ts';
const isRoot = process.getuid?.() === 0;
/** Postgres refuses to run as root; Debian's package makes this user. */
const serverUser = 'postgres';

/** The directory of the server's programs: Debian keeps them off the path, by version. */
const serverPrograms = (): string | null => {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian) : [];
  const places = [
    ...versions
      .sort((a, b) => Number(b) - Number(a))
      .map((version) => join(debian, version, 'bin')),
    ...(process.env['PATH'] ?? '').split(delimiter),
  ];
  return places.find((place) => existsSync(join(place, 'initdb'))) ?? null;
};

/** Installs Debian's server, or throws the line that says what to do. */
const install = (): string => {
  installPackages('A Postgres server', ['postgresql'], 'brew install postgresql@15');
  const programs = serverPrograms();
  if (!programs) throw new Error('Postgres is installed, but its initdb was not found.');
  return programs;
};

/** The command as a user that Postgres runs as; on Linux it ends with this process, however that ends. */
const asServerUser = (command: string[]): string[] => {
  if (process.platform !== 'linux') return command;
  const user = isRoot ? ['--reuid', serverUser, '--regid', serverUser, '--init-groups'] : [];
  return ['setpriv', ...user, '--pdeathsig', 'INT', '--', ...command];
};

/** The number of an account, which files are given to by. */
const idOf = (kind: '-u' | '-g'): number =>
  Number(spawnSync('id', [kind, serverUser], { encoding: 'utf8' }).stdout);

/** A server that takes connections, and its address with the right to create databases. */
const startServer = async (
  programs: string,
  directory: string,
): Promise<{ server: ChildProcess; url: string }> => {
  const env = { PATH: process.env['PATH'] ?? '', LC_ALL: 'C.UTF-8' };
  const password = randomBytes(24).toString('hex');
  const passwordFile = join(directory, 'password');
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
  if (isRoot) {
    for (const path of [directory, passwordFile]) await chown(path, idOf('-u'), idOf('-g'));
  }
  const data = join(directory, 'data');
  const [init = '', ...initArguments] = asServerUser([
    ...[join(programs, 'initdb'), '--pgdata', data, '--username', serverUser],
    ...['--pwfile', passwordFile, '--auth', 'scram-sha-256', '--encoding', 'UTF8', '--no-sync'],
  ]);
  const made = spawnSync(init, initArguments, { env, cwd: directory, encoding: 'utf8' });
  if (made.status !== 0) {
    throw new Error(`The cluster could not be made: ${made.error?.message ?? made.stderr.trim()}`);
  }
  const port = await freePort();
  const [command = '', ...args] = asServerUser([
    ...[join(programs, 'postgres'), '-D', data, '-p', String(port), '-k', directory],
    // What is written is thrown away: it need not outlive a power cut.
    ...['-c', 'listen_addresses=127.0.0.1', '-c', 'fsync=off'],
  ]);
  const server = spawn(command, args, { env, cwd: directory, stdio: ['ignore', 'ignore', 'pipe'] });
  const said: string[] = [];
  await new Promise<void>((resolve, reject) => {
    const ended = () => reject(new Error(`The server did not start:\n${said.join('\n')}`));
    server.on('error', reject);
    server.on('exit', ended);
    createInterface({ input: server.stderr }).on('line', (line) => {
      said.push(line);
      if (!line.includes('ready to accept connections')) return;
      server.off('exit', ended);
      resolve();
    });
  });
  return { server, url: `postgres://${serverUser}:${password}@127.0.0.1:${port}/postgres` };
};

const stopServer = async (server: ChildProcess): Promise<void> => {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = once(server, 'exit');
  server.kill('SIGINT'); // "Fast": connections are cut, the server ends in order.
  await ended;
};

const runSuite = async (url: string, signal: AbortSignal) => {
  const child = spawn(process.execPath, ['--test', '--test-reporter=spec', suite], {
    env: { ...process.env, TEST_DATABASE_URL: url },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const end = (): unknown => child.kill('SIGTERM');
  signal.addEventListener('abort', end);
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    process.stdout.write(text);
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return countTests('node', code ?? 1, output);
};

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort());

const directory = await mkdtemp(join(tmpdir(), 'clip-postgres-'));
let server: ChildProcess | undefined;
let count = { passed: 0, failed: 1 };
try {
  const started = await startServer(serverPrograms() ?? install(), directory);
  server = started.server;
  stopping.signal.throwIfAborted();
  count = await runSuite(started.url, stopping.signal);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
} finally {
  if (server) await stopServer(server);
  await rm(directory, { recursive: true, force: true });
}
console.log(`\n${count.passed} passed, ${count.failed} failed`);
process.exitCode = count.failed ? 1 : 0;
