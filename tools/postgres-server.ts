import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { freePort } from './free-port.ts';
import { installPackages } from './install-packages.mjs';
import { asServerUser, giveTo, startServer, type OwnServer } from './own-server.ts';

/** Postgres refuses to run as root; Debian's package creates this user. */
const serverUser = 'postgres';

/** The directory of the server's programs: Debian does not put them on the path. */
function findServerPrograms(): string | null {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian) : [];
  const places = [
    ...versions
      .sort((a, b) => Number(b) - Number(a))
      .map((version) => join(debian, version, 'bin')),
    ...(process.env['PATH'] ?? '').split(delimiter),
  ];
  return places.find((place) => existsSync(join(place, 'initdb'))) ?? null;
}

/** Installs Debian's server, or throws a line that says what to do. */
function install(): string {
  installPackages('postgres');
  const programs = findServerPrograms();
  if (!programs) throw new Error('Postgres is installed, but its initdb was not found.');
  return programs;
}

/** A cluster on its own port. Its server can be stopped and started again. */
export interface PostgresCluster {
  /** Connection URL, for a user who may create databases. */
  readonly url: string;
  /** Starts the server and returns a function that stops it. */
  start(): Promise<() => Promise<void>>;
}

/** A new cluster in an empty directory, on a free loopback port. */
export async function makePostgresCluster(directory: string): Promise<PostgresCluster> {
  const programs = findServerPrograms() ?? install();
  const env = { PATH: process.env['PATH'] ?? '', LC_ALL: 'C.UTF-8' };
  const password = randomBytes(24).toString('hex');
  const passwordFile = join(directory, 'password');
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
  await giveTo(serverUser, directory, passwordFile);
  const data = join(directory, 'data');
  // prettier-ignore
  const [init = '', ...initArguments] = asServerUser(serverUser, [
    join(programs, 'initdb'), '--pgdata', data, '--username', serverUser,
    '--pwfile', passwordFile, '--auth', 'scram-sha-256', '--encoding', 'UTF8', '--no-sync',
  ]);
  const made = spawnSync(init, initArguments, { env, cwd: directory, encoding: 'utf8' });
  if (made.status !== 0) {
    throw new Error(`The cluster could not be made: ${made.error?.message ?? made.stderr.trim()}`);
  }
  const port = await freePort();
  return {
    url: `postgres://${serverUser}:${password}@127.0.0.1:${port}/postgres`,
    start: () =>
      startServer({
        // prettier-ignore
        command: asServerUser(serverUser, [
          join(programs, 'postgres'), '-D', data, '-p', String(port), '-k', directory,
          // The data is removed at the end, so it need not survive a power cut.
          '-c', 'listen_addresses=127.0.0.1', '-c', 'fsync=off',
        ]),
        env,
        directory,
        ready: { on: 'stderr', text: 'ready to accept connections' },
      }),
  };
}

/** A Postgres server with a new cluster in an empty directory. `TEST_DATABASE_URL` is its URL. */
export async function startPostgres(directory: string): Promise<OwnServer> {
  const cluster = await makePostgresCluster(directory);
  return { env: { TEST_DATABASE_URL: cluster.url }, stop: await cluster.start() };
}
