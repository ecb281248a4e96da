import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { installPackages } from './install-packages.mjs';
import { asServerUser, giveTo, startServer } from './own-server.ts';

/** PgBouncer refuses to run as root; Debian's package of Postgres creates this user. */
const serverUser = 'postgres';
/** Debian does not put it on every user's path. */
const program = '/usr/sbin/pgbouncer';

/** The settings that operators are told to use. */
async function readShippedSettings(): Promise<string> {
  const page = await readFile(new URL('../docs/service-database.md', import.meta.url), 'utf8');
  const [, settings] = /^```ini\n([^`]+)^```$/m.exec(page) ?? [];
  if (!settings) throw new Error('docs/service-database.md has no settings of PgBouncer.');
  return settings;
}

/** PgBouncer in transaction mode before a Postgres server, with the server's user and password. */
export async function startPgBouncer(
  directory: string,
  postgresUrl: string,
): Promise<{ url: string; stop: () => Promise<void> }> {
  const command = existsSync(program) ? program : 'pgbouncer';
  if (command !== program) installPackages('pgbouncer');
  const { hostname, port, username, password } = new URL(postgresUrl);
  const users = join(directory, 'users.txt');
  const config = join(directory, 'pgbouncer.ini');
  const ownPort = await freePort();
  await writeFile(users, `"${username}" "${password}"\n`, { mode: 0o600 });
  await writeFile(
    config,
    [
      '[databases]',
      `* = host=${hostname} port=${port}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${ownPort}`,
      'unix_socket_dir =',
      'auth_type = scram-sha-256',
      `auth_file = ${users}`,
      'pool_mode = transaction',
      await readShippedSettings(),
    ].join('\n'),
  );
  await giveTo(serverUser, directory, users, config);
  const stop = await startServer({
    command: asServerUser(serverUser, [existsSync(program) ? program : command, config]),
    env: { PATH: process.env['PATH'] ?? '' },
    directory,
    ready: { on: 'stderr', text: 'process up' },
  });
  const url = new URL(postgresUrl);
  url.port = String(ownPort);
  return { url: url.href, stop };
}
